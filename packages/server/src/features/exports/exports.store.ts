import type { ExportDetails, ExportType } from '@benchwatch/contract/vocabulary'
import { type InferResult, sql } from 'kysely'
import { advisoryLocks } from '../../db/advisory-locks.ts'
import type { DatabaseHandle, Db, Trx } from '../../db/connect.ts'
import type { ExportLink } from './export-link.ts'

/** Rows that are read and written at a time: 5 MB at most. With 2000, the database took 10 % longer. */
const CHUNK_EVENTS = 5000

interface NewExport {
  userId: number
  link: ExportLink
  type: ExportType
  details: ExportDetails
  at: Date
  expiresAt: Date
  /** The ids in their order, in batches. */
  selected: AsyncIterable<readonly number[]>
}

/** Stores `selected` as an export that is still to be written; returns its id and number of rows. */
export async function insertExport(
  trx: Trx,
  { userId, link, type, details, at, expiresAt, selected }: NewExport,
): Promise<{ id: string; rows: number }> {
  const { id } = await trx
    .insertInto('export_file')
    .values({
      user_id: userId,
      token_hash: link.hash,
      token_sealed: link.sealed,
      type,
      details,
      rows: 0,
      created_at: at,
      stepped_at: at,
      expires_at: expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let rows = 0
  let chunk = 0
  for await (const ids of inChunks(selected)) {
    await trx.insertInto('export_chunk').values({ export_id: id, chunk, row_ids: ids }).execute()
    rows += ids.length
    chunk += 1
  }
  await trx.updateTable('export_file').set({ rows }).where('id', '=', id).execute()
  return { id, rows }
}

async function* inChunks(batches: AsyncIterable<readonly number[]>): AsyncGenerator<number[]> {
  let ids: number[] = []
  for await (const batch of batches) {
    ids = ids.concat(batch)
    for (; ids.length >= CHUNK_EVENTS; ids = ids.slice(CHUNK_EVENTS)) yield ids.slice(0, CHUNK_EVENTS)
  }
  if (ids.length > 0) yield ids
}

export type ExportToWrite = Awaited<ReturnType<typeof readUnwrittenExports>>[number]

/** Returns the unwritten exports that have not expired, oldest first. */
export async function readUnwrittenExports(db: Db, at: Date) {
  return unwritten(db, at).orderBy('created_at').select(['id', 'user_id', 'type', 'details', 'rows']).execute()
}

function unwritten(db: Db, at: Date) {
  return db.selectFrom('export_file').where('state', '=', 'running').where('expires_at', '>', at)
}

/** True if a waiting export has shown no progress since `before`. */
export async function hasSilentExport(db: Db, { before, at }: { before: Date; at: Date }): Promise<boolean> {
  const row = await unwritten(db, at).where('stepped_at', '<', before).select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Returns the ids of a chunk in order; undefined after the last one. */
export async function readChunk(
  db: Db,
  { id, chunk }: { id: string; chunk: number },
): Promise<readonly number[] | undefined> {
  const row = await db
    .selectFrom('export_chunk')
    .where('export_id', '=', id)
    .where('chunk', '=', chunk)
    .select('row_ids')
    .executeTakeFirst()
  return row?.row_ids
}

interface Step {
  id: string
  written: number
  at: Date
}

export async function noteProgress(db: Db, { id, written, at }: Step): Promise<void> {
  await stillRunning(db, id).set({ written, stepped_at: at }).execute()
}

export async function markReady(db: Db, { id, written, at }: Step): Promise<void> {
  await stillRunning(db, id).set({ state: 'ready', written, stepped_at: at }).execute()
}

export async function markFailed(db: Db, { id, at }: { id: string; at: Date }): Promise<void> {
  await stillRunning(db, id).set({ state: 'failed', stepped_at: at }).execute()
}

function stillRunning(db: Db, id: string) {
  return db.updateTable('export_file').where('id', '=', id).where('state', '=', 'running')
}

/** The state of an export for the user who waits for it. */
export type ExportState = InferResult<ReturnType<typeof usable>>[number]

/** Returns the caller's own export if it has not expired; otherwise undefined. */
export async function findOwnExport(
  db: Db,
  { id, userId, at }: { id: string; userId: number; at: Date },
): Promise<ExportState | undefined> {
  return usable(db, at).where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
}

export async function findExportByToken(
  db: Db,
  { tokenHash, at }: { tokenHash: Buffer; at: Date },
): Promise<ExportState | undefined> {
  return usable(db, at).where('token_hash', '=', tokenHash).executeTakeFirst()
}

function usable(db: Db, at: Date) {
  return db
    .selectFrom('export_file')
    .where('expires_at', '>', at)
    .select(['id', 'state', 'type', 'rows', 'written', 'created_at', 'token_sealed'])
}

/** Deletes expired exports. */
export async function deleteExpiredExports(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('export_file').where('expires_at', '<=', at).execute()
}

/** Returns the subset of these ids whose exports still exist. */
export async function readKnownExports(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('export_file')
    .where(sql<boolean>`id = ANY(${[...ids]}::uuid[])`)
    .select('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** An export that only this process writes. */
export interface TakenExport {
  pending: ExportToWrite
  /** Releases the lock. */
  release(): Promise<void>
}

/**
 * Locks the oldest export that no process writes; undefined if there is none. The lock belongs to a connection of its
 * own, so it ends with the process that holds it, and another process may take the export at once.
 */
export async function takeUnwrittenExport(
  { db, dedicatedClient }: Pick<DatabaseHandle, 'db' | 'dedicatedClient'>,
  at: Date,
): Promise<TakenExport | undefined> {
  if ((await readUnwrittenExports(db, at)).length === 0) return undefined
  const client = await dedicatedClient()
  const release = () => client.end()
  try {
    for (const { id } of await readUnwrittenExports(db, at)) {
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
        [advisoryLocks.exports, id],
      )
      if (!rows[0]?.taken) continue
      // The previous holder of the lock may have written it.
      const pending = (await readUnwrittenExports(db, at)).find((unwritten) => unwritten.id === id)
      if (pending) return { pending, release }
    }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return undefined
}
