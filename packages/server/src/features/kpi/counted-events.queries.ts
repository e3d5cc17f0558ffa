import { type RawBuilder, sql } from 'kysely'
import { isAlarmTest } from '../../db/alarm-test.ts'
import type { Db } from '../../db/connect.ts'
import { isOpen, serviceEvents } from '../../db/scoped.ts'
import { severityCodes } from '../../db/sql/severity.ts'
import { byCodePoints } from '../../db/sql/text-order.ts'
import { closeReasonOf } from '../events/event-codes.ts'
import { NO_NAME } from '../users/users.lookup.ts'
import type { KpiQuestion } from './kpi-question.ts'

export const eventCount = sql<number>`count(*)::int4`

/** Number of events of each severity, by column key. */
const severityCounts = [
  sql<number>`(count(*) FILTER (WHERE e.severity = ${severityCodes.high}))::int4`.as('high'),
  sql<number>`(count(*) FILTER (WHERE e.severity = 2))::int4`.as('medium'),
  sql<number>`(count(*) FILTER (WHERE e.severity = 1))::int4`.as('low'),
  eventCount.as('total'),
] as const

/** Age bands of open work, each up to and excluding this many days. */
const ageBands = [
  { label: 'Below 1 day', days: 1 },
  { label: '1 to 7 days', days: 7 },
  { label: '7 to 30 days', days: 30 },
  { label: '30 days and more', days: Number.POSITIVE_INFINITY },
] as const

const DAY_MS = 86_400_000

const MOST = 20
/** Edge issues concern a gateway, so they have no family. */
export const NO_FAMILY = 'Gateways'

/** Returns events by the family of their instrument, most events first. */
export async function readFamilies(db: Db, question: KpiQuestion) {
  const family = sql<string>`coalesce(f.label, ${NO_FAMILY})`
  const rows = await db
    .with('counted', () =>
      eventsInRange(db, question)
        .select(['e.instrument_id', ...severityCounts])
        .groupBy('e.instrument_id'),
    )
    .selectFrom('counted as n')
    .leftJoin('instrument as i', 'i.id', 'n.instrument_id')
    .leftJoin('instrument_type as t', 't.key', 'i.type')
    .leftJoin('instrument_family as f', 'f.key', 't.family')
    .select([
      family.as('family'),
      sql<number>`sum(n.high)::int4`.as('high'),
      sql<number>`sum(n.medium)::int4`.as('medium'),
      sql<number>`sum(n.low)::int4`.as('low'),
      sql<number>`sum(n.total)::int4`.as('total'),
    ])
    .groupBy(['f.key', 'f.label'])
    .orderBy('total', 'desc')
    .orderBy(byCodePoints(family))
    .execute()
  const all = rows.reduce((sum, { total }) => sum + total, 0)
  return rows.map((row) => ({ ...row, share: shareOf(row.total, all) }))
}

/**
 * Returns the instruments with most events, each under its customer at that time. Only its present customer sees the name
 * of its system.
 */
export async function readNoisiestInstruments(db: Db, question: KpiQuestion) {
  const rows = await db
    .with('counted', () =>
      eventsInRange(db, question)
        .select([
          'e.instrument_id',
          'e.customer_id',
          eventCount.as('events'),
          sql<number>`(count(*) FILTER (WHERE e.severity = ${severityCodes.high}))::int4`.as('high'),
          sql<number>`(count(*) FILTER (WHERE ${isOpen}))::int4`.as('open'),
          sql<number>`sum(e.latched_count)::int8`.as('repeats'),
        ])
        .groupBy(['e.instrument_id', 'e.customer_id']),
    )
    .selectFrom('counted as n')
    .innerJoin('instrument as i', 'i.id', 'n.instrument_id')
    .innerJoin('customer as c', 'c.id', 'n.customer_id')
    .select([
      'i.installed_product_id as instrument',
      sql<string>`coalesce(CASE WHEN i.customer_id = n.customer_id THEN i.system_name END, i.product_description)`.as(
        'name',
      ),
      'c.name as customer',
      'n.events',
      'n.high',
      'n.open',
      'n.repeats',
      sql<number>`(SELECT sum(events)::int4 FROM counted)`.as('all'),
    ])
    .orderBy('n.events', 'desc')
    .orderBy(byCodePoints('i.installed_product_id'))
    .orderBy('c.id')
    .limit(MOST)
    .execute()
  return rows.map(({ all, ...row }) => ({ ...row, share: shareOf(row.events, all) }))
}

/** Returns how many events of each severity were created on each UTC day up to today; a day without events is 0. */
export async function readEventRate(db: Db, question: KpiQuestion) {
  const day = sql<string>`(e.created_at AT TIME ZONE 'UTC')::date`
  const rows = await eventsInRange(db, question)
    .select([day.as('day'), ...severityCounts])
    .groupBy(day)
    .execute()
  const counted = new Map(rows.map((row) => [row.day, row]))
  return daysOf(question).map((one) => counted.get(one) ?? { day: one, high: 0, medium: 0, low: 0, total: 0 })
}

function daysOf({ from, until, now }: KpiQuestion): string[] {
  const days: string[] = []
  const end = Math.min(until.getTime(), now.getTime() + 1)
  for (let at = from.getTime(); at < end; at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

/** Returns the open events by age; every band, youngest first. */
export async function readOpenByAge(db: Db, { scope, now }: KpiQuestion) {
  const bounds = ageBands.slice(0, -1).map(({ days }) => new Date(now.getTime() - days * DAY_MS))
  // Bounds fall while ages grow: the band is the number of bounds that an event was created at or before.
  const band = sql<number>`(SELECT count(*)::int4 FROM unnest(${bounds}::timestamptz[]) AS b (at) WHERE e.created_at <= b.at)`
  const rows = await db
    .with('open', () =>
      realEvents(db, { scope })
        .where(isOpen)
        .select([band.as('band'), 'e.severity']),
    )
    .selectFrom('open as e')
    .select(['e.band', ...severityCounts])
    .groupBy('e.band')
    .execute()
  const counted = new Map(rows.map(({ band: number, ...counts }) => [number, counts]))
  return ageBands.map(({ label }, index) => ({
    age: label,
    ...(counted.get(index) ?? { high: 0, medium: 0, low: 0, total: 0 }),
  }))
}

/** Returns the reasons of closed events, most frequent first. */
export async function readCloseReasons(db: Db, question: KpiQuestion) {
  const rows = await eventsInRange(db, question)
    .where('e.alert_status', '=', 3)
    .where('e.reason_closed', 'is not', null)
    .select(['e.reason_closed as code', eventCount.as('events')])
    .groupBy('e.reason_closed')
    .orderBy('events', 'desc')
    .orderBy('e.reason_closed')
    .execute()
  const all = rows.reduce((sum, { events }) => sum + events, 0)
  return rows.map(({ code, events }) => ({ reason: closeReasonOf(code), events, share: shareOf(events, all) }))
}

/**
 * Returns whether events under a 24-hour contract were acknowledged in time, by customer, most missed first. Events
 * that the system closed waited for no one, so closing counts as well.
 */
export async function readSla(db: Db, question: KpiQuestion) {
  const answered = sql`coalesce(e.claimed_at, e.closed_at)`
  const due = sql`e.created_at + interval '24 hours'`
  const rows = await db
    .with('decided', () =>
      eventsInRange(db, question)
        .where('e.full_support', '=', true)
        .select([
          'e.customer_id',
          eventCount.as('events'),
          sql<number>`(count(*) FILTER (WHERE ${answered} <= ${due}))::int4`.as('kept'),
          sql<number>`(count(*) FILTER (WHERE ${answered} IS NULL AND ${due} > ${question.now}))::int4`.as('running'),
        ])
        .groupBy('e.customer_id'),
    )
    .selectFrom('decided as d')
    .innerJoin('customer as c', 'c.id', 'd.customer_id')
    .select([
      'c.name as customer',
      'd.events',
      'd.kept',
      'd.running',
      sql<number>`d.events - d.kept - d.running`.as('missed'),
    ])
    .orderBy('missed', 'desc')
    .orderBy('d.events', 'desc')
    .orderBy(byCodePoints('c.name'))
    .orderBy('c.id')
    .execute()
  return rows.map((row) => ({ ...row, share: shareOf(row.kept, row.kept + row.missed) }))
}

/**
 * Query for events about instruments and people, as `e`, without tests: a fleet's weekly tests of the alarm chain
 * would be a tenth of all events.
 */
function realEvents(db: Db, { scope }: Pick<KpiQuestion, 'scope'>) {
  return serviceEvents(db, scope).where(sql<boolean>`NOT ${isAlarmTest}`)
}

/** Query for the events of a question, as `e`. */
export function eventsInRange(db: Db, { scope, from, until }: KpiQuestion) {
  return realEvents(db, { scope }).where('e.created_at', '>=', from).where('e.created_at', '<', until)
}

/** Never below 0: two server nodes whose clocks differ slightly may have written the two times. */
export function secondsFromCreation(end: 'e.claimed_at' | 'e.closed_at') {
  return sql<number>`greatest(0, extract(epoch FROM ${sql.ref(end)} - e.created_at)::float8)`
}

/** Rounds to whole seconds, because a table without false precision is easier to read. */
export function wholeSeconds(seconds: number | null | undefined): number | null {
  return seconds === null || seconds === undefined ? null : Math.round(seconds)
}

export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** Computes both from one sort. */
const medianAndP90 = (end: 'e.claimed_at' | 'e.closed_at') =>
  sql<number[] | null>`percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY ${secondsFromCreation(end)})
    FILTER (WHERE ${sql.ref(end)} IS NOT NULL)`

/**
 * Returns how fast events are acknowledged and closed, by their present owner, deleted users combined; most events
 * first.
 */
export async function readResponseByOwner(db: Db, question: KpiQuestion) {
  const owner = sql<string>`CASE WHEN t.subject IS NULL THEN 'No owner' ELSE coalesce(u.name, ${NO_NAME}) END`
  const rows = await db
    .with('times', () => responseTimes(db, question, ownerSubject))
    .selectFrom('times as t')
    .leftJoin('app_user as u', 'u.id', 't.subject')
    .selectAll('t')
    .select(owner.as('owner'))
    .orderBy('t.events', 'desc')
    .orderBy(byCodePoints(owner))
    .orderBy('t.subject')
    .execute()
  return rows.map((row) => ({ owner: row.owner, ...timesOf(row) }))
}

/** Returns the same by the customer under whom the events were raised. */
export async function readResponseByCustomer(db: Db, question: KpiQuestion) {
  const rows = await db
    .with('times', () => responseTimes(db, question, sql.ref('e.customer_id')))
    .selectFrom('times as t')
    .innerJoin('customer as c', 'c.id', 't.subject')
    .selectAll('t')
    .select('c.name as customer')
    .orderBy('t.events', 'desc')
    .orderBy(byCodePoints('c.name'))
    .orderBy('t.subject')
    .execute()
  return rows.map((row) => ({ customer: row.customer, ...timesOf(row) }))
}

/**
 * Returns the figures of all events together, because medians of groups do not add up. One row, even without events.
 */
export async function readResponse(db: Db, question: KpiQuestion) {
  const row = await eventsInRange(db, question).select(times()).executeTakeFirstOrThrow()
  return [timesOf(row)]
}

/** Deleted users share one name, so the first of them represents all: rows that look alike are useless. */
const ownerSubject = sql<number | null>`CASE
  WHEN e.claimed_by IN (SELECT id FROM app_user WHERE deleted_at IS NOT NULL)
  THEN (SELECT min(id) FROM app_user WHERE deleted_at IS NOT NULL) ELSE e.claimed_by END`

function responseTimes(db: Db, question: KpiQuestion, subject: RawBuilder<unknown>) {
  // Read separately, in order of time: the index of customers would deliver them sorted by customer, but read 384,000
  // pages instead of 29,000 for a year of 400,000 events.
  const inRange = eventsInRange(db, question)
    .select(['e.claimed_by', 'e.customer_id', 'e.created_at', 'e.claimed_at', 'e.closed_at'])
    .offset(0)
  return db
    .selectFrom(inRange.as('e'))
    .select(sql<number | null>`${subject}`.as('subject'))
    .select(times())
    .groupBy('subject')
}

const times = () =>
  [
    eventCount.as('events'),
    sql<number>`count(e.claimed_at)::int4`.as('acknowledged'),
    sql<number>`count(e.closed_at)::int4`.as('closed'),
    medianAndP90('e.claimed_at').as('acknowledge'),
    medianAndP90('e.closed_at').as('close'),
  ] as const

interface Times {
  events: number
  acknowledged: number
  closed: number
  acknowledge: number[] | null
  close: number[] | null
}

function timesOf({ events, acknowledged, closed, acknowledge, close }: Times) {
  return {
    events,
    acknowledged,
    acknowledgeMedian: wholeSeconds(acknowledge?.[0]),
    acknowledgeP90: wholeSeconds(acknowledge?.[1]),
    closed,
    closeMedian: wholeSeconds(close?.[0]),
    closeP90: wholeSeconds(close?.[1]),
  }
}

const MOST_ERRORS = 20

/**
 * Returns the most frequent errors by instrument type, with the description of their template; if none is registered,
 * with the first description that came in.
 */
export async function readTopErrors(db: Db, question: KpiQuestion) {
  // Read separately, in order of time: the index of templates would lead to their events of all years.
  const inRange = () =>
    eventsInRange(db, question)
      .select(['e.instrument_id', 'e.template_id', 'e.description', 'e.created_at', 'e.closed_at'])
      .offset(0)
  const typed = () => db.selectFrom(inRange().as('e')).leftJoin('instrument as i', 'i.id', 'e.instrument_id')
  const rows = await db
    .with('counted', () =>
      typed()
        .select(['i.type', 'e.template_id', eventCount.as('events')])
        .groupBy(['i.type', 'e.template_id']),
    )
    .with('frequent', (from) =>
      from
        .selectFrom('counted')
        .selectAll()
        .orderBy('events', 'desc')
        .orderBy(byCodePoints('template_id'))
        .orderBy(byCodePoints('type'))
        .limit(MOST_ERRORS),
    )
    // Times and texts of these errors only: sorting a year of them would need the disk.
    .with('details', () =>
      typed()
        .where(
          sql<boolean>`(e.template_id, coalesce(i.type, '')) IN (SELECT f.template_id, coalesce(f.type, '') FROM frequent f)`,
        )
        .select([
          'i.type',
          'e.template_id',
          sql<string>`min(e.description COLLATE "C")`.as('description'),
          sql<number | null>`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${secondsFromCreation('e.closed_at')})
            FILTER (WHERE e.closed_at IS NOT NULL)`.as('close'),
        ])
        .groupBy(['i.type', 'e.template_id']),
    )
    .selectFrom('frequent as n')
    .innerJoin('details', (join) =>
      join
        .onRef('details.template_id', '=', 'n.template_id')
        .on(sql<boolean>`details.type IS NOT DISTINCT FROM n.type`),
    )
    .leftJoin('event_template as t', (join) =>
      join.onRef('t.instrument_type', '=', 'n.type').onRef('t.template_id', '=', 'n.template_id'),
    )
    .leftJoin('instrument_type as y', 'y.key', 'n.type')
    .select([
      'n.template_id as error',
      sql<string>`coalesce(y.label, 'Gateway')`.as('type'),
      sql<string>`coalesce(t.description, details.description)`.as('description'),
      'n.events',
      'details.close',
      sql<number>`(SELECT sum(events)::int4 FROM counted)`.as('all'),
    ])
    .orderBy('n.events', 'desc')
    .orderBy(byCodePoints('n.template_id'))
    .orderBy(byCodePoints('n.type'))
    .execute()
  return rows.map(({ error, type, description, events, close, all }) => ({
    error,
    description,
    events,
    type,
    share: shareOf(events, all),
    closeMedian: wholeSeconds(close),
  }))
}
