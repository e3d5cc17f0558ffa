import { eventOrderBy } from '@benchwatch/contract/vocabulary'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition } from '../features/events/search/condition.ts'
import type { Page } from '../features/events/search/event-search.ts'
import { conditionOf, countersOf, type EventSelection } from '../features/events/search/filters.queries.ts'
import type { ValueRanks } from '../features/events/search/value-ranks.queries.ts'
import { EventArrays } from './event-arrays.ts'
import { findInIndex } from './find.ts'

const NOW = Date.UTC(2026, 10, 24)
const ROWS = 64
const HOUR = 3_600_000

interface PlainEvent {
  id: number
  createdAt: number
  customer: number
  site: number
  /** 0 is none. */
  instrument: number
  component: number
  gateway: number
  severity: number
  alertType: number
  status: number
  /** 0 is none. */
  reason: number
  owner: number | null
  fullSupport: boolean
  lastActionAt: number
  /** 0 is never. */
  emailedAt: number
  /** 0 is none. */
  run: number
  description: string
  message: string | null
}

const descriptions = ['pressure', 'pressure drift', 'pressure\ndrift', '', 'air', 'akta 流量']
const messages = [null, '', 'check the pump', 'air\nleak']

// Ids of three chunks: late ones, gaps, and one far behind.
const ids = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: ROWS - 30, max: ROWS + 30 }) },
  fc.integer({ min: 5 * ROWS, max: 5 * ROWS + 5 }),
)
const small = fc.integer({ min: 1, max: 3 })
const smallOrNone = fc.integer({ min: 0, max: 3 })
// Some more than 49 days from the others.
const instants = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -30, max: 1 }).map((hours) => NOW + hours * HOUR) },
  fc.constantFrom(NOW - 24 * HOUR + 1, NOW - 2 * HOUR + 1, NOW - 90 * 24 * HOUR),
)
const changeable = {
  status: small,
  reason: smallOrNone,
  owner: fc.constantFrom(null, 0, 1, 2, 70_000),
  fullSupport: fc.boolean(),
  lastActionAt: instants,
  emailedAt: fc.oneof(fc.constant(0), instants),
  run: smallOrNone,
}
const anyEvents: fc.Arbitrary<PlainEvent> = fc.record({
  id: ids,
  createdAt: instants,
  customer: small,
  site: small,
  instrument: smallOrNone,
  component: smallOrNone,
  gateway: smallOrNone,
  severity: small,
  alertType: fc.integer({ min: 1, max: 2 }),
  description: fc.constantFrom(...descriptions),
  message: fc.constantFrom(...messages),
  ...changeable,
})
// Only edge issues have a gateway, and these have no instrument.
const events = anyEvents.map((event) => ({ ...event, gateway: event.instrument === 0 ? event.gateway : 0 }))
const changes = fc.record({ id: ids, isDeleted: fc.boolean(), ...changeable })

const values = fc.array(fc.integer({ min: -1, max: 4 }), { maxLength: 3 })
const leaves: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    is: fc.constant('anyOf' as const),
    column: fc.constantFrom(
      'severity',
      'alertType',
      'alertStatus',
      'closeReason',
      'component',
      'site',
      'instrument',
      'customer',
      'owner',
      'gateway',
      'run',
    ),
    values,
  }),
  fc.record({
    is: fc.constant('anyOf' as const),
    column: fc.constant('id' as const),
    values: fc.array(ids, { maxLength: 9 }),
  }),
  fc.tuple(small, small).map(([instrument, customer]) => ({
    is: 'belongsNow' as const,
    instruments: [instrument, 7],
    customers: [customer, 1],
  })),
  fc.tuple(ids, ids).map(([from, to]) => ({ is: 'idBetween' as const, from, to })),
  fc.record({
    is: fc.constantFrom('from' as const, 'before' as const, 'until' as const),
    column: fc.constant('createdAt' as const),
    at: instants.map((at) => new Date(at)),
  }),
  fc.record({ is: fc.constantFrom('open' as const, 'withoutOwner' as const, 'fullSupport' as const) }),
  fc.record({
    is: fc.constant('containing' as const),
    word: fc.constantFrom('pressure', 'drift', 'air', 'leak', '流', 'e'),
  }),
  // Last actions are held of open events alone.
  fc
    .record({
      is: fc.constantFrom('from' as const, 'until' as const),
      column: fc.constant('lastActionAt' as const),
      at: instants.map((at) => new Date(at)),
    })
    .map((last) => ({ is: 'all' as const, of: [{ is: 'open' as const }, last] })),
)
const { condition: conditions } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaves,
    fc.record({
      is: fc.constantFrom('all' as const, 'any' as const),
      of: fc.array(tie('condition'), { maxLength: 3 }),
    }),
    fc.record({ is: fc.constant('not' as const), of: tie('condition') }),
  ),
}))
const instantOrNull = fc.option(instants.map((at) => new Date(at)))
const selections: fc.Arbitrary<EventSelection> = fc.record({
  scope: fc.constantFrom<EventSelection['scope']>('all', 'all', [1, 2], []),
  filter: conditions,
  start: instantOrNull,
  stop: instantOrNull,
  flags: fc
    .record({ noOwner: fc.boolean(), noAction: fc.boolean(), fullSupport: fc.boolean() })
    .chain((flags) => fc.constantFrom(flags, { noOwner: false, noAction: false, fullSupport: false })),
  now: fc.constant(new Date(NOW)),
})
const pages = fc.record({
  orderBy: fc.constantFrom(...eventOrderBy),
  order: fc.constantFrom('ASC' as const, 'DESC' as const),
  offset: fc.nat(40),
  limit: fc.integer({ min: 1, max: 12 }),
})

function plainMatches(event: PlainEvent, condition: Condition): boolean {
  const column = (name: string): number | null => {
    const { status, reason, owner, id, severity, alertType, site, customer } = event
    const codes: Record<string, number | null> = {
      ...{ id, severity, alertType, site, customer, owner, alertStatus: status, closeReason: reason || null },
      ...{
        run: event.run || null,
        component: event.component || null,
        instrument: event.instrument || null,
        gateway: event.gateway || null,
      },
    }
    return codes[name] ?? null
  }
  switch (condition.is) {
    case 'all':
      return condition.of.every((part) => plainMatches(event, part))
    case 'any':
      return condition.of.some((part) => plainMatches(event, part))
    case 'not':
      return !plainMatches(event, condition.of)
    case 'anyOf':
      return condition.values.some((value) => value === column(condition.column))
    case 'belongsNow':
      return condition.instruments.some(
        (id, index) => event.instrument === id && event.customer === condition.customers[index],
      )
    case 'idBetween':
      return event.id >= condition.from && event.id <= condition.to
    case 'open':
      return event.status !== 3
    case 'withoutOwner':
      return event.owner === null
    case 'fullSupport':
      return event.fullSupport
    case 'containing':
      return `${event.description}\n${event.message ?? ''}`.includes(condition.word)
    default: {
      const at = condition.column === 'createdAt' ? event.createdAt : event.lastActionAt
      const wanted = condition.at.getTime()
      if (condition.is === 'from') return at >= wanted
      return condition.is === 'before' ? at < wanted : at <= wanted
    }
  }
}

/** Sites 1 and 2 share an address. */
const addressOf = (site: number) => (site === 3 ? 'b' : 'a')
const tables = ['instrument', 'gateway', 'site', 'customer', 'app_user'] as const
/** Ids 1 and 2 share a name, 3 has another, and 0 has none; instruments show theirs to customer 1 if it is their status. */
const rankOf = (id: number | null) => (id === 1 || id === 2 ? 2 : id === 3 ? 1 : 9)

function ranksFor(orderBy: (typeof eventOrderBy)[number]): ValueRanks[] {
  const ranked = {
    instrumentStatus: ['instrument'],
    instrumentProductDescription: ['instrument'],
    instrumentInstalledProductId: ['instrument', 'gateway'],
    siteCity: ['site'],
    enterpriseName: ['customer'],
    claimedBy: ['app_user'],
  }[orderBy as string]
  return tables
    .filter((table) => ranked?.includes(table))
    .map((table) => {
      const ids = [1, 2, 3]
      return {
        table,
        ids,
        ranks: ids.map(rankOf),
        customersNow: ids.map(() => (orderBy === 'instrumentStatus' ? 1 : 0)),
      }
    })
}

function plainKey(event: PlainEvent, orderBy: (typeof eventOrderBy)[number]): number {
  switch (orderBy) {
    case 'createdAt':
      return event.createdAt
    case 'eventId':
      return event.id
    case 'severity':
      return event.severity
    case 'alertStatus':
      return event.status
    case 'automaticEmailSentAt':
      return event.emailedAt || Number.MAX_SAFE_INTEGER
    case 'description':
      return [...descriptions].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).indexOf(event.description)
    case 'instrumentStatus':
      return event.customer === 1 ? rankOf(event.instrument) : 9
    case 'instrumentProductDescription':
      return rankOf(event.instrument)
    case 'instrumentInstalledProductId':
      return rankOf(event.instrument) === 9 ? rankOf(event.gateway) : rankOf(event.instrument)
    case 'siteCity':
      return rankOf(event.site)
    case 'enterpriseName':
      return rankOf(event.customer)
    case 'claimedBy':
      return rankOf(event.owner)
    case 'contractClock':
      return runs(event) ? event.createdAt : 0
  }
}

/** The contract clock of the event runs. */
function runs({ status, fullSupport, owner }: PlainEvent): boolean {
  return status !== 3 && fullSupport && owner === null
}

function plainFind(all: readonly PlainEvent[], selection: EventSelection) {
  const inScope = all.filter(({ customer }) => selection.scope === 'all' || selection.scope.includes(customer))
  const found = inScope.filter((event) => plainMatches(event, conditionOf(selection)))
  const distinct = (keyOf: (event: PlainEvent) => unknown) =>
    new Set(found.map(keyOf).filter((key) => key !== null)).size
  const counters = Object.entries(countersOf(selection)).map(([name, condition]) => [
    name,
    inScope.filter((event) => plainMatches(event, condition)).length,
  ])
  const totals = {
    events: found.length,
    instruments: distinct(({ instrument }) => instrument || null),
    components: distinct(({ instrument, component }) =>
      instrument && component ? `${instrument} ${component}` : null,
    ),
    customers: distinct(({ customer }) => customer),
    locations: distinct(({ customer, site }) => `${customer} ${addressOf(site)}`),
    ...Object.fromEntries(counters),
  }
  return { found, totals }
}

function put(arrays: EventArrays, event: PlainEvent) {
  const { description, message } = event
  return arrays.put({
    id: event.id,
    created_at: new Date(event.createdAt),
    customer_id: event.customer,
    site_id: event.site,
    instrument_id: event.instrument || null,
    component_id: event.component || null,
    gateway_id: event.gateway || null,
    severity: event.severity,
    alert_type: event.alertType,
    alert_status: event.status,
    reason_closed: event.reason || null,
    claimed_by: event.owner,
    full_support: event.fullSupport,
    last_action_at: new Date(event.lastActionAt),
    emailed_at: new Date(event.emailedAt),
    run_id: event.run || null,
    text_folded: message === null ? description : `${description}\n${message}`,
    description_bytes: Buffer.byteLength(description),
  })
}

function expectSame(
  arrays: EventArrays,
  all: readonly PlainEvent[],
  { selection, page }: { selection: EventSelection; page: Page },
) {
  const locations = new Map([1, 2, 3].map((id) => [id, addressOf(id)]))
  const { found, totals } = plainFind(all, selection)
  const inOrder = [...found]
    .sort((a, b) => plainKey(a, page.orderBy) - plainKey(b, page.orderBy) || a.id - b.id)
    .map(({ id }) => id)
  if (page.order === 'DESC') inOrder.reverse()
  if (page.orderBy === 'contractClock') {
    const running = new Set(found.filter(runs).map(({ id }) => id))
    inOrder.sort((a, b) => Number(running.has(b)) - Number(running.has(a)))
  }
  const valueRanks = ranksFor(page.orderBy)
  const answer = findInIndex({ arrays, locations }, { selection, page, valueRanks })
  expect(answer.totals).toEqual(totals)
  expect([...answer.ids]).toEqual(inOrder.slice(page.offset, page.offset + page.limit))
  const whole = findInIndex(
    { arrays, locations },
    { selection, page: { ...page, offset: 0, limit: Number.MAX_SAFE_INTEGER }, valueRanks },
  )
  expect([...whole.ids]).toEqual(inOrder)
  const { places } = findInIndex({ arrays, locations }, { selection, page: null, valueRanks: [] })
  expect(places.reduce((sum, { bySeverity }) => sum + bySeverity[0] + bySeverity[1] + bySeverity[2], 0)).toBe(
    found.length,
  )
  for (const { customerId, siteId, bySeverity, openBySeverity } of places) {
    const here = found.filter(({ customer, site }) => customer === customerId && site === siteId)
    const ofSeverity = [1, 2, 3].map((severity) => here.filter((event) => event.severity === severity))
    expect(bySeverity).toEqual(ofSeverity.map((events) => events.length))
    expect(openBySeverity).toEqual(ofSeverity.map((events) => events.filter(({ status }) => status !== 3).length))
  }
}

test('answers equal a plain scan, also with changes laid over and after they are taken back', () => {
  const input = fc.tuple(
    fc.uniqueArray(events, { selector: ({ id }) => id, maxLength: 60, size: 'max' }),
    fc.uniqueArray(events, { selector: ({ id }) => id, maxLength: 8 }),
    fc.array(changes, { maxLength: 20 }),
    fc.record({ selection: selections, page: pages }),
  )
  fc.assert(
    fc.property(input, ([base, added, changed, asked]) => {
      const arrays = new EventArrays(ROWS)
      for (const event of base) put(arrays, event)
      expectSame(arrays, base, asked)
      const now = new Map(base.map((event) => [event.id, event]))
      const before: ReturnType<typeof put>[] = []
      for (const event of added.filter(({ id }) => !now.has(id))) {
        now.set(event.id, event)
        before.push(put(arrays, event))
      }
      for (const { id, isDeleted, ...change } of changed) {
        const event = now.get(id)
        if (!event) continue
        if (isDeleted) {
          before.push(arrays.remove(id))
          now.delete(id)
        } else {
          now.set(id, { ...event, ...change })
          before.push(put(arrays, { ...event, ...change }))
        }
      }
      expectSame(arrays, [...now.values()], asked)
      for (const state of before.reverse()) arrays.write(state)
      expectSame(arrays, base, asked)
    }),
    { numRuns: 200 },
  )
})

test('pages of crowded orders are found among many events', () => {
  const arrays = new EventArrays()
  const plain = Array.from({ length: 30_000 }, (_, index): PlainEvent => {
    // Most lie within some minutes, a few are years away: all of the crowd falls into one range of keys.
    const createdAt = index % 10_000 === 0 ? NOW - index * 100_000 * HOUR : NOW - ((index * 7919) % 20_011)
    return {
      ...{
        id: 2 * index + 1,
        createdAt,
        customer: 1,
        site: 1,
        instrument: 1 + (index % 3),
        component: 0,
        gateway: 0,
        severity: 1 + (index % 3),
        alertType: 1,
      },
      ...{
        status: 3,
        reason: 0,
        owner: null,
        fullSupport: false,
        lastActionAt: 0,
        run: 0,
        emailedAt: index % 4 === 0 ? NOW + (index % 977) : 0,
      },
      ...{ description: descriptions[index % 6] as string, message: null },
    }
  })
  for (const event of plain) put(arrays, event)
  const flags = { noOwner: false, noAction: false, fullSupport: false }
  const selection: EventSelection = {
    scope: 'all',
    filter: { is: 'all', of: [] },
    start: null,
    stop: null,
    flags,
    now: new Date(NOW),
  }
  for (const orderBy of ['createdAt', 'severity', 'description', 'automaticEmailSentAt'] as const) {
    const inOrder = [...plain]
      .sort((a, b) => plainKey(a, orderBy) - plainKey(b, orderBy) || a.id - b.id)
      .map(({ id }) => id)
    const order = { orderBy, order: 'ASC' } as const
    const index = { arrays, locations: new Map() }
    const whole = { ...order, offset: 0, limit: 30_000 }
    expect([...findInIndex(index, { selection, page: whole, valueRanks: [] }).ids]).toEqual(inOrder)
    for (const offset of [0, 14_990, 29_995]) {
      const { ids: page } = findInIndex(index, { selection, page: { ...order, offset, limit: 12 }, valueRanks: [] })
      expect([...page]).toEqual(inOrder.slice(offset, offset + 12))
    }
  }
})

test('an owner that nobody has, with an id of any size, is found nowhere', () => {
  const arrays = new EventArrays(ROWS)
  const filter: Condition = { is: 'anyOf', column: 'owner', values: [2 ** 40] }
  const selection = { scope: 'all', filter, start: null, stop: null, flags: {}, now: new Date(0) } as const
  const found = findInIndex({ arrays, locations: new Map() }, { selection, page: null, valueRanks: [] })
  expect(found.totals.events).toBe(0)
})
