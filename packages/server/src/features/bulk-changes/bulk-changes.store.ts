import type { BulkFailure, BulkProgress } from '@benchwatch/contract/events/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'

/** The results of one step. */
export interface StepResult {
  changed: number
  failed: BulkFailure[]
}

/** Number of events changed in one transaction; other changes to them wait for about 30 ms. */
export const STEP_EVENTS = 50

interface NewBulkChange {
  userId: number
  eventIds: readonly number[]
  change: ServiceEventChange
  at: Date
}

/** Inserts a bulk change to be processed. Returns its ID. */
export async function insertBulkChange(db: Db, { userId, eventIds, change, at }: NewBulkChange): Promise<string> {
  const { id } = await db
    .insertInto('bulk_change')
    .values({
      user_id: userId,
      event_ids: [...eventIds],
      change: JSON.stringify(change),
      created_at: at,
      stepped_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the progress of a user's bulk change, or undefined if it belongs to another user. */
export async function readBulkProgress(
  db: Db,
  { id, userId }: { id: string; userId: number },
): Promise<BulkProgress | undefined> {
  return db
    .selectFrom('bulk_change')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .select(['state', 'done', 'changed', 'failed', sql<number>`cardinality(event_ids)`.as('total')])
    .executeTakeFirst()
}

/** A bulk change that this transaction works on, with its next events. */
export type DueStep = NonNullable<Awaited<ReturnType<typeof takeDueStep>>>

/**
 * Locks the bulk change that has waited longest for its next step, skipping those that another process works on.
 * Returns undefined if there is none. Bulk changes take turns, so a small one need not wait for a large one.
 */
export async function takeDueStep(trx: Trx, { except }: { except: readonly string[] }) {
  return trx
    .selectFrom('bulk_change')
    .where('state', '=', 'running')
    .where(sql<boolean>`id <> ALL(${[...except]}::uuid[])`)
    .orderBy('stepped_at')
    .limit(1)
    .select([
      'id',
      'user_id as userId',
      'change',
      sql<number[]>`event_ids[done + 1 : done + ${STEP_EVENTS}]`.as('eventIds'),
      sql<boolean>`done + ${STEP_EVENTS} >= cardinality(event_ids)`.as('isLast'),
    ])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Records the result of a step in the step's own transaction, so that no event is processed twice. */
export async function noteStep(
  trx: Trx,
  { step, result, at }: { step: DueStep; result: StepResult; at: Date },
): Promise<void> {
  const { changed, failed } = result
  await trx
    .updateTable('bulk_change')
    .where('id', '=', step.id)
    .set({
      done: sql<number>`done + ${step.eventIds.length}`,
      changed: sql<number>`changed + ${changed}`,
      ...(failed.length > 0 && { failed: sql<BulkFailure[]>`failed || ${JSON.stringify(failed)}::jsonb` }),
      ...(step.isLast && { state: 'done' as const }),
      stepped_at: at,
    })
    .execute()
}

/** Stops a bulk change before it is complete. */
export async function stopBulkChange(trx: Trx, { id, at }: { id: string; at: Date }): Promise<void> {
  await trx.updateTable('bulk_change').where('id', '=', id).set({ state: 'failed', stepped_at: at }).execute()
}

/** True if some bulk change has made no step since then, because its process is gone. */
export async function hasSilentBulkChange(db: Db, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('bulk_change')
    .where('state', '=', 'running')
    .where('stepped_at', '<', since)
    .limit(1)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Stops bulk changes that have made no progress since then. Returns their IDs. */
export async function stopStandingBulkChanges(db: Db, since: Date): Promise<string[]> {
  const rows = await db
    .updateTable('bulk_change')
    .where('state', '=', 'running')
    .where('stepped_at', '<', since)
    .set({ state: 'failed' })
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteBulkChanges(db: Db, { before }: { before: Date }): Promise<void> {
  await db.deleteFrom('bulk_change').where('created_at', '<', before).execute()
}
