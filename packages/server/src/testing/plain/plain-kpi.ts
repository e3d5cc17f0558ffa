import { closeReasons } from '@benchwatch/contract/vocabulary'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import type { DatabaseHandle } from '../../db/connect.ts'
import type { KpiQuestion } from '../../features/kpi/kpi-question.ts'

/**
 * Computes every event-based measure of the dashboard again by a plain loop over all rows, as a reference for its SQL.
 * Written from docs/kpi.md and not from the queries.
 */

export type PlainFixture = Awaited<ReturnType<typeof readPlainFixture>>
type PlainEvent = PlainFixture['events'][number]

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const HIGH_TO_LOW = [3, 2, 1]
type Row = (string | number | null)[]

export async function readPlainFixture({ db }: Pick<DatabaseHandle, 'db'>) {
  const events = await db.selectFrom('service_event').selectAll().execute()
  const sites = await db.selectFrom('site').selectAll().execute()
  const users = await db.selectFrom('app_user').selectAll().execute()
  const customers = await db.selectFrom('customer').selectAll().execute()
  const instruments = await db.selectFrom('instrument').selectAll().execute()
  const templates = await db.selectFrom('event_template').selectAll().execute()
  const gateways = await db.selectFrom('gateway').selectAll().execute()
  const silences = await db.selectFrom('gateway_silence').selectAll().execute()
  const time = (at: Date | null) => at?.getTime() ?? null
  return {
    // Alarm chain tests cause no notifications; an event about a missing test does.
    events: events
      .filter((e) => e.alert_source !== 'TEST' || e.template_id !== 'TEST-1001')
      .map((e) => ({
        createdAt: e.created_at.getTime(),
        claimedAt: time(e.claimed_at),
        closedAt: time(e.closed_at),
        isClosed: e.alert_status === 3,
        severity: e.severity,
        templateId: e.template_id,
        description: e.description,
        fullSupport: e.full_support,
        latched: e.latched_count,
        owner: e.claimed_by,
        reason: e.reason_closed,
        customerId: e.customer_id,
        instrumentId: e.instrument_id,
      })),
    customers: new Map(customers.map(({ id, name }) => [id, name])),
    users: new Map(users.map(({ id, name }) => [id, name])),
    deletedUsers: new Set(users.flatMap(({ id, deleted_at }) => (deleted_at === null ? [] : [id]))),
    instruments: new Map(
      instruments.map((i) => [
        i.id,
        {
          ipid: i.installed_product_id,
          // A former customer sees no name that the present one gave.
          nameFor: (customerId: number) =>
            (customerId === i.customer_id ? i.system_name : null) ?? i.product_description,
          type: i.type,
        },
      ]),
    ),
    templates: new Map(templates.map((t) => [`${t.instrument_type} ${t.template_id}`, t.description])),
    gateways: gateways.flatMap(({ id, name, site_id, first_seen_at, silent_since }) => {
      const site = sites.find((one) => one.id === site_id)
      if (!site) return []
      const { name: siteName, city, key, customer_id } = site
      return [
        {
          id,
          name,
          site: siteName ?? city ?? key,
          customerId: customer_id,
          firstSeenAt: time(first_seen_at),
          silentSince: silent_since,
        },
      ]
    }),
    silences: silences.map((s) => ({ gatewayId: s.gateway_id, since: s.since.getTime(), until: time(s.until) })),
  }
}

const held = ({ scope }: KpiQuestion, customerId: number) => scope === 'all' || scope.includes(customerId)
const seconds = (from: number, to: number) => Math.max(0, to - from) / 1000
const severities = (events: PlainEvent[]) => [
  ...HIGH_TO_LOW.map((severity) => events.filter((event) => event.severity === severity).length),
  events.length,
]

/** Interpolates between the two nearest values, like percentile_cont. */
function percentile(values: number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return null
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? 0
  const above = sorted[Math.ceil(place)] ?? 0
  return Math.round(below + (place - Math.floor(place)) * (above - below))
}

function groups<K>(events: PlainEvent[], keyOf: (event: PlainEvent) => K): [K, PlainEvent[]][] {
  return [...Map.groupBy(events, keyOf)]
}

function byNumberThenText(number: number, ...texts: number[]) {
  return (a: Row, b: Row) => {
    const difference = Number(b[number]) - Number(a[number])
    if (difference !== 0) return difference
    for (const index of texts) {
      if (a[index] !== b[index]) return String(a[index]) < String(b[index]) ? -1 : 1
    }
    return 0
  }
}

function times(events: PlainEvent[]): Row {
  const acknowledged = events.flatMap(({ createdAt, claimedAt }) =>
    claimedAt === null ? [] : [seconds(createdAt, claimedAt)],
  )
  const closed = events.flatMap(({ createdAt, closedAt }) => (closedAt === null ? [] : [seconds(createdAt, closedAt)]))
  return [
    events.length,
    acknowledged.length,
    percentile(acknowledged, 0.5),
    percentile(acknowledged, 0.9),
    closed.length,
    percentile(closed, 0.5),
    percentile(closed, 0.9),
  ]
}

/** Returns the rows of each measure; where the order of equal rows is undefined, the caller sorts both sides. */
export function plainMeasures(fixture: PlainFixture, question: KpiQuestion): Record<string, Row[]> {
  const now = question.now.getTime()
  const from = question.from.getTime()
  const until = question.until.getTime()
  const inScope = fixture.events.filter(({ customerId }) => held(question, customerId))
  const inRange = inScope.filter(({ createdAt }) => createdAt >= from && createdAt < until)
  const open = inScope.filter(({ isClosed }) => !isClosed)
  const closed = inRange.filter(({ isClosed, reason }) => isClosed && reason !== null)
  const customer = (id: number) => fixture.customers.get(id) ?? ''
  const ownerName = (id: number | null) =>
    id === null ? 'No owner' : (fixture.users.get(id) ?? '(No name configured)')
  const days: string[] = []
  for (let at = from; at < until && at <= now; at += DAY) days.push(new Date(at).toISOString().slice(0, 10))
  const aged = (least: number, most: number) =>
    open.filter(({ createdAt }) => now - createdAt >= least * DAY && now - createdAt < most * DAY)
  const typeOf = (event: PlainEvent) =>
    event.instrumentId === null ? null : fixture.instruments.get(event.instrumentId)?.type
  const familyOf = (event: PlainEvent) => {
    const type = typeOf(event)
    const family = seededTypes.types.find(({ key }) => key === type)?.family
    return seededTypes.families.find(({ key }) => key === family)?.label ?? 'Gateways'
  }
  return {
    'event-rate': days.map((day) => [
      day,
      ...severities(inRange.filter(({ createdAt }) => new Date(createdAt).toISOString().startsWith(day))),
    ]),
    'response-by-owner': groups(inRange, ({ owner }) =>
      owner !== null && fixture.deletedUsers.has(owner) ? 'Deleted user' : owner,
    )
      .map(([owner, own]): Row => [typeof owner === 'string' ? owner : ownerName(owner), ...times(own)])
      .sort(byNumberThenText(1, 0)),
    'response-by-customer': groups(inRange, ({ customerId }) => customerId)
      .map(([id, own]): Row => [customer(id), ...times(own)])
      .sort(byNumberThenText(1, 0)),
    response: [times(inRange)],
    'open-by-age': [
      ['Below 1 day', ...severities(aged(Number.NEGATIVE_INFINITY, 1))],
      ['1 to 7 days', ...severities(aged(1, 7))],
      ['7 to 30 days', ...severities(aged(7, 30))],
      ['30 days and more', ...severities(aged(30, Number.POSITIVE_INFINITY))],
    ],
    'close-reasons': groups(closed, ({ reason }) => reason ?? 0)
      // Equally frequent ones in the order of the contract.
      .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || a - b)
      .map(([reason, own]) => [closeReasons[reason - 1] ?? '', own.length, own.length / closed.length]),
    'top-errors': groups(inRange, (event) => `${event.templateId} ${typeOf(event) ?? '~'}`)
      .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
      .map(([key, own]): Row => {
        const [templateId = '', type = ''] = key.split(' ')
        const texts = own
          .map(({ description }) => description)
          .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        const done = own.flatMap(({ createdAt, closedAt }) => (closedAt === null ? [] : [seconds(createdAt, closedAt)]))
        return [
          templateId,
          seededTypes.types.find(({ key }) => key === type)?.label ?? 'Gateway',
          fixture.templates.get(`${type} ${templateId}`) ?? texts[0] ?? '',
          own.length,
          own.length / inRange.length,
          percentile(done, 0.5),
        ]
      }),
    'top-families': groups(inRange, familyOf)
      .map(([family, own]): Row => [family, ...severities(own), own.length / inRange.length])
      .sort(byNumberThenText(4, 0)),
    'noisiest-instruments': groups(
      inRange.filter(({ instrumentId }) => instrumentId !== null),
      ({ instrumentId, customerId }) => `${instrumentId} ${customerId}`,
    )
      .map(([key, own]): Row => {
        const [instrumentId = 0, customerId = 0] = key.split(' ').map(Number)
        const { ipid = '', nameFor = () => '' } = fixture.instruments.get(instrumentId) ?? {}
        const high = own.filter(({ severity }) => severity === 3).length
        const stillOpen = own.filter(({ isClosed }) => !isClosed).length
        const repeats = own.reduce((sum, { latched }) => sum + latched, 0)
        return [
          ipid,
          nameFor(customerId),
          customer(customerId),
          own.length,
          high,
          stillOpen,
          repeats,
          own.length / inRange.length,
        ]
      })
      .sort(byNumberThenText(3, 0, 2)),
    sla: groups(
      inRange.filter(({ fullSupport }) => fullSupport),
      ({ customerId }) => customerId,
    )
      .map(([id, own]): Row => {
        const answers = own.map(({ createdAt, claimedAt, closedAt }) => ({
          due: createdAt + DAY,
          at: claimedAt ?? closedAt,
        }))
        const kept = answers.filter(({ at, due }) => at !== null && at <= due).length
        const running = answers.filter(({ at, due }) => at === null && due > now).length
        const missed = own.length - kept - running
        return [customer(id), own.length, kept, missed, running, kept + missed === 0 ? null : kept / (kept + missed)]
      })
      .sort((a, b) => Number(b[3]) - Number(a[3]) || byNumberThenText(1, 0)(a, b)),
    'gateway-uptime': fixture.gateways
      .filter(({ firstSeenAt, customerId }) => firstSeenAt !== null && held(question, customerId))
      .map(({ id, name, site, customerId, firstSeenAt, silentSince }): Row => {
        const start = Math.max(from, firstSeenAt ?? 0)
        const end = Math.min(until, now)
        const silences = fixture.silences
          .filter(({ gatewayId }) => gatewayId === id)
          .map((silence) => Math.min(silence.until ?? now, end) - Math.max(silence.since, start))
          .filter((length) => length > 0)
        const silent = silences.reduce((sum, length) => sum + length, 0)
        return [
          name,
          customer(customerId),
          site,
          end > start ? 1 - silent / (end - start) : null,
          silences.length,
          silences.length === 0 ? null : Math.round(Math.max(...silences) / 1000),
          silentSince?.toISOString() ?? null,
        ]
      })
      .sort((a, b) => Number(a[3] ?? 2) - Number(b[3] ?? 2) || (String(a[0]) < String(b[0]) ? -1 : 1)),
  }
}
