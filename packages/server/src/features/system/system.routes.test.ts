import { errorCatalogue } from '@benchwatch/contract/errors'
import type { Route } from '@benchwatch/contract/route'
import { routes } from '@benchwatch/contract/routes'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../db/connect.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database, { environment: { BUILD_ENV: 'stage' } })
})
afterAll(() => app.close())

test('health shows that the process is up, its version and its environment', async () => {
  const { status, body } = await app.call('getHealth')
  expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', version: 'test', environment: 'stage' } })
})

test('pages may load pictures from the host of the street tiles, and from no other; from none where these are off', async () => {
  const pictures = async (tiles: string) => {
    const server = await testApp(database, { environment: { MAP_TILES_URL: tiles } })
    const { headers } = await server.app.http.inject('/api/health')
    await server.close()
    return /img-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]
  }
  expect(await pictures('')).toBe("'self' data: https://tile.openstreetmap.org")
  expect(await pictures('https://{s}.tile.example/{z}/{x}/{y}.png')).toBe("'self' data: https://*.tile.example")
  expect(await pictures('off')).toBe("'self' data:")
})

describe('ready', () => {
  test('when the database answers and its migrations are done', async () => {
    expect((await app.call('getReady')).body).toEqual({ status: 'ready', degraded: [] })
  })

  test('not while a migration is missing', async () => {
    const owner = new Client(database.owner)
    await owner.connect()
    const { rows } = await owner.query('DELETE FROM schema_migration RETURNING name, sha256, applied_at')
    try {
      await expect
        .poll(async () => (await app.call('getReady')).problem)
        .toMatchObject({
          status: 503,
          code: 'unavailable',
          detail: 'The database is being upgraded. Try again in a moment.',
        })
    } finally {
      for (const { name, sha256, applied_at } of rows) {
        await owner.query('INSERT INTO schema_migration VALUES ($1, $2, $3)', [name, sha256, applied_at])
      }
      await owner.end()
    }
    await expect.poll(async () => (await app.call('getReady')).status).toBe(200)
  })

  test('not while the database is read-only', async () => {
    const handle = await connectDatabase({ connection: database.owner, poolSize: 2 })
    const onIt = await testApp(handle)
    const owner = new Client(database.owner)
    await owner.connect()
    const { rows } = await owner.query<{ name: string }>('SELECT current_database() AS name')
    const begin = async (how: string) => {
      await owner.query(`ALTER DATABASE ${rows[0]?.name} ${how}`)
      await owner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
    }
    const ready = async () => {
      const { status, problem, headers } = await onIt.call('getReady')
      return [status, problem.detail, headers['retry-after']]
    }
    try {
      await begin('SET default_transaction_read_only = on')
      await expect.poll(ready).toEqual([503, 'The database is read-only. Try again in a moment.', '2'])
    } finally {
      await begin('RESET default_transaction_read_only')
    }
    await expect.poll(async () => (await ready())[0]).toBe(200)
    await owner.end()
    await onIt.close()
    await handle.close()
  })

  test('beside a newer release that has migrated the database already', async () => {
    const owner = new Client(database.owner)
    await owner.connect()
    await owner.query("INSERT INTO schema_migration VALUES ('9999_later.sql', 'x', now())")
    // A server of its own, because answers are kept for a second.
    const handle = await connectDatabase({ connection: database.owner, poolSize: 2 })
    const older = await testApp(handle)
    try {
      expect((await older.call('getReady')).status).toBe(200)
    } finally {
      await owner.query("DELETE FROM schema_migration WHERE name = '9999_later.sql'")
      await owner.end()
      await older.close()
      await handle.close()
    }
  })

  test('not without a database, while the process is still up', async () => {
    const handle = await connectDatabase({ connection: database.owner, poolSize: 2 })
    const cut = await testApp(handle)
    await handle.pool.end()
    expect((await cut.call('getReady')).problem).toMatchObject({ status: 503, code: 'unavailable' })
    expect((await cut.call('getHealth')).status).toBe(200)
    await cut.close()
  })
})

describe('openapi.json', () => {
  interface Operation {
    operationId: string
    summary: string
    security?: object[]
    parameters?: { name: string; in: string; required?: boolean; schema: object }[]
    requestBody?: { required: boolean; content: Record<string, { schema: object }> }
    responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
  }
  let document: {
    openapi: string
    info: object
    paths: Record<string, Record<string, Operation>>
    components: { schemas: object; securitySchemes: object }
  }

  beforeAll(async () => {
    const response = await app.app.http.inject({ url: '/api/openapi.json' })
    expect(response.statusCode).toBe(200)
    document = response.json()
  })

  const everyRoute = Object.entries<Route>(routes)

  test('is public and names product and version', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Benchwatch API', version: 'test' } })
  })

  test('describes the routes of the contract, itself and the live connection, and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    )
    const declared = everyRoute.map(
      ([name, { method, path }]) => `${name} ${method} /api${path.replace(/:(\w+)/g, '{$1}').replace('*', '{key}')}`,
    )
    const others = ['getApiDescription GET /api/openapi.json', 'openLive GET /api/live']
    expect(described.sort()).toEqual([...declared, ...others].sort())
  })

  test('is what the server has registered', () => {
    const declared = everyRoute.map(([, { method, path }]) => `${method} /api${path}`)
    const others = ['GET /api/openapi.json', 'GET /api/live']
    expect(registeredRoutes().toSorted()).toEqual([...declared, ...others].toSorted())
  })

  const securityOf = {
    public: [],
    'signed-in': undefined,
    gateway: [{ gatewayKey: [] }],
    cases: [{ bearer: [] }, { apiToken: [] }],
    registry: [{ bearer: [] }, { apiToken: [] }],
    'kpi-embed': [{ kpiEmbed: [] }],
    outbox: [{}, { bearer: [] }],
  }

  test.each(everyRoute)('%s describes its access, parameters, answers and errors', (_name, route) => {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}').replace('*', '{key}')}`
    const operation = document.paths[path]?.[route.method.toLowerCase()] as Operation
    expect(operation.summary).toBe(route.summary)
    expect(operation.security).toEqual(securityOf[route.access.kind])
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const pathParameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
    expect(pathParameters.map(({ name }) => name)).toEqual(inPath)
    expect(pathParameters.every(({ required }) => required)).toBe(true)
    const bodyTypes = route.body && (route.bodyTypes ?? ['application/json'])
    expect(operation.requestBody && Object.keys(operation.requestBody.content)).toEqual(bodyTypes)
    for (const status of route.success ?? [200]) {
      const content = operation.responses[status]?.content
      const answerTypes = route.answerType ? [route.answerType] : route.answer && ['application/json']
      expect(content && Object.keys(content)).toEqual(answerTypes)
    }
    for (const code of route.errors) {
      const answer = operation.responses[errorCatalogue[code].status]
      expect(answer?.description).toContain(code)
      expect(answer?.content).toEqual({
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      })
    }
  })

  test('says that refresh and sign-out need no body, and sign-in does', () => {
    const required = (path: string) => document.paths[path]?.['post']?.requestBody?.required
    expect(['refresh', 'sign-out', 'sign-in'].map((name) => required(`/api/auth/${name}`))).toEqual([
      false,
      false,
      true,
    ])
  })

  test('resolves every reference that it makes', () => {
    const references = new Set<string>()
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string') references.add(value)
      return value
    })
    for (const reference of references) {
      const target = reference
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((place, step) => (place as Record<string, unknown> | undefined)?.[step], document)
      expect(target, reference).toBeTypeOf('object')
    }
  })
})

/** Returns method and path of all routes below /api, from the router's own listing. */
function registeredRoutes(): string[] {
  const above: string[] = []
  return app.app.http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((row) => {
      const [, branch = '', piece = '', methods = ''] = /^(\W*[├└]── )(\S+) \((.+)\)$/.exec(row) ?? []
      const depth = branch.length / 4
      const path = (depth > 1 ? (above[depth - 1] ?? '') : '') + piece
      above[depth] = path
      // HEAD routes come with GET.
      const written = methods.split(', ').filter((method) => method !== 'HEAD')
      return path.startsWith('/api/') ? written.map((method) => `${method} ${path.replace(/\/?\*$/, '/*')}`) : []
    })
}
