import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errorCatalogue } from './errors.ts'
import { paths } from './paths.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

const table: [string, Route][] = Object.entries(routes)

describe('the route table', () => {
  it('names every path of paths.ts exactly once, with the same method and path', () => {
    expect(Object.keys(routes).sort()).toEqual(Object.keys(paths).sort())
    for (const [name, route] of table) expect(route).toMatchObject(paths[name as keyof typeof paths])
    const heads = table.map(([, route]) => `${route.method} ${route.path}`)
    expect(new Set(heads).size).toBe(heads.length)
  })

  it.each(table)('%s declares its access and only errors of the catalogue', (_name, route) => {
    expect(route.access.kind).toBeTruthy()
    for (const code of route.errors) expect(errorCatalogue).toHaveProperty(code)
  })

  it('has the back office behind its flag, for everybody but customers', () => {
    const below = table.filter(([, { path }]) => path.startsWith('/backoffice/'))
    expect(below.length).toBeGreaterThan(10)
    for (const [name, { access }] of below)
      expect([name, access]).toMatchObject([
        name,
        { kind: 'signed-in', roles: ['service', 'support', 'admin'], flags: ['BACKOFFICE'] },
      ])
  })

  it.each([
    ['deleteInstrument', 'DELETE', '/instruments/:id', 'ALLOW_ASSET_DELETE'],
    ['deleteServiceEvent', 'DELETE', '/alarms/:id', 'ALLOW_EVENT_DELETE'],
    ['deleteLogEntry', 'DELETE', '/instrument-logs/:id', 'ALLOW_LOG_DELETE'],
    ['deleteProfile', 'DELETE', '/profiles/:id', 'ALLOW_PROFILE_DELETE'],
    ['deleteUser', 'DELETE', '/users/:id', 'ALLOW_USER_DELETE'],
  ] as const)('%s is for support and admin behind its flag, and answers 204', (name, method, path, flag) => {
    const access = { kind: 'signed-in', roles: ['support', 'admin'], flags: [flag] }
    expect(routes[name]).toMatchObject({ method, path, access, success: [204] })
  })

  it('takes no NUL in any text of a path, a query or a body: the database refuses it', () => {
    const taken = table.flatMap(([name, route]) =>
      [route.params, route.query, route.body].flatMap((schema) =>
        Object.entries(schema && 'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {})
          .filter(([, field]) => JSON.stringify(field.safeParse('a\u0000b').data ?? null).includes('\\u0000'))
          .map(([field]) => `${name}: ${field}`),
      ),
    )
    // Secrets are never queried as sent, only by their hash; sign-in answers a NUL like any other wrong value.
    const compared = /: (token|code|\w*[pP]assword)$/
    const isOfSignIn = (name: string) => routes[name.split(':')[0] as keyof typeof routes].path.startsWith('/auth/')
    expect(taken.filter((name) => !compared.test(name) && !isOfSignIn(name))).toEqual([])
  })

  it('retries a 504 only for what may be repeated: reads, and PUT /alarms', () => {
    const once = table.filter(([, { method, retry }]) => method === 'GET' && retry !== true).map(([name]) => name)
    // Routes that browsers navigate to; the console itself never calls them.
    expect(once.sort()).toEqual(['finishOidc', 'openUnsubscribePage', 'startOidc'])
    const retried = table.filter(([, route]) => route.retry && route.method !== 'GET').map(([name]) => name)
    expect(retried.sort()).toEqual(['updateServiceEvent'])
  })

  it.each([
    ...['POST /instruments', 'GET /instruments/families', 'GET /instruments/{id}'],
    ...['POST /instruments/instrument-statuses', 'GET /instruments/linked-clients'],
    ...['GET /instruments/edge-gateway/{id}', 'GET /instruments/unsubscriptions', 'GET /instruments/components/{id}'],
    ...['GET /instruments/daily-runtimes/{id}', 'POST /maintenance'],
    ...['GET /alarms/frequent-events', 'GET /alarms/recent-events', 'GET /kpi/urls', 'GET /kpi/{id}'],
    ...['GET /unsubscribe', 'POST /unsubscribe', 'GET /profiles', 'PUT /profiles/{id}', 'POST /export'],
    ...['GET /users/me/features', 'POST /backoffice/event', 'PUT /backoffice/instrument-status'],
    ...['GET /backoffice/instrument-status', 'POST /backoffice/inject-logs', 'DELETE /backoffice/unsubscription/{id}'],
    ...['GET /backoffice/unsubscriptions', 'GET /backoffice/customer-emails', 'POST /backoffice/unicorn-pc-names'],
  ])('has %s, as the specification of instruments and support names it', (call) => {
    expect(table.map(([, route]) => `${route.method} ${shown(route.path)}`)).toContain(call)
  })

  it('pages every list by 20 from its beginning, unless asked', () => {
    const paged = table.filter(([, { query }]) => query instanceof z.ZodObject && 'limit' in query.shape)
    expect(paged.map(([name]) => name)).toEqual(expect.arrayContaining(['listInstruments', 'listServiceEvents']))
    for (const [name, { query }] of paged) {
      const { limit, offset } = (query as z.ZodObject).shape as Record<string, z.ZodType>
      expect([name, limit?.parse(undefined), offset?.parse(undefined)]).toEqual([name, 20, 0])
    }
  })

  it.each(table)('refuses parameters and fields that %s does not know', (name, route) => {
    // OpenID providers may add parameters of their own.
    const query = name === 'finishOidc' ? undefined : route.query
    expect([...open(query, 'query'), ...open(route.body, 'body')]).toEqual([])
  })
})

function shown(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('*', '{key}')
}

/** Lists the places where a schema accepts unknown fields. */
function open(schema: unknown, path: string): string[] {
  if (schema instanceof z.ZodObject) {
    const isStrict = schema.def.catchall instanceof z.ZodNever
    const inner = Object.entries(schema.shape).flatMap(([name, field]) => open(field, `${path}.${name}`))
    return isStrict ? inner : [path, ...inner]
  }
  if (schema instanceof z.ZodArray) return open(schema.element, `${path}[]`)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => open(option, path))
  if (schema instanceof z.ZodPipe) return open(schema.in, path)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return open(schema.unwrap(), path)
  }
  return []
}
