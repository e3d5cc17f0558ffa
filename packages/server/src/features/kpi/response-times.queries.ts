import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { byCodePoints } from '../../db/sql/text-order.ts'
import { NO_NAME } from '../users/users.lookup.ts'
import { eventCount, eventsInRange, secondsFromCreation, wholeSeconds } from './counted-events.queries.ts'
import type { KpiQuestion } from './kpi-question.ts'

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
