import { describe, expect, test } from 'vitest'
import { rules } from '../../architecture.rules.mjs'
import { checkArchitecture } from './check.ts'
import { readProject } from './project.ts'
import type { ArchitectureRules } from './rules.ts'

/** The smallest project that follows every rule; each test adds one violation. */
const sound = {
  'packages/contract/src/vocabulary.ts': 'export const words = 1\n',
  'packages/contract/src/events.ts': "import { words } from './vocabulary.ts'\nexport const events = words\n",
  'packages/server/src/platform/log.ts': 'export const log = 1\n',
  'packages/server/src/db/scoped.ts': "export const all = (db) => db.selectFrom('service_event as e')\n",
  'packages/server/src/features/events/status.ts':
    "import { log } from '../../platform/log.ts'\nexport const s = log\n",
  'packages/web/src/lib/time/dates.ts': 'export const d = 1\n',
  'packages/web/src/features/events/age.ts': "import { d } from '../../lib/time/dates.ts'\nexport const age = d\n",
}

function messages(planted: Record<string, string>, own: ArchitectureRules = rules): string[] {
  const project = readProject(new Map(Object.entries({ ...sound, ...planted })))
  return checkArchitecture(project, own).violations.map(({ file, line, message }) => `${file}:${line} ${message}`)
}

const server = 'packages/server/src'
const web = 'packages/web/src'

test('a sound project has modules, imports and no violation', () => {
  const report = checkArchitecture(readProject(new Map(Object.entries(sound))), rules)
  expect(report).toEqual({ modules: 7, imports: 3, violations: [] })
})

describe('arrows between workspaces', () => {
  test('the web app may not import the server, not even a type', () => {
    expect(
      messages({
        [`${web}/lib/x.ts`]: "import type { log } from '../../../server/src/platform/log.ts'\nexport type X = log\n",
      }),
    ).toEqual([`${web}/lib/x.ts:1 imports ../../../server/src/platform/log.ts: web may not import server`])
  })

  test('the server may not import the web app', () => {
    expect(
      messages({
        [`${server}/platform/x.ts`]: "import { d } from '@benchwatch/web/lib/time/dates'\nexport const x = d\n",
      }),
    ).toEqual([`${server}/platform/x.ts:1 imports @benchwatch/web/lib/time/dates: server may not import web`])
  })

  test.each([
    ['import', "import { events } from '@benchwatch/contract/events'\nexport const x = events\n"],
    ['re-export', "export { events } from '@benchwatch/contract/events'\nexport const y = 1\n"],
    ['dynamic import', "export const x = () => import('@benchwatch/contract/events')\n"],
    [
      'import of nothing but types without `import type`',
      "import { type events } from '@benchwatch/contract/events'\nexport type X = events\n",
    ],
  ])('a schema of the contract does not reach the browser by %s', (_, source) => {
    expect(messages({ [`${web}/lib/x.ts`]: source })).toEqual([
      expect.stringContaining(`${web}/lib/x.ts:1 imports @benchwatch/contract/events at run time`),
    ])
  })

  test('the web app takes types from the whole contract, and the vocabulary at run time', () => {
    expect(
      messages({
        [`${web}/lib/x.ts`]:
          "import type { events } from '@benchwatch/contract/events'\nimport { words } from '@benchwatch/contract/vocabulary'\nexport const x: events = words\nexport type Y = import('@benchwatch/contract/events').events\n",
      }),
    ).toEqual([])
  })

  test('zod stays out of the web app', () => {
    expect(messages({ [`${web}/lib/x.ts`]: "import { z } from 'zod'\nexport const x = z\n" })).toEqual([
      expect.stringContaining(`${web}/lib/x.ts:1 imports zod`),
    ])
  })

  test('the running server uses no samples, its tests do', () => {
    const samples = { 'packages/samples/src/fleet.ts': 'export const fleet = 1\n' }
    const source = "import { fleet } from '@benchwatch/samples/fleet'\nexport const x = fleet\n"
    expect(messages({ ...samples, [`${server}/platform/x.ts`]: source })).toHaveLength(1)
    expect(messages({ ...samples, [`${server}/platform/x.test.ts`]: source })).toEqual([])
  })
})

describe('levels', () => {
  test('nothing imports upward', () => {
    expect(
      messages({
        [`${server}/platform/x.ts`]: "import { s } from '../features/events/status.ts'\nexport const x = s\n",
      }),
    ).toEqual([
      `${server}/platform/x.ts:1 imports ../features/events/status.ts: the level platform may not import the level features`,
    ])
    expect(
      messages({
        [`${web}/ui/x.tsx`]: "import { age } from '../features/events/age.ts'\nexport const x = age\n",
      }),
    ).toEqual([`${web}/ui/x.tsx:1 imports ../features/events/age.ts: the level ui may not import the level features`])
  })

  test('a feature knows the configuration as a type only', () => {
    const config = { [`${server}/config.ts`]: 'export const readConfig = 1\n' }
    const file = `${server}/features/events/x.ts`
    expect(
      messages({
        ...config,
        [file]: "import type { readConfig } from '../../config.ts'\nexport type X = readConfig\n",
      }),
    ).toEqual([])
    expect(
      messages({ ...config, [file]: "import { readConfig } from '../../config.ts'\nexport const x = readConfig\n" }),
    ).toHaveLength(1)
  })

  test('a file that stands in no level is a violation', () => {
    expect(messages({ [`${server}/services/x.ts`]: 'export const x = 1\n' })).toEqual([
      expect.stringContaining(`${server}/services/x.ts:1 is in no level of server`),
    ])
  })

  test('only tests import what tests are started with, and nothing imports a test', () => {
    const testing = {
      [`${server}/testing/test-app.ts`]: 'export const app = 1\n',
      [`${server}/db/a.test.ts`]: 'export const a = 1\n',
    }
    expect(
      messages({
        ...testing,
        [`${server}/db/x.ts`]: "import { app } from '../testing/test-app.ts'\nexport const x = app\n",
      }),
    ).toHaveLength(1)
    expect(
      messages({ ...testing, [`${server}/db/x.ts`]: "import { a } from './a.test.ts'\nexport const x = a\n" }),
    ).toEqual([`${server}/db/x.ts:1 imports the test file ${server}/db/a.test.ts`])
  })
})

describe('features', () => {
  const people = {
    'packages/contract/src/people.ts': 'export const people = 1\n',
    [`${server}/features/people/people.lookup.ts`]: 'export const find = 1\n',
    [`${server}/features/people/people.service.ts`]: 'export const save = 1\n',
    [`${web}/features/people/people.api.ts`]: 'export const api = 1\n',
  }
  const file = `${server}/features/events/x.ts`
  const asking = { [file]: "import { find } from '../people/people.lookup.ts'\nexport const x = find\n" }
  const commanding = { [file]: "import { save } from '../people/people.service.ts'\nexport const x = save\n" }
  const withArrow = (files?: string[]): ArchitectureRules => {
    const level = rules.levels.server
    if (!level) throw new Error('the server has levels')
    const arrow = { from: 'events', to: 'people', why: 'test', ...(files && { files }) }
    return {
      ...rules,
      levels: { ...rules.levels, server: { ...level, features: { ...level.features, arrows: [arrow] } } },
    }
  }

  test('an arrow between features must be named', () => {
    expect(messages({ ...people, ...asking })).toEqual([
      `${file}:1 imports ../people/people.lookup.ts: architecture.arrows.mjs lists no arrow from events to people`,
    ])
    expect(messages({ ...people, ...asking }, withArrow())).toEqual([])
  })

  test('a named arrow leads only through the door', () => {
    expect(messages({ ...people, ...commanding }, withArrow())).toEqual([
      expect.stringContaining('only through its entry point (*.lookup.ts)'),
    ])
    expect(messages({ ...people, ...commanding }, withArrow(['people.service.ts']))).toEqual([])
  })

  test.each(['server', 'web'])('the arrows between the features of the %s go round in no circle', (workspace) => {
    const arrows = rules.levels[workspace]?.features.arrows ?? []
    const left = new Set(arrows.flatMap(({ from, to }) => [from, to]))
    for (let size = -1; size !== left.size; ) {
      size = left.size
      for (const name of left) if (!arrows.some(({ from, to }) => from === name && left.has(to))) left.delete(name)
    }
    expect([...left]).toEqual([])
  })

  test('contract, server and web name the same features', () => {
    expect(messages({ [`${server}/features/stars/stars.queries.ts`]: 'export const stars = 1\n' })).toEqual([
      expect.stringContaining('belongs to the feature "stars", which contract does not have'),
    ])
    expect(messages({ 'packages/contract/src/stars.ts': 'export const stars = 1\n' })).toEqual([
      expect.stringContaining('which server does not have'),
      expect.stringContaining('which web does not have'),
    ])
  })
})

describe('files', () => {
  test('an import cycle is found, also when only types close it', () => {
    expect(
      messages({
        [`${web}/lib/a.ts`]: "import { b } from './b.ts'\nexport const a = b\n",
        [`${web}/lib/b.ts`]: "import { c } from './c.ts'\nexport const b = c\n",
        [`${web}/lib/c.ts`]: "import type { a } from './a.ts'\nexport const c: typeof a = 1\n",
      }),
    ).toEqual([
      `${web}/lib/a.ts:1 is part of an import cycle (type imports count): ${web}/lib/a.ts → ${web}/lib/b.ts → ${web}/lib/c.ts → ${web}/lib/a.ts`,
    ])
  })

  test('barrels are refused, with a star or by name', () => {
    expect(messages({ [`${web}/lib/x.ts`]: "export * from './time/dates.ts'\n" })).toHaveLength(1)
    expect(messages({ [`${web}/lib/x.ts`]: "export { d } from './time/dates.ts'\n" })).toHaveLength(1)
    expect(messages({ [`${web}/lib/index.ts`]: 'export const x = 1\n' })).toEqual([
      expect.stringContaining('is named index'),
    ])
  })

  test.each(['date-utils.ts', 'helpers.ts', 'session-manager.ts', 'types.ts', 'DateRange.tsx', 'dateRange.ts'])(
    'the name %s is refused',
    (name) => {
      expect(messages({ [`${web}/lib/${name}`]: 'export const x = 1\n' })).toHaveLength(1)
    },
  )

  test('a default export is refused outside of configuration files', () => {
    expect(messages({ [`${web}/lib/x.ts`]: 'export default 1\n' })).toHaveLength(1)
    expect(messages({ 'packages/web/vite.config.ts': 'export default {}\n' })).toEqual([])
  })

  test('a suppression carries its reason, and the compiler is never switched off', () => {
    const of = (comment: string) => messages({ [`${web}/lib/x.ts`]: `${comment}\nexport const x = 1\n` })
    expect(of('// oxlint-disable-next-line no-console')).toEqual([expect.stringContaining('without its reason')])
    expect(of('/* oxlint-disable no-console -- the console is what it writes to */')).toEqual([])
    expect(of('// biome-ignore format: the table stays aligned')).toEqual([])
    expect(of('// biome-ignore format')).toHaveLength(1)
    expect(of('// @ts-expect-error -- a reason does not help')).toEqual([expect.stringContaining('fix the type')])
    expect(of('// a sentence that speaks of oxlint-disable')).toEqual([])
  })

  test('an import that leads nowhere is found', () => {
    expect(messages({ [`${web}/lib/x.ts`]: "import { y } from './y.ts'\nexport const x = y\n" })).toEqual([
      `${web}/lib/x.ts:1 imports ./y.ts, which does not exist`,
    ])
  })

  test.each([
    'export const x = process.env.PORT',
    'const { env } = process\nexport const x = env',
    "import { env } from 'node:process'\nexport const x = env",
    "export const x = process['env']",
  ])('the environment is read only by the configuration: %s', (source) => {
    expect(messages({ [`${server}/db/x.ts`]: `${source}\n` })).toEqual([expect.stringContaining('reads process.env')])
    expect(messages({ [`${server}/config.ts`]: `${source}\n` })).toEqual([])
  })
})

describe('the database', () => {
  const feature = `${server}/features/events`

  test('only files of a database role import the query builder or the table types', () => {
    const schema = { [`${server}/db/schema/events.ts`]: 'export const columns = 1\n' }
    const builder = "import { sql } from 'kysely'\nexport const x = sql\n"
    const types = "import type { columns } from '../../db/schema/events.ts'\nexport type X = columns\n"
    expect(messages({ ...schema, [`${feature}/x.routes.ts`]: builder })).toHaveLength(1)
    expect(messages({ ...schema, [`${feature}/x.service.ts`]: types })).toHaveLength(1)
    expect(
      messages({
        ...schema,
        [`${feature}/x.queries.ts`]: builder,
        [`${feature}/y.store.ts`]: types,
        [`${feature}/condition.ts`]: builder,
      }),
    ).toEqual([])
  })

  test.each([
    ['the builder', "db.selectFrom('service_event as e')"],
    ['the builder with a list', "db.selectFrom(['site', 'log_entry as l'])"],
    ['an update', "db.updateTable('instrument')"],
    ['a delete', "db.deleteFrom('log_entry')"],
    ['a template', 'sql`select 1 from service_event e where e.id = ${db}`'],
    ['a typed template', 'sql<number>`select 1 FROM ONLY "instrument"`'],
    ['the second table of a list', 'sql`select 1 from site s, instrument i`'],
    ['a subselect', 'sql`exists (select 1 from log_entry l where l.id = ${db})`'],
    ['a plain string', "db.query('SELECT id FROM service_event')"],
    ['a table as an expression', "sql`select 1 from ${sql.table('instrument')}`"],
  ])('a table that belongs to a customer is not read past the scope by %s', (_, expression) => {
    expect(messages({ [`${feature}/x.queries.ts`]: `export const x = (db, sql) => ${expression}\n` })).toEqual([
      expect.stringContaining('bypasses the data scope'),
    ])
  })

  test('a join needs its own permission, which does not allow a FROM', () => {
    const file = `${feature}/x.queries.ts`
    const join = { [file]: "export const x = (all) => all.innerJoin('instrument as i', 'i.id', 'e.instrument_id')\n" }
    expect(messages(join)).toEqual([expect.stringContaining('joins instrument')])
    const grant = { files: /x\.queries\.ts$/, tables: ['instrument'], form: 'join' as const, why: 'test' }
    const own = { ...rules, scopedTables: { ...rules.scopedTables, allowed: [grant, ...rules.scopedTables.allowed] } }
    expect(messages(join, own)).toEqual([])
    expect(messages({ [file]: "export const x = (db) => db.selectFrom('instrument')\n" }, own)).toHaveLength(1)
  })

  test('a sentence that mentions an instrument is not a query', () => {
    expect(messages({ [`${feature}/x.ts`]: "export const x = 'No reading came from instrument 7.'\n" })).toEqual([])
  })
})
