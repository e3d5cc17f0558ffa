import type { EventFilter, ServiceEvent } from '@benchwatch/contract/events/events'
import { eventFilterCategories, excluding, instrumentStatuses } from '@benchwatch/contract/vocabulary'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildEventFixture, type EventFixture } from '../../../testing/event-fixture.ts'
import {
  type PlainEvent,
  plainMatches,
  plainOrder,
  plainTotals,
  plainValueOf,
} from '../../../testing/plain/plain-search.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { readServiceEvents } from '../events.queries.ts'
import { listServiceEvents } from './event-list.queries.ts'
import type { EventQuery } from './filters.queries.ts'
import { postgresSearch } from './postgres-search.ts'

const now = TEST_NOW
let database: TestDatabase
let fixture: EventFixture
let all: PlainEvent<ServiceEvent>[]

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  fixture = await buildEventFixture(db, { events: 240, now })
  const events = await readServiceEvents(db, { ids: fixture.eventIds, scope: 'all' })
  const rows = await db.selectFrom('service_event').select(['id', 'customer_id', 'last_action_at']).execute()
  all = events.map((alarm) => {
    const row = rows.find(({ id }) => String(id) === alarm.id)
    if (!row) throw new Error(`There is no event ${alarm.id}.`)
    return { alarm, customerId: row.customer_id, lastActionAt: row.last_action_at }
  })
})

interface Asked {
  filter?: EventFilter
  keyword?: string
  start?: Date
  stop?: Date
  positions?: [number, number][]
  flags?: EventQuery['flags']
  scope?: 'all' | number[]
}

/** Compares everything the list finds, page by page, and its totals with a plain computation over all events. */
async function compare({ scope = 'all', ...asked }: Asked): Promise<number> {
  const search: EventQuery = { filter: {}, ...asked }
  const wanted = { search, scope, now }
  const expected = all.filter((event) => plainMatches(event, wanted)).map(({ alarm }) => alarm)
  const found: string[] = []
  const page = { orderBy: 'createdAt', order: 'DESC', limit: 200 } as const
  for (let offset = 0; offset === 0 || found.length === offset; offset += 200) {
    const answer = await listServiceEvents(
      { db: database.db, eventSearch: postgresSearch },
      { ...wanted, page: { ...page, offset } },
    )
    expect(answer.total).toEqual(plainTotals(all, wanted))
    found.push(...answer.values.map(({ alarm }) => alarm.id))
  }
  expect(found).toEqual(plainOrder(expected, page))
  return expected.length
}

describe('the world of this test', () => {
  test('has what makes searching hard', () => {
    expect(all).toHaveLength(240)
    const alarms = all.map(({ alarm }) => alarm)
    expect(alarms.some(({ isEdgeIssue, instrumentId }) => isEdgeIssue && instrumentId === null)).toBe(true)
    expect(
      alarms.some(({ instrumentId, instrumentStatus }) => instrumentId !== null && instrumentStatus === null),
    ).toBe(true)
    expect(new Set(alarms.map(({ createdAt }) => createdAt)).size).toBeLessThan(240)
  })
})

describe('a filter finds what a plain look at all events finds', () => {
  test.each(eventFilterCategories.map(({ key }) => key))('by %s, ignoring case', async (category) => {
    const [first, second = 'nothing else'] = new Set(
      all.flatMap(({ alarm }) => plainValueOf[category](alarm, now) ?? []),
    )
    const one = await compare({ filter: { [category]: [first?.toUpperCase()] } })
    expect(one).toBeGreaterThan(0)
    expect(await compare({ filter: { [category]: [first, second, 'no such value'] } })).toBeGreaterThanOrEqual(one)
    expect(await compare({ filter: { [category]: ['no such value'] } })).toBe(0)
  })

  test.each(eventFilterCategories.map(({ key }) => key))('without a %s, ignoring case', async (category) => {
    const values = all.map(({ alarm }) => plainValueOf[category](alarm, now))
    const [first = '', second = ''] = new Set(values.filter((value) => value !== null))
    const without = await compare({ filter: { [excluding(category)]: [first.toUpperCase()] } })
    expect(without).toBe(values.filter((value) => value !== first).length)
    await compare({ filter: { [excluding(category)]: [first, second, 'no such value'] } })
    expect(await compare({ filter: { [excluding(category)]: ['no such value'] } })).toBe(all.length)
    const both = { [category]: [first, second], [excluding(category)]: [first] }
    expect(await compare({ filter: both })).toBe(values.filter((value) => value === second).length)
  })

  test('an event without a value stays when values are excluded', async () => {
    const [edge, unowned] = [
      all.filter(({ alarm }) => alarm.isEdgeIssue),
      all.filter(({ alarm }) => alarm.claimedBy === null),
    ]
    const owners = [...new Set(all.flatMap(({ alarm }) => alarm.claimedBy ?? []))]
    expect(await compare({ filter: { 'qualifiedSystem!': ['true', 'false'] } })).toBe(edge.length)
    expect(await compare({ filter: { 'owner!': owners } })).toBe(unowned.length)
    expect(await compare({ filter: { 'owner!': ['none'] } })).toBe(all.length - unowned.length)
  })

  test('an event without instrument is found by place, customer and owner, and by nothing of an instrument', async () => {
    const edge = all.filter(({ alarm }) => alarm.isEdgeIssue).length
    const everyType = { instrumentType: ['AKTAPure', 'AKTAAvant', 'Wave25', 'UniFlux'] }
    expect(await compare({ filter: everyType })).toBe(all.length - edge)
    expect(await compare({ filter: { qualifiedSystem: ['true', 'false'] } })).toBe(all.length - edge)
  })

  test('what an instrument has now is not found under its former customer', async () => {
    const moved = all.filter(({ alarm }) => alarm.instrumentId !== null && alarm.instrumentStatus === null)
    expect(moved.length).toBeGreaterThan(0)
    await compare({ filter: { instrumentStatus: ['wash'] } })
    await compare({ filter: { instrumentStatus: [...instrumentStatuses] } })
    await compare({ filter: { contractSLA: ['24/7 EMEA', 'Gold 24h', '8/5 EMEA'] } })
  })

  test('an empty list of values restricts nothing', async () => {
    expect(await compare({ filter: { severity: [], siteCity: [] }, positions: [] })).toBe(all.length)
  })

  test('positions find the events of the sites there', async () => {
    expect(await compare({ positions: [[59.85178, 17.65892]] })).toBeGreaterThan(0)
    expect(
      await compare({
        positions: [
          [-0.00001, 0],
          [42.3601, -71.0589],
        ],
      }),
    ).toBeGreaterThan(0)
    expect(await compare({ positions: [[1e9, -1e9]] })).toBe(0)
  })
})

describe('a keyword finds what a plain look at all events finds', () => {
  test.each([
    ['a word of the description', 'pressure'],
    ['a word of the user message', 'valve'],
    ['letters with marks, typed without', 'akta'],
    ['letters with marks', 'MALMÖ'],
    ['a customer', 'orsted'],
    ['a city', 'zurich'],
    ['a country', 'norway'],
    ['an owner', 'åberg'],
    ['the system marker', 'automatic'],
    ['a component', 'p9-b'],
    ['an instrument', 'IP-1007'],
    ['a system name', 'pure_1'],
    ['a gateway of an edge issue', 'gw-291'],
    ['an event id', 'ORC-10000'],
    ['the digits of an event id', '1000'],
    ['all event ids', 'orc-'],
    ['a short word, which the texts are not searched for', 'at'],
    ['a per cent sign', '100%'],
    ['an underscore', 'v_1'],
    ['several words in several fields', 'helix pump lost'],
    ['blanks', '   '],
    ['a word twice', 'helix helix'],
  ])('%s: %s', async (_what, keyword) => {
    expect(await compare({ keyword })).toBeGreaterThan(0)
  })

  test.each(['\\', '%%%', '___', 'orc-0', '999999999999999999999', 'ORC-x', "'; --"])(
    '%s finds nothing',
    async (keyword) => {
      expect(await compare({ keyword })).toBe(0)
    },
  )

  test('any words', async () => {
    const pieces = fc.constantFrom(
      'helix',
      'ak',
      'Pump',
      'a',
      '10',
      'ORC-1001',
      'sven',
      'ost',
      'ŁAB',
      'drift',
      '1',
      'é',
    )
    const keywords = fc.oneof(
      fc.array(pieces, { maxLength: 3 }).map((words) => words.join(' ')),
      fc.string({ maxLength: 5 }),
    )
    await fc.assert(
      fc.asyncProperty(keywords, async (keyword) => {
        await compare({ keyword: keyword.replaceAll('\u0000', '') })
      }),
      { numRuns: 25 },
    )
  })
})

describe('every combination agrees with a plain look at all events', () => {
  const anyTime = fc.option(
    fc.integer({ min: -42 * 24, max: 30 }).map((hours) => new Date(now.getTime() + hours * 3_600_000)),
    { nil: undefined },
  )
  test('of filter, keyword, range, flags, positions and scope', async () => {
    const values = (category: string): string[] => {
      const known = all.map(({ alarm }) => (alarm as unknown as Record<string, unknown>)[category])
      return [...new Set(known.filter((value) => value !== null).map(String)), 'none', 'SYSTEM']
    }
    const category = fc.constantFrom(...eventFilterCategories.map(({ key }) => key))
    const filter = fc
      .array(
        category.chain((key) =>
          fc.tuple(
            fc.constantFrom(key, excluding(key)),
            fc.subarray(values(key === 'owner' ? 'claimedBy' : key === 'contractSLA' ? 'cpSLATerm' : key), {
              maxLength: 3,
            }),
          ),
        ),
        { maxLength: 2 },
      )
      .map((entries) => Object.fromEntries(entries) as EventFilter)
    const scope = fc.oneof(fc.constant('all' as const), fc.subarray(fixture.customers.map(({ id }) => id)))
    const flag = fc.boolean()
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          filter,
          keyword: fc.constantFrom(undefined, undefined, 'pressure', 'pu', 'helix 1'),
          start: anyTime,
          stop: anyTime,
          flags: fc.record({ noOwner: flag, noAction: flag, fullSupport: flag }),
          positions: fc.constantFrom(undefined, undefined, undefined, [[59.85178, 17.65892]] as [number, number][]),
          scope,
        }),
        async (asked) => {
          await compare(asked as Asked)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('of range and scope', async () => {
    const scope = fc.oneof(fc.constant('all' as const), fc.subarray(fixture.customers.map(({ id }) => id)))
    await fc.assert(
      fc.asyncProperty(fc.record({ start: anyTime, stop: anyTime, scope }), async (asked) => {
        await compare(asked as Asked)
      }),
      { numRuns: 30 },
    )
  })
})

test('a page beyond the end is empty and has the same totals', async () => {
  const page = { orderBy: 'createdAt', order: 'DESC', limit: 12, offset: 5000 } as const
  const search = { filter: {} }
  const answer = await listServiceEvents(
    { db: database.db, eventSearch: postgresSearch },
    { search, scope: 'all', page, now },
  )
  expect(answer.values).toEqual([])
  expect(answer.total).toEqual(plainTotals(all, { search, scope: 'all', now }))
})

test('what lists leave out is left out', async () => {
  const [first] = all.filter(({ alarm }) => alarm.automaticEmail !== null)
  expect(first?.alarm.automaticEmail).not.toHaveProperty('body')
  expect(first?.alarm).not.toHaveProperty('troubleshooting')
  expect(first?.alarm).not.toHaveProperty('remedy')
})
