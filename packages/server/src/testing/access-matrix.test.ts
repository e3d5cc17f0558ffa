import { readFileSync } from 'node:fs'
import { commonErrors } from '@benchwatch/contract/errors'
import { paths, type RouteName } from '@benchwatch/contract/paths'
import type { Route } from '@benchwatch/contract/route'
import { routes } from '@benchwatch/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, callerNames, newCaller, type RawAnswer } from './access-callers.ts'
import { requestOf } from './access-requests.ts'
import { type AccessWorld, buildAccessWorld, tellsOf } from './access-world.ts'
import { type TestApp, testApp } from './test-app.ts'
import { testDatabase } from './test-database.ts'

let app: TestApp
let world: AccessWorld

beforeAll(async () => {
  // The demo's transports take messages, so that codes can be read; no demo data are made.
  app = await testApp(await testDatabase(), { environment: { DEMO: 'on' } })
  world = await buildAccessWorld(app)
})
afterAll(() => app.close())

/** What docs/access.md says: the status for each caller in the order of `callerNames`, by method and path. */
const told = new Map(
  [
    ...readFileSync(new URL('../../../../docs/access.md', import.meta.url), 'utf8').matchAll(
      /^\| `(GET|POST|PUT|DELETE)` \| `([^`]+)` \|([\d |]+)\|$/gm,
    ),
  ].map(([, method, path, cells]) => [`${method} ${path}`, cells?.split('|').map((cell) => Number(cell.trim())) ?? []]),
)
const names = Object.keys(paths) as RouteName[]
const rowOf = (name: RouteName) =>
  `${paths[name].method} ${paths[name].path.replace(/:(\w+)/g, '{$1}').replace('*', '{key}')}`

describe('docs/access.md', () => {
  test('has the callers of this test as its columns', () => {
    const page = readFileSync(new URL('../../../../docs/access.md', import.meta.url), 'utf8')
    expect(page).toContain(`| method | path | ${callerNames.join(' | ')} |`)
  })

  test('lists every route of the contract once, and nothing else', () => {
    expect([...told.keys()].sort()).toEqual(names.map(rowOf).sort())
    for (const [row, cells] of told) expect([row, cells.length]).toEqual([row, callerNames.length])
  })
})

describe('every caller is answered as docs/access.md says, and only the entitled get a byte of customer A', () => {
  test.each(names.map((name) => [rowOf(name), name] as const))('%s', async (row, name) => {
    const answers: RawAnswer[] = []
    for (const callerName of callerNames) {
      const caller = await newCaller(app, world, callerName)
      const request = await requestOf(name, { app, world, caller })
      const answer = await ask(app, name, { ...request, headers: { ...caller.headers, ...request.headers } })
      answers.push(answer)
      expect([callerName, undeclared(name, answer)]).toEqual([callerName, undefined])
      if (!entitled.has(callerName) && !toldByLink.has(name))
        expect([callerName, tellsOf(world.a, answer.bytes)]).toEqual([callerName, []])
    }
    expect(answers.map(({ status }) => status)).toEqual(told.get(row))
  })
})

const entitled = new Set(['customer A', 'service', 'support', 'admin', 'API token', 'gateway of A'])
/** The link in a mail is all that it takes to be told what it is about. */
const toldByLink = new Set<RouteName>(['getUnsubscribeInformation'])

/** An answer that the contract does not announce: another success, or an error that the route does not name. */
function undeclared(name: RouteName, { status, body }: RawAnswer): string | undefined {
  const route: Route = routes[name]
  if (status < 400) return (route.success ?? [200]).includes(status) ? undefined : `success ${status}`
  const { code } = body as { code: string }
  return [...route.errors, ...commonErrors].includes(code as never) ? undefined : `error ${code}`
}
