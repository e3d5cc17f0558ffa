import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createHttpServer } from './server.ts'
import { serveWebApp } from './web-app.ts'

let server: FastifyInstance
let root: string

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'benchwatch-web-'))
  mkdirSync(join(root, 'assets'))
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><html><head><title>Console</title></head><body><noscript>Benchwatch needs JavaScript.</noscript></body></html>',
  )
  writeFileSync(join(root, 'assets', 'index-Ab12.js'), 'export {}')
  mkdirSync(join(root, 'board'))
  writeFileSync(join(root, 'board', 'index.html'), '<html><head><title>Board</title></head></html>')
  writeFileSync(join(root, 'board', 'notes.txt'), 'notes')
  writeFileSync(join(root, 'logo.svg'), '<svg/>')
  server = await createHttpServer({
    log: createLog('silent'),
    trustProxy: false,
    product: 'Test',
    version: '1',
    checkAnswers: false,
    framedPaths: ['/board/'],
    frameOrigins: ['https://boards.example'],
  })
  server.get('/api/known', async () => ({ known: true }))
  await serveWebApp(server, {
    root,
    product: 'Lab & Co',
    settings: { name: 'settings', content: { copyright: '© "A&B" <$&>' } },
    pages: ['board'],
  })
  await server.ready()
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true })
})

describe('the page', () => {
  test.each(['/', '/events', '/events/100001?page=2', '/nowhere/at/all', '/login', '/index.html'])(
    'lies at %s, never kept',
    async (url) => {
      const response = await server.inject(url)
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      })
      expect(response.headers['content-security-policy']).toContain("default-src 'self'")
      expect(response.body).toContain('<title>Console</title>')
      expect(response.body).toContain('<meta name="settings" content="{')
    },
  )

  test('has the name of this deployment before its script runs', async () => {
    expect((await server.inject('/')).body).toContain('<noscript>Lab &amp; Co needs JavaScript.</noscript>')
  })

  test('tells what was configured, whatever it holds', async () => {
    expect((await server.inject('/')).body).toContain(
      'content="{&quot;copyright&quot;:&quot;© \\&quot;A&amp;B\\&quot; &lt;$&amp;&gt;&quot;}">',
    )
  })
})

test('WebAssembly may run in the workers that are built for it, and nowhere else', async () => {
  const policyOf = async (url: string) => (await server.inject(url)).headers['content-security-policy']
  expect(await policyOf('/assets/pdf.wasm-worker-Ab12.js')).toContain("script-src 'self' 'wasm-unsafe-eval'")
  for (const url of [
    '/',
    '/assets/index-Ab12.js',
    '/assets/no.wasm-worker-Ab12.js/x',
    '/pdf.wasm-worker-Ab12.js',
    '/api/x',
  ])
    expect(await policyOf(url), url).not.toContain('eval')
})

test('files with a hash in their name are kept for ever, others are asked for again', async () => {
  const asset = await server.inject('/assets/index-Ab12.js')
  expect(asset.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'application/javascript; charset=utf-8',
  })
  const logo = await server.inject('/logo.svg')
  expect(logo.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml' })
})

describe('what is no page', () => {
  test.each([
    ['GET', '/assets/index-Old1.js'],
    ['GET', '/api/unknown'],
    ['GET', '/api'],
    ['POST', '/events'],
  ] as const)('is a problem: %s %s', async (method, url) => {
    const response = await server.inject({ method, url })
    expect(response.json()).toMatchObject({ status: 404, code: 'not-found' })
  })

  test.each([
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2fpackage.json',
  ])('and nothing outside the folder is served: %s', async (url) => {
    const { body } = await server.inject(url)
    expect(body).not.toMatch(/"name"|root:/)
  })

  test('the API goes on beside it', async () => {
    expect((await server.inject('/api/known')).json()).toEqual({ known: true })
  })
})

describe('a page beside the console', () => {
  test('lies at its folder, and may stand in frames of this origin', async () => {
    const { statusCode, headers, body } = await server.inject('/board/?range=30')
    expect([statusCode, headers['cache-control'], headers['referrer-policy']]).toEqual([200, 'no-cache', 'no-referrer'])
    expect(body).toContain('<title>Board</title><meta name="settings"')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
  })

  test('is found without its last slash', async () => {
    const { statusCode, headers } = await server.inject('/board')
    expect([statusCode, headers.location]).toEqual([302, '/board/'])
  })

  test.each(['/board/index.html', '/board/notes.txt', '/board/nowhere'])('has nothing else: %s', async (url) => {
    expect((await server.inject(url)).statusCode).toBe(404)
  })

  test('opens frames of the console to the origins that were named, and the console to nobody', async () => {
    const { headers } = await server.inject('/events')
    expect(headers['content-security-policy']).toContain("frame-src 'self' blob: https://boards.example;")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
  })
})
