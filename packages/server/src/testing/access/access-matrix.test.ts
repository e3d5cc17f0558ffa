import { readFileSync } from 'node:fs'
import { commonErrors } from '@benchwatch/contract/errors'
import { paths, type RouteName } from '@benchwatch/contract/paths'
import type { Route } from '@benchwatch/contract/route'
import { routes } from '@benchwatch/contract/routes'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type TestApp, testApp } from '../test-app.ts'
import { testDatabase } from '../test-database.ts'
import { ask, type CallerName, callerNames, newCaller, type RawAnswer } from './access-callers.ts'
import { type AccessFixture, buildAccessFixture, tellsOf } from './access-fixture.ts'
import { requestOf } from './access-requests.ts'

let app: TestApp
let fixture: AccessFixture

beforeAll(async () => {
  // The demo's transports store messages, so that codes can be read; no demo data are created.
  app = await testApp(await testDatabase(), { environment: { DEMO: 'on' } })
  fixture = await buildAccessFixture(app)
})
afterAll(() => app.close())

/** Method, path and status for each caller; docs/access.md explains them. */
const [heading, ...rows] = readFileSync(new URL('access-matrix.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))
const expected = new Map(rows.map(([method, path, ...statuses]) => [`${method} ${path}`, statuses.map(Number)]))
const names = Object.keys(paths) as RouteName[]
const rowOf = (name: RouteName) =>
  `${paths[name].method} ${paths[name].path.replace(/:(\w+)/g, '{$1}').replace('*', '{key}')}`

/**
 * Returns who asks for a route. On the second server of a run only one of each kind does, of those who are answered:
 * who is refused does not depend on the server.
 */
function callersOf(name: RouteName): readonly CallerName[] {
  if (!inject('isSecondServer')) return callerNames
  const statuses = expected.get(rowOf(name)) ?? []
  const answered = callerNames.filter((_, index) => (statuses[index] ?? 400) < 400)
  const kinds = answered.filter((caller) => ['customer A', 'admin', 'API token', 'gateway of A'].includes(caller))
  return kinds.length > 0 ? kinds : [answered[0] ?? 'admin']
}

describe('access-matrix.tsv', () => {
  test('has the callers of this test as its columns', () => {
    expect(heading).toEqual(['method', 'path', ...callerNames])
  })

  test('lists every route of the contract once, and nothing else', () => {
    expect(rows.map(([method, path]) => `${method} ${path}`).sort()).toEqual(names.map(rowOf).sort())
    for (const row of rows) expect([row, row.length]).toEqual([row, heading?.length])
  })
})

describe('every caller is answered as access-matrix.tsv says, and only the entitled get a byte of customer A', () => {
  test.each(names.map((name) => [rowOf(name), name] as const))('%s', async (row, name) => {
    const callers = callersOf(name)
    const answers: Record<string, number> = {}
    for (const callerName of callers) {
      const caller = await newCaller(app, fixture, callerName)
      const request = await requestOf(name, { app, fixture, caller })
      const answer = await ask(app, name, { ...request, headers: { ...caller.headers, ...request.headers } })
      answers[callerName] = answer.status
      expect([callerName, undeclared(name, answer)]).toEqual([callerName, undefined])
      if (!entitled.has(callerName) && !toldToAll.has(name))
        expect([callerName, tellsOf(fixture.a, answer.bytes)]).toEqual([callerName, []])
    }
    expect(answers).toEqual(
      Object.fromEntries(callers.map((caller) => [caller, expected.get(row)?.[callerNames.indexOf(caller)]])),
    )
  })
})

const entitled = new Set(['customer A', 'service', 'support', 'admin', 'API token', 'gateway of A'])
/** Routes for which the link in a mail is sufficient, and the types of instruments, which are no customer's data. */
const toldToAll = new Set<RouteName>(['getUnsubscribeInformation', 'listInstrumentTypes'])

/**
 * Describes an answer that the contract does not declare: another success status, or an error that the route does not
 * list.
 */
function undeclared(name: RouteName, { status, body }: RawAnswer): string | undefined {
  const route: Route = routes[name]
  if (status < 400) return (route.success ?? [200]).includes(status) ? undefined : `success ${status}`
  const { code } = body as { code: string }
  return [...route.errors, ...commonErrors].includes(code as never) ? undefined : `error ${code}`
}
