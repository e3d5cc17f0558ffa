import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { type Access, route } from '@benchwatch/contract/route'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fixedClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createBind } from './bind.ts'
import { answerNotFound } from './error-handler.ts'
import { problem } from './problem.ts'
import { createHttpServer } from './server.ts'

const routes = {
  echo: route({
    method: 'POST',
    path: '/echo/:id',
    summary: 'Echo',
    params: z.object({ id: z.string().regex(/^\d+$/, 'must be digits') }),
    query: z.strictObject({ times: z.string().regex(/^\d$/, 'must be one digit').transform(Number).default(1) }),
    body: z.strictObject({ text: z.string().max(5), list: z.array(z.number()).optional() }),
    answer: z.object({ id: z.string(), text: z.string(), times: z.number() }),
    errors: [],
    access: { kind: 'signed-in' },
  }),
  bare: route({
    method: 'POST',
    path: '/bare',
    summary: 'Takes nothing',
    answer: z.object({ ok: z.boolean() }),
    errors: [],
    access: { kind: 'public' },
  }),
  fail: route({
    method: 'GET',
    path: '/fail',
    summary: 'Fail',
    query: z.object({ how: z.string() }),
    answer: z.object({ ok: z.boolean() }),
    errors: [],
    access: { kind: 'public' },
  }),
}

const long = route({
  method: 'GET',
  path: '/long',
  summary: 'Answers many values',
  query: z.strictObject({ values: z.string().transform(Number) }),
  answer: z.object({
    values: z.array(z.object({ n: z.number(), text: z.string() })),
    total: z.object({ n: z.number() }),
  }),
  errors: [],
  access: { kind: 'public' },
})

const texts = route({
  method: 'POST',
  path: '/texts',
  summary: 'Takes lines',
  body: z.string(),
  bodyTypes: ['text/csv', 'application/x-ndjson'],
  bodyLimit: 300_000,
  answer: z.object({ text: z.string() }),
  errors: [],
  access: { kind: 'public' },
})
const elsewhere = route({
  method: 'GET',
  path: '/elsewhere',
  summary: 'Redirects',
  success: [302],
  errors: [],
  access: { kind: 'public' },
})

/** Errors that the handlers throw, by name. */
const failures: Record<string, () => unknown> = {
  conflict: () => problem('status-conflict', 'It is closed. Reload it.', { members: { event: { id: '7' } } }),
  bug: () => new TypeError("Cannot read properties of undefined (reading 'secretColumn')"),
  sql: () =>
    Object.assign(new Error('duplicate key value violates unique constraint "app_user_login_key"'), {
      code: '23505',
      detail: 'Key (login)=(a@b.example)',
    }),
  timeout: () => Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
  refused: () => Object.assign(new Error('connect ECONNREFUSED /tmp/pg/.s.PGSQL.5432'), { code: 'ECONNREFUSED' }),
  pool: () => new Error('timeout exceeded when trying to connect'),
  text: () => 'thrown text with a secret',
  service: () => problem('sms-failed', 'No text message could be sent.', { cause: new Error('role of the sender') }),
}

const clock = fixedClock(new Date('2026-11-20T14:00:00Z'))
/** Emits `begins` once a sender is authorised. */
const parsing = new EventEmitter()
/** The user who may not do anything any more. */
let disabled: string | null = null
let server: FastifyInstance
let logged = ''
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged += chunk.toString()
    done()
  },
})

beforeAll(async () => {
  server = await createHttpServer({
    log: createLog('info', destination),
    trustProxy: false,
    product: 'Test',
    version: '1',
    checkAnswers: true,
  })
  const bind = createBind<{
    public: undefined
    'signed-in': string
    gateway: undefined
    cases: undefined
    registry: undefined
    'kpi-embed': undefined
    outbox: undefined
  }>(
    (async (access: Access, request: FastifyRequest) => {
      if (access.kind === 'public') return undefined
      if (request.headers.authorization === undefined) throw problem('session-expired', 'Session expired')
      if (request.headers.authorization === 'customer') throw problem('wrong-role', 'Ask an administrator.')
      if (request.headers.authorization === disabled) throw problem('session-expired', 'Session expired')
      return request.headers.authorization
    }) as never,
    clock,
  )
  bind(server, routes.echo, async ({ params, query, body }) => ({ id: params.id, text: body.text, times: query.times }))
  bind(server, texts, async ({ body }) => ({ text: body.slice(0, 10) }))
  bind(server, long, async ({ query }) => ({
    values: Array.from({ length: query.values }, (_, n) => ({ n, text: `„Ö” ${n}` })),
    total: { n: query.values },
  }))
  bind(server, elsewhere, async ({ reply }) => {
    reply.redirect('/over/there')
    return undefined
  })
  bind(server, routes.fail, async ({ query }) => {
    if (query.how === 'answer') return { ok: 'yes' as never }
    if (query.how === 'extra') return { ok: true, secret: 1 } as never
    throw failures[query.how]?.()
  })
  bind(server, routes.bare, async () => ({ ok: true }))
  server.setNotFoundHandler(answerNotFound)
  server.addHook('preParsing', async () => {
    parsing.emit('begins')
  })
  await server.ready()
})
afterAll(() => server.close())

const echo = (payload: string | object | undefined, { id = '7', query = '', headers = {} } = {}) =>
  server.inject({
    method: 'POST',
    url: `/api/echo/${id}${query}`,
    headers: {
      authorization: 'me',
      ...(typeof payload === 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  })

describe('every error is problem+json that says what to do', () => {
  test.each<[string, Parameters<typeof echo>, number, string, string]>([
    ['malformed JSON', ['{"text": '], 400, 'malformed-json', 'valid JSON'],
    ['an empty body', [''], 400, 'malformed-json', 'valid JSON'],
    ['no body', [undefined], 400, 'validation-failed', 'body'],
    ['a body that is a list', [[1]], 400, 'validation-failed', 'body'],
    ['a wrong type', [{ text: 7 }], 400, 'validation-failed', 'body.text'],
    ['an over-long value', [{ text: 'abcdef' }], 400, 'validation-failed', 'body.text'],
    ['a wrong type deep inside', [{ text: 'a', list: [1, 'x'] }], 400, 'validation-failed', 'body.list.1'],
    ['an unknown field', [{ text: 'a', admin: true }], 400, 'validation-failed', 'body'],
    [
      'a field that poisons prototypes',
      ['{"text":"a","__proto__":{"admin":true}}'],
      400,
      'malformed-json',
      'valid JSON',
    ],
    ['an unknown query parameter', [{ text: 'a' }, { query: '?color=red' }], 400, 'validation-failed', 'query'],
    [
      'a repeated query parameter',
      [{ text: 'a' }, { query: '?times=1&times=2' }],
      400,
      'validation-failed',
      'query.times',
    ],
    [
      'a bad query parameter',
      [{ text: 'a' }, { query: '?times=many' }],
      400,
      'validation-failed',
      'query.times: must be one digit',
    ],
    ['a bad path', [{ text: 'a' }, { id: 'seven' }], 400, 'validation-failed', 'params.id: must be digits'],
    ['a path that is no text', [{ text: 'a' }, { id: '%E0%A4%A' }], 400, 'validation-failed', 'address'],
    ['a path without end', [{ text: 'a' }, { id: '7'.repeat(2000) }], 404, 'not-found', 'nothing'],
    [
      'another media type',
      ['<x/>', { headers: { 'content-type': 'text/xml' } }],
      415,
      'unsupported-media-type',
      'application/json',
    ],
    ['a body that is too large', [{ text: 'x'.repeat(300_000) }], 413, 'payload-too-large', 'Send less'],
  ])('for %s', async (_what, sent, status, code, words) => {
    const response = await echo(...sent)
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    const body = response.json()
    expect(body).toMatchObject({
      type: `urn:benchwatch:error:${code}`,
      title: expect.stringMatching(/^[A-Z].+[^.]$/),
      status,
      code,
      ErrorBody: body.detail,
      requestId: expect.any(String),
    })
    expect(body.detail).toContain(words)
    if (code === 'validation-failed') {
      expect(body.errors).toContainEqual({ path: expect.any(String), message: expect.stringMatching(/\S/) })
    }
  })

  test('an address where nothing lies, without what stood behind the question mark', async () => {
    const response = await server.inject({ url: '/api/nothing?token=secret' })
    expect(response.json()).toMatchObject({
      status: 404,
      code: 'not-found',
      detail: 'There is nothing at GET /api/nothing.',
    })
  })

  test('every bad place is named', async () => {
    const { errors } = (await echo({ text: 7, list: ['x'] })).json()
    expect(errors).toEqual([
      { path: 'body.text', message: expect.stringMatching(/\S/) },
      { path: 'body.list.0', message: expect.stringMatching(/\S/) },
    ])
  })

  test('what a rule refuses carries its members', async () => {
    const body = (await server.inject('/api/fail?how=conflict')).json()
    expect(body).toMatchObject({
      status: 409,
      code: 'status-conflict',
      detail: 'It is closed. Reload it.',
      event: { id: '7' },
    })
  })
})

describe('the order is 401, 403, 400', () => {
  test('nothing is parsed for somebody unknown or not allowed', async () => {
    const bad = {
      method: 'POST',
      url: '/api/echo/seven?color=red',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    } as const
    const unknown = await server.inject(bad)
    expect(unknown.json()).toMatchObject({ status: 401, code: 'session-expired' })
    expect(unknown.headers['www-authenticate']).toBe('Bearer')
    expect(
      (await server.inject({ ...bad, headers: { ...bad.headers, authorization: 'customer' } })).json(),
    ).toMatchObject({ status: 403, code: 'wrong-role' })
    expect((await server.inject({ ...bad, headers: { ...bad.headers, authorization: 'me' } })).statusCode).toBe(400)
  })

  test('a route that declares no access is not taken', async () => {
    const bind = createBind((async () => undefined) as never, clock)
    expect(() =>
      bind(server, { ...routes.fail, access: undefined as never }, (async () => undefined) as never),
    ).toThrow('declares no access')
  })
})

describe('what the server did wrong', () => {
  test.each(['bug', 'sql', 'text', 'answer', 'extra'])('is logged and never shown: %s', async (how) => {
    logged = ''
    const response = await server.inject(`/api/fail?how=${how}`)
    expect(response.json()).toMatchObject({ status: 500, code: 'internal' })
    expect(response.body).not.toMatch(/secret|app_user|node_modules|\.ts|at /)
    expect(logged).toContain(response.json().requestId)
  })

  test.each(['timeout', 'refused', 'pool'])('passes with the database: %s', async (how) => {
    const response = await server.inject(`/api/fail?how=${how}`)
    expect(response.json()).toMatchObject({ status: 503, code: 'unavailable' })
    expect(response.headers['retry-after']).toBe('2')
    expect(response.body).not.toMatch(/ECONN|PGSQL|statement/)
  })

  test('a log of all requests holds neither what was looked for nor the token of a link', async () => {
    const talkative = await createHttpServer({
      log: createLog('debug', destination),
      trustProxy: false,
      product: 'Test',
      version: '1',
      checkAnswers: true,
    })
    talkative.setNotFoundHandler(answerNotFound)
    logged = ''
    const token = 'aB-_'.repeat(10) + 'xyz'
    await talkative.inject({ method: 'GET', url: `/api/exports/files/${token}?keyword=Lovelace` })
    await talkative.close()
    expect(logged).toContain('"path":"/api/exports/files/…"')
    expect(logged).not.toContain(token)
    expect(logged).not.toContain('Lovelace')
  })

  test('what another service said is logged and never shown', async () => {
    logged = ''
    const response = await server.inject('/api/fail?how=service')
    expect(response.json()).toMatchObject({ status: 502, code: 'sms-failed' })
    expect(response.body).not.toContain('role of the sender')
    expect(logged).toContain('role of the sender')
  })
})

test('a key of 120 letters that all have to be encoded finds its route', async () => {
  const response = await echo({ text: 'a' }, { id: encodeURIComponent('質'.repeat(120)) })
  expect(response.json().detail).toContain('params.id')
})

describe('headers', () => {
  test('every answer of the API, also an error, is kept from caches, frames and guesses', async () => {
    for (const response of [
      await echo({ text: 'a' }),
      await echo('{'),
      await server.inject('/api/nothing'),
      await server.inject('/api/echo/%E0%A4%A'),
    ]) {
      expect(response.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      const policy = String(response.headers['content-security-policy'])
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe-eval')
    }
  })
})

describe('what is no readable request ends its connection with a problem, and nothing else', () => {
  let port = 0
  beforeAll(async () => {
    await server.listen({ host: '127.0.0.1', port: 0 })
    const address = server.server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })

  test('a sender that hangs up within its request is no error', async () => {
    logged = ''
    const socket = connect(port, '127.0.0.1')
    const head = 'POST /api/echo/7 HTTP/1.1\r\nhost: x\r\nauthorization: me\r\ncontent-type: application/json\r\n'
    const inFlight = once(server.server, 'request')
    socket.write(`${head}content-length: 100\r\n\r\n{"text"`)
    await inFlight
    socket.destroy()
    await expect.poll(() => logged).toContain('the client disconnected during its request')
    expect(logged).not.toContain('"level":50')
  })

  test.each([
    ['is refused once its body is complete, if that took long', 1001, 401],
    ['is not checked twice, if its body came at once', 1000, 200],
  ])('a sender who is disabled during a request %s', async (_when, ms, status) => {
    const socket = connect(port, '127.0.0.1')
    const head = 'POST /api/echo/7 HTTP/1.1\r\nhost: x\r\nauthorization: me\r\ncontent-type: application/json\r\n'
    const authorised = once(parsing, 'begins')
    socket.write(`${head}content-length: 12\r\n\r\n{"text"`)
    await authorised
    disabled = 'me'
    clock.advance(ms)
    socket.write(':"x"}')
    const [answer] = await once(socket, 'data')
    disabled = null
    socket.destroy()
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  test.each([
    ['no HTTP at all', 'NOT HTTP AT ALL\r\n\r\n', 400, 'unreadable-request'],
    ['raw bytes in the address', 'GET /api/\u00e5 HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'unreadable-request'],
    ['20 kB of headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
  ])('%s', async (_what, text, status, code) => {
    const answer = await exchange(port, text)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain('x-content-type-options: nosniff')
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as object
    expect(body).toMatchObject({ status, code, ErrorBody: expect.any(String), requestId: expect.any(String) })
    expect((await fetch(`http://127.0.0.1:${port}/api/nothing`)).status).toBe(404)
  })
})

/** Sends raw bytes and returns everything received until the server closes the connection. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('a route takes nothing that it does not name', () => {
  test.each([
    ['a parameter', '/api/bare?bogus=1', undefined],
    ['a body', '/api/bare', { bogus: 1 }],
  ])('%s', async (_what, url, payload) => {
    const response = await server.inject({ method: 'POST', url, ...(payload && { payload }) })
    expect(response.json()).toMatchObject({ status: 400, code: 'validation-failed' })
  })

  test('nothing is fine, and so is an empty object', async () => {
    expect((await server.inject({ method: 'POST', url: '/api/bare' })).statusCode).toBe(200)
    expect((await server.inject({ method: 'POST', url: '/api/bare', payload: {} })).statusCode).toBe(200)
  })
})

test('JSON that is not UTF-8 is refused instead of breaking its letters', async () => {
  const payload = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xc3, 0x22, 0x7d])])
  const headers = { authorization: 'me', 'content-type': 'application/json' }
  const response = await server.inject({ method: 'POST', url: '/api/echo/7', headers, payload })
  expect([response.statusCode, response.json().code]).toEqual([400, 'malformed-json'])
  expect(response.json().ErrorBody).toContain('UTF-8')
})

describe('a route of text', () => {
  const post = (payload: string | Buffer, type = 'text/csv') =>
    server.inject({ method: 'POST', url: '/api/texts', payload, headers: { 'content-type': type } })

  test('takes its types as they stand, without a byte order mark', async () => {
    expect((await post('\uFEFFÄ;b')).json()).toEqual({ text: 'Ä;b' })
    expect((await post('{"a":1}', 'application/x-ndjson; charset=utf-8')).json()).toEqual({ text: '{"a":1}' })
  })

  test('takes as much as it says', async () => {
    expect((await post('x'.repeat(300_000))).statusCode).toBe(200)
    expect((await post('x'.repeat(300_001))).json()).toMatchObject({ status: 413, code: 'payload-too-large' })
  })

  test('takes no JSON, and says what it takes', async () => {
    const { statusCode, body } = await post('{}', 'application/json')
    expect(statusCode).toBe(415)
    expect(JSON.parse(body).ErrorBody).toBe('Send the body as text/csv or application/x-ndjson.')
  })

  test('refuses what is not UTF-8 instead of breaking its letters', async () => {
    expect((await post(Buffer.from('Malmö', 'latin1'))).json()).toMatchObject({
      status: 400,
      code: 'validation-failed',
    })
  })

  test('refuses another character set and a packed body by name', async () => {
    expect((await post('a;b', 'text/csv; charset=iso-8859-1')).json()).toMatchObject({ status: 415 })
    expect((await post('a;b', 'text/csv; charset="UTF-8"')).statusCode).toBe(200)
    const packed = await server.inject({
      method: 'POST',
      url: '/api/texts',
      payload: gzipSync('a;b'),
      headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
    })
    expect(packed.json()).toMatchObject({ status: 415, ErrorBody: expect.stringContaining('Content-Encoding') })
  })

  test('leaves other routes to JSON', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: '/api/bare',
      payload: 'a;b',
      headers: { 'content-type': 'text/csv' },
    })
    expect(answer.statusCode).toBe(415)
    expect(answer.json().ErrorBody).toBe('Send the body as application/json.')
  })
})

test('a handler may redirect', async () => {
  const answer = await server.inject({ method: 'GET', url: '/api/elsewhere' })
  expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([302, '/over/there', ''])
})

test.each([0, 5000, 5001, 10_000, 12_345])(
  'an answer of %i values is whole, in however many parts it is written',
  async (n) => {
    const answer = await server.inject(`/api/long?values=${n}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const values = Array.from({ length: n }, (_, index) => ({ n: index, text: `„Ö” ${index}` }))
    expect(answer.body).toBe(JSON.stringify({ values, total: { n } }))
  },
)
