import type { BulkFailure, BulkProgress, bulkSelection } from '@benchwatch/contract/events/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { limits } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { EventSearch } from '../events/search/event-search.ts'
import { resolveSelection } from '../events/search/filters.queries.ts'

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

/** A selection as sent by the client. Fields other than `ids` and `mode` apply in exclude mode only. */
export type RequestedSelection = z.output<typeof bulkSelection>

interface SelectionInput {
  selection: RequestedSelection
  scope: DataScope
  now: Date
}

/**
 * Returns the distinct IDs of the selected events in ascending order. Leaves out events outside the scope. Throws
 * selection-too-large above 10,000.
 */
export async function selectedEventIds(
  { db, eventSearch }: { db: Db; eventSearch: EventSearch },
  { selection, scope, now }: SelectionInput,
): Promise<number[]> {
  const named = new Set(selection.ids.map(Number))
  if (selection.mode === 'include') return idsInScope(db, { ids: named, scope })
  // The maximum plus the number of excluded events.
  const limit = limits.bulkEvents + named.size
  const { ids, total } = await inTransaction(
    db,
    async (trx) => {
      const moment = eventSearch.begin()
      const found = await resolveSelection(trx, { search: searchOf(selection), scope, now })
      // Uses the order, and therefore the speed, of the list's first page, however many events there are.
      const page = { orderBy: 'createdAt', order: 'DESC', limit, offset: 0 } as const
      const { ids, totals } = await moment.find(trx, found, page)
      return { ids, total: totals.events }
    },
    { isSnapshot: true },
  )
  // If not all events were read, counts like the console: the total minus the excluded events.
  if (total > limit) throw tooMany(total - named.size)
  const selected = ids.filter((id) => !named.has(id))
  if (selected.length > limits.bulkEvents) throw tooMany(selected.length)
  return selected.sort((a, b) => a - b)
}

async function idsInScope(db: Db, { ids, scope }: { ids: ReadonlySet<number>; scope: DataScope }): Promise<number[]> {
  if (ids.size > limits.bulkEvents) throw tooMany(ids.size)
  const rows = await serviceEvents(db, scope)
    .where(sql<boolean>`e.id = ANY(${[...ids]}::bigint[])`)
    .orderBy('e.id')
    .select('e.id')
    .execute()
  return rows.map(({ id }) => id)
}

function searchOf({ filter, keyword, start, stop, quick }: RequestedSelection) {
  return {
    filter,
    keyword: keyword ?? undefined,
    start: start ?? undefined,
    stop: stop ?? undefined,
    flags: { noOwner: quick === 'noOwner', noAction: quick === 'noAction', fullSupport: quick === 'fullSupport' },
  }
}

function tooMany(events: number) {
  const most = limits.bulkEvents.toLocaleString('en')
  return problem(
    'selection-too-large',
    `${events.toLocaleString('en')} events are selected, and at most ${most} can be changed at once. Narrow the list by filters, search or a shorter range, then select again.`,
  )
}
