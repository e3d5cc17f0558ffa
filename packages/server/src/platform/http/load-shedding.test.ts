import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Route, route } from '@benchwatch/contract/route'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { installErrorHandler } from './error-handler.ts'
import { answerInTime, type RequestLimits, refusePipelining, refuseWhileStopping, shedLoad } from './server.ts'

const heads = {
  list: { method: 'POST', path: '/list', access: { kind: 'signed-in' } },
  change: { method: 'PUT', path: '/change', access: { kind: 'signed-in' } },
  health: { method: 'GET', path: '/health', access: { kind: 'public' } },
  ingest: { method: 'POST', path: '/ingest', access: { kind: 'gateway' } },
  work: { method: 'POST', path: '/work', access: { kind: 'registry' }, answerSeconds: 60 },
  line: { method: 'POST', path: '/line', access: { kind: 'signed-in' }, waitsInLine: true },
} as const

let app: FastifyInstance
afterEach(() => app.close())

/** Starts a server that accepts two reads and three requests in total, whose answers wait for `release`. */
function held(slow: Partial<RequestLimits> = {}) {
  let release = () => {}
  const begun: Record<string, number> = {}
  const wait = new Promise<void>((resolve) => {
    release = resolve
  })
  app = Fastify()
  installErrorHandler(app)
  shedLoad(app, { reads: 2, all: 3, slowMs: 60_000, shareWhenSlow: 1, fromLine: 2, ...slow })
  for (const head of Object.values(heads)) {
    const declared: Route = route({ ...head, summary: head.path, errors: [] })
    app.route({
      method: head.method,
      url: head.path,
      config: { route: declared },
      handler: () => {
        begun[head.path] = (begun[head.path] ?? 0) + 1
        return wait.then(() => ({}))
      },
    })
  }
  const ask = (name: keyof typeof heads) =>
    app.inject({ method: heads[name].method, url: heads[name].path }).then(({ statusCode, headers, body }) => ({
      status: statusCode,
      retryAfter: headers['retry-after'],
      body,
    }))
  return { ask, release, begun }
}

test('refuses lists before changes, and gateways and health never', async () => {
  const { ask, release } = held()
  const taken = [ask('list'), ask('list')]
  expect(await ask('list')).toMatchObject({ status: 503, retryAfter: '1', body: expect.stringContaining('overloaded') })
  taken.push(ask('change'))
  expect(await ask('change')).toMatchObject({ status: 503, retryAfter: '1' })
  taken.push(ask('ingest'), ask('ingest'), ask('health'))
  release()
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual(Array(6).fill(200))
})

test('queues requests that must not be refused, a few at a time, whatever else is in flight', async () => {
  const { ask, release, begun } = held()
  const taken = [ask('list'), ask('list')]
  expect((await ask('list')).status).toBe(503)
  const line = Array.from({ length: 50 }, () => ask('line'))
  await expect.poll(() => begun['/line']).toBe(2)
  expect((await ask('list')).status).toBe(503)
  expect(begun['/line']).toBe(2)
  release()
  expect((await Promise.all([...taken, ...line])).map(({ status }) => status)).toEqual(Array(52).fill(200))
})

test('makes less room while the oldest waits too long', async () => {
  const { ask, release } = held({ slowMs: -1, shareWhenSlow: 0.5 })
  const first = ask('list')
  await expect.poll(() => ask('list').then(({ status }) => status)).toBe(503)
  release()
  expect((await first).status).toBe(200)
})

test('takes no room for long work, and makes none less for how long it takes', async () => {
  const { ask, release } = held({ slowMs: -1, shareWhenSlow: 0.5 })
  const work = ask('work')
  const list = ask('list')
  release()
  expect([(await work).status, (await list).status]).toEqual([200, 200])
})

test('makes room again when answers have left', async () => {
  const { ask, release } = held()
  const first = [ask('list'), ask('list')]
  expect((await ask('list')).status).toBe(503)
  release()
  await Promise.all(first)
  expect((await ask('list')).status).toBe(200)
})

test('refuses the fifth request of a connection before the first is answered, and takes it after', async () => {
  app = Fastify()
  installErrorHandler(app)
  refusePipelining(app)
  let release = () => {}
  const wait = new Promise<void>((resolve) => {
    release = resolve
  })
  const requested: string[] = []
  app.get('/slow/:n', async ({ params }) => {
    requested.push((params as { n: string }).n)
    await wait
    return {}
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  const received = text(socket)
  const ask = (n: number, more = '') => `GET /slow/${n} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
  socket.write([1, 2, 3, 4, 5, 6].map((n) => ask(n)).join(''))
  await expect.poll(() => requested).toEqual(['1', '2', '3', '4'])
  const answered = once(socket, 'data')
  release()
  await answered
  socket.write(ask(7, 'connection: close\r\n'))
  const statuses = (await received).match(/HTTP\/1\.1 \d{3}/g)?.map((line) => line.slice(-3))
  expect(statuses).toEqual(['200', '200', '200', '200', '429', '429', '200'])
})

test('tells whoever asks while it stops to come back, and answers what is under way', async () => {
  let isAsked = () => {}
  let release = () => {}
  const requested = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  const wait = new Promise<void>((resolve) => {
    release = resolve
  })
  app = Fastify({ return503OnClosing: false })
  installErrorHandler(app)
  refuseWhileStopping(app)
  app.get('/slow', async () => {
    isAsked()
    await wait
    return {}
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  const received = text(socket)
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
  await requested
  const stopped = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  // Uses the same connection, behind the request in flight.
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
  release()
  const answers = await received
  expect(answers).toMatch(/^HTTP\/1\.1 200 /)
  const second = answers.slice(answers.lastIndexOf('HTTP/1.1'))
  expect(second).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*"code":"unavailable"/)
  await stopped
})

test.each(['GET', 'POST'] as const)(
  'a %s that is not answered in time gets an answer that says when to try again',
  async (method) => {
    app = Fastify()
    installErrorHandler(app)
    answerInTime(app, 100)
    app.route({ method, url: '/never', handler: () => new Promise(() => undefined) })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const body = method === 'POST' ? { body: '{"a":1}', headers: { 'content-type': 'application/json' } } : {}
    const answer = await fetch(`${address}/never`, { method, ...body })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answer.json()).toMatchObject({ code: 'unavailable' })
  },
)

test('the time to answer counts from when the request is here whole', async () => {
  app = Fastify()
  installErrorHandler(app)
  answerInTime(app, 100)
  app.get('/never', () => new Promise(() => undefined))
  app.post('/slowly', async ({ body }) => body)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const received = text(socket)
  socket.write('POST /slowly HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n')
  socket.write('content-length: 7\r\n\r\n{"a"')
  // Two requests that are refused one after the other, so that the timer of the first is over.
  for (let turn = 0; turn < 2; turn += 1) expect((await fetch(`${address}/never`)).status).toBe(503)
  socket.write(':1}')
  expect(await received).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"a":1\}/)
})

test('a file that was begun in time leaves whole, however long that takes', async () => {
  app = Fastify()
  installErrorHandler(app)
  answerInTime(app, 100)
  const rest = Promise.withResolvers<string>()
  app.get('/never', () => new Promise(() => undefined))
  app.get('/file', (_request, reply) => reply.send(Readable.from(['begun, ', rest.promise])))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const file = await fetch(`${address}/file`)
  // Two requests that are refused one after the other, so that the timer of the first is over.
  for (let turn = 0; turn < 2; turn += 1) expect((await fetch(`${address}/never`)).status).toBe(503)
  rest.resolve('and whole')
  expect(await file.text()).toBe('begun, and whole')
})

test('long work is answered within the time that it sets itself, however long its connection is silent', async () => {
  app = Fastify({ connectionTimeout: 20_000 })
  installErrorHandler(app)
  answerInTime(app, 1)
  const work: Route = route({ ...heads.work, summary: 'Work', errors: [] })
  app.route({
    method: 'POST',
    url: '/work',
    config: { route: work },
    handler: ({ raw }) => new Promise((resolve) => setTimeout(() => resolve({ silentMs: raw.socket.timeout }), 50)),
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${address}/work`, { method: 'POST' })
  expect(await answer.json()).toEqual({ silentMs: 120_000 })
})
