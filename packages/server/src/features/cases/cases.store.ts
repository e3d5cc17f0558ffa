import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import type { ServiceCaseTable } from '../../db/schema/events.ts'
import { NO_NAME } from '../users/users.lookup.ts'

/**
 * Time for which a server has a case to itself. An attempt makes at most six requests of ten seconds; after the lease,
 * another server tries, because the first one must have died.
 */
const LEASE_MS = 2 * 60_000

type StoredCase = Selectable<ServiceCaseTable>

/** Writes a case that is due at once. The event must be locked and have none. */
export async function insertCase(
  trx: Trx,
  { eventId, userId, at }: { eventId: number; userId: number; at: Date },
): Promise<void> {
  await trx
    .insertInto('service_case')
    .values({ event_id: eventId, requested_by: userId, requested_at: at, next_attempt_at: at })
    .execute()
}

/** Returns and locks the case of an event, which must be locked first. */
export async function lockCase(trx: Trx, eventId: number): Promise<StoredCase | undefined> {
  return trx.selectFrom('service_case').selectAll().where('event_id', '=', eventId).forUpdate().executeTakeFirst()
}

/** Returns the name of the user who asked for a case. */
export async function readRequester(trx: Trx, userId: number): Promise<string> {
  const user = await trx.selectFrom('app_user').select('name').where('id', '=', userId).executeTakeFirstOrThrow()
  return user.name ?? NO_NAME
}

/** Deletes the request for a case, unless the desk has created the case already. */
export async function deleteCaseRequest(trx: Trx, eventId: number): Promise<void> {
  await trx.deleteFrom('service_case').where('event_id', '=', eventId).where('number', 'is', null).execute()
}

/** Returns the event of the case with this number; undefined if the desk created none. */
export async function findEventOfCase(db: Db, number: string): Promise<number | undefined> {
  const row = await db.selectFrom('service_case').select('event_id').where('number', '=', number).executeTakeFirst()
  return row?.event_id
}

export interface TakenCase {
  eventId: number
  /** Attempts including this one; identifies the attempt. */
  attempts: number
}

function due(db: Db, at: Date) {
  return db
    .selectFrom('service_case')
    .select('event_id')
    .where('number', 'is', null)
    .where('next_attempt_at', '<=', at)
    .where((eb) => eb.or([eb('taken_until', 'is', null), eb('taken_until', '<=', at)]))
    .orderBy('next_attempt_at')
    .limit(1)
}

export async function hasDueCase(db: Db, at: Date): Promise<boolean> {
  return (await due(db, at).executeTakeFirst()) !== undefined
}

/** Takes the case that has been due longest. No other server gets it until its lease has expired. */
export async function takeDueCase(db: Db, at: Date): Promise<TakenCase | undefined> {
  return db
    .updateTable('service_case')
    .set({ attempts: sql`attempts + 1`, taken_until: new Date(at.getTime() + LEASE_MS) })
    .where('event_id', '=', due(db, at).forUpdate().skipLocked())
    .returning(['event_id as eventId', 'attempts'])
    .executeTakeFirst()
}

/** The case as this attempt knows it, unless it was cancelled or taken by another server. */
const ofAttempt = (db: Db, { eventId, attempts }: TakenCase) =>
  db
    .updateTable('service_case')
    .where('event_id', '=', eventId)
    .where('attempts', '=', attempts)
    .where('number', 'is', null)

/** Renews the lease. Returns false if the case was cancelled, or another server has taken it. */
export async function keepCase(db: Db, taken: TakenCase, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await ofAttempt(db, taken)
    .set({ taken_until: new Date(at.getTime() + LEASE_MS) })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Notes why an attempt failed. Returns false if the case was cancelled, or another server has taken it. */
export async function noteFailure(
  trx: Trx,
  taken: TakenCase,
  { error, retryAt }: { error: string; retryAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await ofAttempt(trx, taken)
    .set({ last_error: error, next_attempt_at: retryAt, taken_until: null })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Makes a case due at once, for a server that stops in the middle of an attempt. */
export async function giveCaseBack(db: Db, taken: TakenCase): Promise<void> {
  await ofAttempt(db, taken).set({ taken_until: null }).execute()
}

export async function markCreated(trx: Trx, { eventId, number }: { eventId: number; number: string }): Promise<void> {
  await trx
    .updateTable('service_case')
    .set({ number, last_error: null, taken_until: null })
    .where('event_id', '=', eventId)
    .execute()
}

/** Writes what the desk reported. `since` is the time at which the case got this status. */
export async function writeStatus(
  trx: Trx,
  { eventId, status, since, reportedAt }: { eventId: number; status: string; since: Date; reportedAt: Date },
): Promise<void> {
  await trx
    .updateTable('service_case')
    .set({ status, status_since: since, reported_at: reportedAt })
    .where('event_id', '=', eventId)
    .execute()
}
