import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventSelection } from '../search/filters.ts'
import { searchColumns } from './column-search.ts'
import { type ColumnEvent, EventColumns } from './event-columns.ts'
import { EventTexts } from './event-texts.ts'

const now = new Date('2026-11-20T14:00:00Z')
const everything: EventSelection = {
  scope: 'all',
  start: null,
  stop: null,
  flags: { noOwner: false, noAction: false, fullSupport: false },
  now,
  severities: null,
  alertTypes: null,
  alertStatuses: null,
  closeReasons: null,
  owners: null,
  components: null,
  sites: null,
  instruments: null,
  words: [],
  readsTexts: false,
}

function event(id: number, createdAt: number): ColumnEvent {
  return {
    id,
    createdAt,
    customerId: 1,
    siteId: 1,
    instrumentId: 1 + (id % 3),
    componentId: 1,
    gatewayId: 0,
    severity: 1 + (id % 3),
    alertType: 1,
    alertStatus: 3,
    reasonClosed: 1,
    ownerId: null,
    fullSupport: false,
    lastActionAt: createdAt,
    emailedAt: 0,
    text: Buffer.from('pressure'),
  }
}

/** Ids over several blocks of several segments, their first and last rows among them, with holes. */
const ids = fc.oneof(
  fc.integer({ min: 1, max: 200_000 }),
  fc.integer({ min: 1_000_000, max: 1_080_000 }),
  fc.constantFrom(65_535, 65_536, 131_071, 131_072),
)
/** With hundreds of equal times, which do not go with the ids and lie close together or far apart. */
const events = fc.constantFrom(40, 10_000_000).chain((max) =>
  fc.uniqueArray(fc.tuple(ids, fc.oneof(fc.constant(5), fc.integer({ min: 0, max }))), {
    selector: ([id]) => id,
    maxLength: 300,
    size: 'max',
  }),
)
const byTime = { orderBy: 'createdAt', ranks: [] } as const
const pageParts = {
  order: fc.constantFrom('ASC' as const, 'DESC' as const),
  offset: fc.integer({ min: 0, max: 320 }),
  limit: fc.integer({ min: 1, max: 40 }),
}
const pages = fc.record(pageParts)
const times = fc.option(
  fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 10_000_000 })).map((at) => new Date(at)),
)

test('a page anywhere in the order of time is what sorting all of them gives', () => {
  fc.assert(
    fc.property(events, pages, times, times, (given, page, start, stop) => {
      const columns = new EventColumns()
      for (const [id, at] of given) columns.put(event(id, at))
      const expected = given
        .filter(([id, at]) => id % 3 !== 0 && at >= (start?.getTime() ?? 0) && (stop === null || at < stop.getTime()))
        .sort(([a, first], [b, second]) => first - second || a - b)
        .map(([id]) => id)
      if (page.order === 'DESC') expected.reverse()
      const selection = { ...everything, severities: [2, 3], start, stop }
      const found = searchColumns(columns, { selection, page: { ...byTime, ...page } })
      expect(found?.events).toBe(expected.length)
      expect(found?.ids).toEqual(expected.slice(page.offset, page.offset + page.limit))
    }),
  )
})

test('totals of a filter are what counting gives, in ranges that hold segments whole and in part, after changes and removals', () => {
  const states = fc.constantFrom(1, 2, 3)
  const instants = ids.map((id) => new Date(id))
  const wanted = fc.record({
    severities: fc.option(fc.subarray([1, 2, 3]), { freq: 2 }),
    alertStatuses: fc.option(fc.subarray([1, 2, 3]), { freq: 2 }),
    closeReasons: fc.constantFrom<number[] | null>(null, null, [1]),
    scope: fc.constantFrom<EventSelection['scope']>('all', [2, 3]),
    owners: fc.option(fc.record({ ids: fc.subarray([1, 2, 3, 8, 9]), none: fc.boolean() }), { freq: 2 }),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(ids, states, states, fc.boolean(), fc.constantFrom(null, 1, 2, 3)), {
        selector: ([id]) => id,
        maxLength: 100,
        size: 'max',
      }),
      fc.tuple(fc.option(instants, { freq: 2 }), fc.option(instants, { freq: 2 })),
      wanted,
      pages,
      (given, [start, stop], filter, page) => {
        const columns = new EventColumns()
        const made = ([id, before]: (typeof given)[number]) => ({
          // Ids go with the time, as nearly everywhere.
          ...event(id, id),
          ...{ customerId: 1 + (id % 4), alertStatus: before, reasonClosed: before === 3 ? 1 + (id % 2) : 0 },
        })
        for (const one of given) columns.put(made(one))
        const selection = { ...everything, ...filter, start, stop }
        // What is kept for the next search must follow the changes.
        searchColumns(columns, { selection, page: null })
        for (const one of given) {
          const [id, , status, isRemoved, ownerId] = one
          if (isRemoved) columns.remove(id)
          else
            columns.put({ ...made(one), alertStatus: status, ownerId, reasonClosed: status === 3 ? 1 + (id % 2) : 0 })
        }
        const { severities, alertStatuses, closeReasons, scope, owners } = filter
        const expected = given
          .filter(([id, , status, isRemoved, owner]) => {
            const { severity } = event(id, id)
            return (
              !isRemoved &&
              id >= (start?.getTime() ?? 0) &&
              (stop === null || id < stop.getTime()) &&
              (severities === null || severities.includes(severity)) &&
              (alertStatuses === null || alertStatuses.includes(status)) &&
              (closeReasons === null || (status === 3 && id % 2 === 0)) &&
              (owners === null || (owner === null ? owners.none : owners.ids.includes(owner))) &&
              (scope === 'all' || scope.includes(1 + (id % 4)))
            )
          })
          .map(([id]) => id)
          .sort((a, b) => (page.order === 'ASC' ? a - b : b - a))
        for (const orderBy of ['createdAt', 'eventId'] as const) {
          const found = searchColumns(columns, { selection, page: { ...page, orderBy, ranks: [] } })
          expect(found?.events).toBe(expected.length)
          expect(found?.ids).toEqual(expected.slice(page.offset, page.offset + page.limit))
        }
      },
    ),
    { numRuns: 500 },
  )
})

const descriptions = ['', 'air', 'air flow', 'pressure', 'pressure!']

const orders = [
  'eventId',
  'severity',
  'alertStatus',
  'description',
  'claimedBy',
  'enterpriseName',
  'automaticEmailSentAt',
] as const
test.each(orders)('a page anywhere in the order of %s is what sorting all of them gives', (orderBy) => {
  const described = fc.tuple(fc.constantFrom(...descriptions), fc.constantFrom(null, 'a', 'z'))
  const created = now.getTime() - 86_400_000
  const atId = ids.map((id) => new Date(created + id))
  // Mostly what needs no look at each event.
  const asked = fc.record({
    noOwner: fc.constantFrom(false, false, true),
    alertStatuses: fc.constantFrom<number[] | null>(null, [3], [3], [1]),
    severities: fc.constantFrom<number[] | null>(null, null, [2, 3]),
    start: fc.option(atId, { freq: 2 }),
    stop: fc.option(atId, { freq: 2 }),
  })
  // Mostly so near an end that not all hits need to be counted.
  const nearPages = fc.record({
    ...pageParts,
    offset: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 60 })),
    limit: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 })),
  })
  fc.assert(
    fc.property(events, fc.array(described, { minLength: 1 }), nearPages, asked, (given, texts, page, wanted) => {
      const { noOwner, ...filter } = wanted
      const columns = new EventColumns()
      const known = given.map(([id]) => {
        const [description, message] = texts[id % texts.length] as (typeof texts)[number]
        const text = message === null ? description : `${description}\0${message}`
        const one = { ...event(id, created + id), customerId: 1 + (id % 4), text: Buffer.from(text) }
        // Those without owner are open, so that the flag finds them.
        return { ...one, description, ownerId: id % 5 || null, alertStatus: id % 5 === 0 ? 1 : 3, emailedAt: id % 6 }
      })
      // Open events are met in no order of their ids; all were something else before, and some are no more.
      for (const one of known) columns.put({ ...one, ownerId: 3, alertStatus: 1, emailedAt: one.id % 4 })
      for (const one of known) columns.put(one)
      for (const { id } of known) if (id % 11 === 0) columns.remove(id)
      // Two customers have one name and one has none; of the owners likewise.
      const rankOf = new Map([1, 2, 2].map((rank, index) => [index + 1, rank]))
      const table = orderBy === 'claimedBy' ? 'app_user' : 'customer'
      const ranks = [...rankOf].map(([id, rank]) => ({ table, id, rank, customerNow: null }) as const)
      const valueOf = {
        eventId: () => 0,
        severity: ({ severity }: (typeof known)[number]) => severity,
        alertStatus: ({ alertStatus }: (typeof known)[number]) => alertStatus,
        description: ({ description }: (typeof known)[number]) => descriptions.indexOf(description),
        claimedBy: ({ ownerId }: (typeof known)[number]) => rankOf.get(ownerId ?? 0) ?? 9,
        automaticEmailSentAt: ({ emailedAt }: (typeof known)[number]) => emailedAt || 9,
        enterpriseName: ({ customerId }: (typeof known)[number]) => rankOf.get(customerId) ?? 9,
      }[orderBy]
      const expected = known
        .filter(({ id, createdAt, alertStatus, severity, ownerId }) => {
          const { alertStatuses, severities, start, stop } = filter
          return (
            id % 11 !== 0 &&
            (!noOwner || ownerId === null) &&
            (start === null || createdAt >= start.getTime()) &&
            (stop === null || createdAt < stop.getTime()) &&
            (alertStatuses === null || alertStatuses.includes(alertStatus)) &&
            (severities === null || severities.includes(severity))
          )
        })
        .sort((a, b) => valueOf(a) - valueOf(b) || a.id - b.id)
        .map(({ id }) => id)
      if (page.order === 'DESC') expected.reverse()
      const selection = { ...everything, ...filter, flags: { ...everything.flags, noOwner } }
      const found = searchColumns(columns, { selection, page: { ...page, orderBy, ranks } })
      expect(found?.events).toBe(expected.length)
      expect(found?.ids).toEqual(expected.slice(page.offset, page.offset + page.limit))
    }),
    { numRuns: 300 },
  )
})

test('a page ends where the range does, though the slice of time that it is found in reaches beyond', () => {
  const columns = new EventColumns()
  const day = 86_400_000
  for (const [id, at] of [
    [1, 0],
    [2, day - 1],
    [3, day],
    [4, day + 1],
  ] as const) {
    columns.put(event(id, at))
  }
  const newest = { ...byTime, order: 'DESC', offset: 0, limit: 1 } as const
  const found = searchColumns(columns, { selection: { ...everything, stop: new Date(day) }, page: newest })
  expect(found).toMatchObject({ events: 2, ids: [2] })
})

test('a quick filter counts from 2 and from 24 hours on, to the millisecond, and open events under a 24-hour contract', () => {
  const columns = new EventColumns()
  const ago = (hours: number, more = 0) => now.getTime() - hours * 3_600_000 - more
  const unowned = { alertStatus: 1, ownerId: null, fullSupport: true }
  const taken = { alertStatus: 2, ownerId: 7 }
  for (const one of [
    { ...event(1, ago(2)), ...unowned },
    { ...event(2, ago(2, -1)), ...unowned },
    { ...event(3, ago(2)), ...unowned, ownerId: 7 },
    { ...event(4, ago(30)), ...taken, lastActionAt: ago(24) },
    { ...event(5, ago(30)), ...taken, lastActionAt: ago(24, -1) },
    { ...event(6, ago(30)), lastActionAt: ago(30), fullSupport: true },
  ])
    columns.put(one)
  const found = (flags: Partial<EventSelection['flags']>, start: Date | null = null) =>
    searchColumns(columns, {
      selection: { ...everything, start, flags: { ...everything.flags, ...flags } },
      page: { ...byTime, order: 'ASC', offset: 0, limit: 10 },
    })
  expect(found({ noOwner: true })?.ids).toEqual([1])
  expect(found({ noAction: true })?.ids).toEqual([4])
  expect(found({ fullSupport: true })?.ids?.toSorted()).toEqual([1, 2, 3])
  expect(found({})).toMatchObject({ noOwnerEvents: 1, noActionEvents: 1, fullSupportEvents: 3, events: 6 })
  // Older ones heed the flags, the other counters do not.
  expect(found({}, new Date(ago(3)))).toMatchObject({ noActionEvents: 0, fullSupportEvents: 3, olderOpenEvents: 2 })
  expect(found({ noAction: true }, new Date(ago(3)))).toMatchObject({ fullSupportEvents: 3, olderOpenEvents: 1 })
})

test('what was put in for one search is gone after it, in whatever order it came', () => {
  const columns = new EventColumns()
  columns.put({ ...event(5, 1000), alertStatus: 1, lastActionAt: 1000 })
  const before = searchColumns(columns, { selection: everything, page: null })
  const undo = [
    columns.put({ ...event(5, 1000), alertStatus: 2, ownerId: 7 }),
    columns.put({ ...event(5, 1000), alertStatus: 3, ownerId: 7 }),
    columns.put(event(6, 2000)),
  ]
  expect(searchColumns(columns, { selection: everything, page: null })).toMatchObject({ events: 2, noOwnerEvents: 0 })
  for (const back of undo.reverse()) back()
  expect(searchColumns(columns, { selection: everything, page: null })).toEqual(before)
  expect(before).toMatchObject({ events: 1, noOwnerEvents: 1 })
})

test('what was taken out or was new in kind for one search is as before after it, also where kinds alone decide', () => {
  const columns = new EventColumns()
  columns.put(event(5, 1000))
  columns.put(event(6, 2000))
  const selection = { ...everything, severities: [1, 3], stop: new Date(3000) }
  const before = searchColumns(columns, { selection, page: null })
  const undo = [
    columns.remove(6),
    columns.put({ ...event(7, 1500), customerId: 9, severity: 1 }),
    columns.put({ ...event(8, 1600), siteId: 9 }),
  ]
  expect(searchColumns(columns, { selection, page: null })).toMatchObject({ events: 3 })
  for (const back of undo.reverse()) back()
  expect(searchColumns(columns, { selection, page: null })).toEqual(before)
  expect(before).toMatchObject({ events: 2 })
})

test('texts that have no room are left to the database', () => {
  const columns = new EventColumns(new EventTexts(10))
  columns.put(event(1, 1000))
  const none = {
    instruments: [],
    namedNow: { ids: [], customersNow: [] },
    gateways: [],
    components: [],
    customers: [],
    sites: [],
    owners: [],
    eventIds: [],
  }
  const selection = { ...everything, words: [{ text: 'pump', textPattern: '%pump%', ...none }] }
  expect(searchColumns(columns, { selection, page: null })).toMatchObject({ events: 0 })
  columns.put({ ...event(2, 2000), text: Buffer.from('pump') })
  expect(searchColumns(columns, { selection, page: null })).toBeUndefined()
  expect(searchColumns(columns, { selection: everything, page: null })).toMatchObject({ events: 2 })
})
