import { type Route, route } from '@benchwatch/contract/route'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { installErrorHandler } from './error-handler.ts'
import { shedLoad } from './load-shedding.ts'

const heads = {
  list: { method: 'POST', path: '/list', access: { kind: 'signed-in' } },
  change: { method: 'PUT', path: '/change', access: { kind: 'signed-in' } },
  health: { method: 'GET', path: '/health', access: { kind: 'public' } },
  ingest: { method: 'POST', path: '/ingest', access: { kind: 'gateway' } },
} as const

let app: FastifyInstance
afterEach(() => app.close())

/** A server with room for two reads and three in all, whose answers wait for \`release\`. */
function held() {
  let release = () => {}
  const wait = new Promise<void>((resolve) => {
    release = resolve
  })
  app = Fastify()
  installErrorHandler(app)
  shedLoad(app, { reads: 2, all: 3 })
  for (const head of Object.values(heads)) {
    const declared: Route = route({ ...head, summary: head.path, errors: [] })
    app.route({
      method: head.method,
      url: head.path,
      config: { route: declared },
      handler: () => wait.then(() => ({})),
    })
  }
  const ask = (name: keyof typeof heads) =>
    app.inject({ method: heads[name].method, url: heads[name].path }).then(({ statusCode, headers, body }) => ({
      status: statusCode,
      retryAfter: headers['retry-after'],
      body,
    }))
  return { ask, release }
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

test('makes room again when answers have left', async () => {
  const { ask, release } = held()
  const first = [ask('list'), ask('list')]
  expect((await ask('list')).status).toBe(503)
  release()
  await Promise.all(first)
  expect((await ask('list')).status).toBe(200)
})
