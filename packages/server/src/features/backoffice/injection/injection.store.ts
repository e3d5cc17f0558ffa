import type { LogWish } from '@benchwatch/contract/administration/backoffice-forms'
import { ALARM_TEST_TEMPLATE_ID, type AlarmTestResult } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import { takeAdvisoryLock } from '../../../db/advisory-locks.ts'
import type { Db, Trx } from '../../../db/connect.ts'
import { inScope, instruments, isOpen, serviceEvents } from '../../../db/scoped.ts'
import type { Progress } from './injection-outcome.ts'

/** A test of one gateway, at the instrument that was registered first. */
export type AlarmTest = Awaited<ReturnType<typeof readTests>>[number]

/** The maximum number of tests of a gateway after `since`. */
interface TestLimit {
  tests: number
  since: Date
}

/**
 * Orders a test of each gateway in scope that has an instrument, no running test and a test left within the limit.
 * Returns the number ordered.
 */
export async function orderTests(
  trx: Trx,
  { scope, now, limit }: { scope: DataScope; now: Date; limit?: TestLimit },
): Promise<number> {
  await takeAdvisoryLock(trx, 'alarmTests')
  const gateways = testableGateways(trx, scope)
    .where(sql<boolean>`NOT EXISTS (SELECT FROM alarm_test t WHERE t.gateway_id = g.id AND t.result = 'waiting')`)
    .select(['g.id', sql<number>`min(i.id)`.as('instrument'), sql<Date>`${now}::timestamptz`.as('at')])
    .orderBy('g.id')
  const rows = await trx
    .insertInto('alarm_test')
    .columns(['gateway_id', 'instrument_id', 'ordered_at'])
    .expression(limit ? gateways.where(sql<boolean>`${lastInTheWay(limit)} IS NULL`) : gateways)
    .returning('id')
    .execute()
  return rows.length
}

/**
 * Returns the test that leaves the limit first, among gateways that have used it up; undefined if every gateway has a
 * test left.
 */
export async function readNextToLapse(
  db: Db,
  { scope, limit }: { scope: DataScope; limit: TestLimit },
): Promise<Date | undefined> {
  const rows = await testableGateways(db, scope).select(lastInTheWay(limit).as('orderedAt')).execute()
  return rows.flatMap(({ orderedAt }) => orderedAt ?? []).toSorted((one, other) => one.getTime() - other.getTime())[0]
}

/** Selects gateways in scope that have an instrument, as `g`, and their instruments, as `i`. */
function testableGateways(db: Db, scope: DataScope) {
  return instruments(db, scope)
    .innerJoin('gateway as g', 'g.id', 'i.gateway_id')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .where(inScope(scope, sql.ref('s.customer_id')))
    .groupBy('g.id')
}

/** Returns when the oldest test within the used-up limit of gateway `g` was ordered; null if a test is left. */
const lastInTheWay = ({ tests, since }: TestLimit) =>
  sql<Date | null>`(SELECT t.ordered_at FROM alarm_test t WHERE t.gateway_id = g.id AND t.ordered_at > ${since}
    ORDER BY t.id DESC OFFSET ${tests - 1} LIMIT 1)`

/** Takes the oldest ordered test that was not raised, and records the last published message. */
export async function takeOrdered(db: Db, now: Date): Promise<AlarmTest | undefined> {
  const ordered = await db
    .updateTable('alarm_test')
    .set({ raised_at: now, after_seq: sql<number>`(SELECT last_seq FROM live_sequence)` })
    .where('id', 'in', (tests) =>
      tests
        .selectFrom('alarm_test')
        .select('id')
        .where('result', '=', 'waiting')
        .where('raised_at', 'is', null)
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  const [test] = await readTests(
    db,
    ordered.map(({ id }) => id),
  )
  return test
}

/** A running test with its progress. */
export interface RunningTest extends AlarmTest, Omit<Progress, 'isFound'> {
  raisedAt: Date
}

/** Returns tests that were raised and have no result. */
export async function readRunning(db: Db): Promise<RunningTest[]> {
  const waiting = await db
    .selectFrom('alarm_test')
    .select(['id', 'raised_at', 'after_seq'])
    .where('result', '=', 'waiting')
    .where('raised_at', 'is not', null)
    .orderBy('id')
    .execute()
  if (waiting.length === 0) return []
  const tests = await readTests(
    db,
    waiting.map(({ id }) => id),
  )
  const events = await readTestEvents(db, tests)
  const eventIds = [...events.values()]
  const published = await readPublished(db, {
    eventIds,
    after: Math.min(...waiting.map(({ after_seq }) => after_seq ?? 0)),
  })
  const pending = await readPendingNotifications(db, eventIds)
  const raised = new Map(waiting.map(({ id, raised_at }) => [id, raised_at]))
  return tests.flatMap((test) => {
    const raisedAt = raised.get(test.id)
    const eventId = events.get(test.id) ?? null
    if (!raisedAt) return []
    const hasEvent = eventId !== null
    const progress = { isPublished: hasEvent && published.has(eventId), isNotified: hasEvent && !pending.has(eventId) }
    return [{ ...test, raisedAt, eventId, ...progress }]
  })
}

async function readTests(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  return instruments(db, 'all')
    .innerJoin('alarm_test as t', 't.instrument_id', 'i.id')
    .innerJoin('gateway as g', 'g.id', 't.gateway_id')
    .where('t.id', 'in', [...ids])
    .orderBy('t.id')
    .select([
      't.id',
      'g.id as gatewayId',
      'g.name as gateway',
      'i.id as instrumentId',
      'i.installed_product_id as installedProductId',
      'i.customer_id as customerId',
    ])
    .execute()
}

/** Returns the alert ID of a test. */
export function alertIdOf({ id }: Pick<AlarmTest, 'id'>): string {
  return `TEST-${id}`
}

async function readTestEvents(db: Db, tests: readonly AlarmTest[]): Promise<Map<number, number>> {
  if (tests.length === 0) return new Map()
  const rows = await serviceEvents(db, 'all')
    .innerJoin(
      sql<{ test: number; instrument_id: number; alert_id: string }>`unnest(
        ${tests.map(({ id }) => id)}::int8[], ${tests.map(({ instrumentId }) => instrumentId)}::int[],
        ${tests.map(alertIdOf)}::text[])`.as<'t'>(sql`t (test, instrument_id, alert_id)`),
      (join) => join.onRef('t.instrument_id', '=', 'e.instrument_id').onRef('t.alert_id', '=', 'e.alert_id'),
    )
    .where('e.cleared_at', 'is', null)
    .where('e.template_id', '=', ALARM_TEST_TEMPLATE_ID)
    .select(['t.test', 'e.id'])
    .execute()
  return new Map(rows.map(({ test, id }) => [test, id]))
}

async function readPublished(
  db: Db,
  { eventIds, after }: { eventIds: readonly number[]; after: number },
): Promise<Set<number>> {
  if (eventIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT (message -> 'payload' ->> 'id')::int8 AS id FROM live_message
    WHERE seq > ${after} AND message ->> 'entity' = 'alarm' AND message ->> 'action' = 'create'
      AND message -> 'payload' ->> 'id' = ANY(${eventIds.map(String)}::text[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function readPendingNotifications(db: Db, eventIds: readonly number[]): Promise<Set<number>> {
  if (eventIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('pending_notification')
    .select('event_id')
    .where('event_id', 'in', [...eventIds])
    .execute()
  return new Set(rows.map(({ event_id }) => event_id))
}

/**
 * Returns the open, uncleared events of tests at an instrument: with ALARM_TEST_TEMPLATE_ID those of tests, with
 * MISSING_TEST_TEMPLATE_ID those about missing tests.
 */
export async function readUncleared(
  db: Db,
  { instrumentId, templateId }: { instrumentId: number; templateId: string },
): Promise<number[]> {
  const rows = await serviceEvents(db, 'all')
    .where('e.instrument_id', '=', instrumentId)
    .where('e.template_id', '=', templateId)
    .where('e.alert_source', '=', 'TEST')
    .where('e.cleared_at', 'is', null)
    .where(isOpen)
    .orderBy('e.id')
    .select('e.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Ends a test. Returns false if another process did so first. */
export async function endTest(
  trx: Trx,
  { id, result, at }: { id: number; result: AlarmTestResult; at: Date },
): Promise<boolean> {
  const row = await trx
    .updateTable('alarm_test')
    .set({ result, ended_at: at })
    .where('id', '=', id)
    .where('result', '=', 'waiting')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends tests that cannot be followed any more, for example because the instrument was deleted. */
export async function endAbandoned(db: Db, { before, at }: { before: Date; at: Date }): Promise<void> {
  await db
    .updateTable('alarm_test')
    .set({ result: 'missing', ended_at: at })
    .where('result', '=', 'waiting')
    .where('ordered_at', '<', before)
    .execute()
}

/** Returns the time of the next weekly test, or undefined if none is planned. */
export async function readNextTest(db: Db): Promise<Date | undefined> {
  return (await db.selectFrom('alarm_test_schedule').select('next_at').executeTakeFirst())?.next_at
}

/** Plans or cancels the next weekly test. */
export async function planNextTest(db: Db, at: Date | null): Promise<void> {
  if (at === null) await db.deleteFrom('alarm_test_schedule').execute()
  else {
    await db
      .insertInto('alarm_test_schedule')
      .values({ next_at: at })
      .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ next_at: at }))
      .execute()
  }
}

/** Deletes hourly counts and tests older than a given time. */
export async function forgetFeed(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('gateway_feed_hour').where('hour', '<', before).execute()
  await db.deleteFrom('alarm_test').where('ordered_at', '<', before).execute()
}

/** True if a customer in scope has this name. */
export async function isCustomerName(db: Db, { name, scope }: { name: string; scope: DataScope }): Promise<boolean> {
  const row = await db
    .selectFrom('customer as c')
    .where('c.name', '=', name)
    .where(inScope(scope, sql.ref('c.id')))
    .select('c.id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the installed product ID of an instrument of a customer in scope that is linked to a client PC. If the PC is
 * linked to several, returns the first.
 */
export async function findClientInstrument(
  db: Db,
  { hostname, customer, scope }: { hostname: string; customer: string; scope: DataScope },
): Promise<string | undefined> {
  const row = await instruments(db, scope)
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .innerJoin('instrument_software as s', 's.instrument_id', 'i.id')
    .where('c.name', '=', customer)
    .where(sql<boolean>`${hostname} = ANY(s.client_pc_names)`)
    .whereRef('s.reported_at', '>=', 'i.customer_since')
    .orderBy('i.installed_product_id')
    .select('i.installed_product_id')
    .limit(1)
    .executeTakeFirst()
  return row?.installed_product_id
}

/** Appends a line and returns its ID. */
export async function insertLogLine(
  trx: Trx,
  { line, now }: { line: LogWish & { instrumentId: number }; now: Date },
): Promise<string> {
  const { id } = await trx
    .insertInto('log_entry')
    .values({
      instrument_id: line.instrumentId,
      log_type: line.logType,
      ts: line.timestamp,
      message: line.message,
      module: line.module,
      level: line.level,
      event_code: line.eventCode,
      user_name: line.userName,
      hostname: line.hostname,
      received_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}
