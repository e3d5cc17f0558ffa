import type { DatabaseHandle } from '../../db/connect.ts'
import type { ClientReads, LongReads } from '../../db/replica/long-reads.ts'
import type { Clock } from '../../platform/clock.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { findPerson } from '../users/users.lookup.ts'
import { fileOf } from './export-link.ts'
import { type ExportToWrite, markReady, noteProgress, readChunk } from './exports.store.ts'
import { type FileRows, headOf, readFileRows } from './list-rows.queries.ts'

interface Writing {
  database: DatabaseHandle
  reads: LongReads
  clock: Clock
  files: FileStore
}

/** Minimum time between two progress updates. */
const PROGRESS_MS = 1000

/**
 * Writes the file of an export and then marks it ready. Starts again from the beginning if another process wrote a
 * part: that takes a few seconds, and a file in two parts could not be trusted. Throws MissingRows, and Stopped when
 * the process ends.
 */
export async function writeExport(
  writing: Writing,
  { pending, stop }: { pending: ExportToWrite; stop: AbortSignal },
): Promise<void> {
  const open: { end(): Promise<void> }[] = []
  const lanes: ClientReads[] = []
  try {
    while (lanes.length < SIDE_BY_SIDE) {
      const client = await writing.database.dedicatedClient()
      const lane = writing.reads.beside(client)
      open.push(client, lane)
      lanes.push(lane)
    }
    await writing.files.write(fileOf(pending.id), rowsOf(writing, { lanes, pending, stop }))
  } finally {
    await Promise.all(open.map((one) => one.end()))
  }
  await markReady(writing.database.db, { id: pending.id, written: pending.rows, at: writing.clock.now() })
}

/**
 * Thrown if rows were deleted or became hidden from the user before they were read: the file would have fewer rows
 * than announced, and a part that looks like the whole is worse than none.
 */
export class MissingRows extends Error {}

/** Thrown when this process ends; another one continues. */
export class Stopped extends Error {}

/** Chunks that are made at a time, each on its own connection: one would leave the database's other cores idle. */
const SIDE_BY_SIDE = 2

/** Yields the file chunk by chunk, in order. */
async function* rowsOf(
  { database: { db }, clock }: Writing,
  { lanes, pending, stop }: { lanes: readonly ClientReads[]; pending: ExportToWrite; stop: AbortSignal },
): AsyncGenerator<string | Buffer> {
  const begun: { lane: ClientReads; rows: Promise<FileRows | undefined> }[] = []
  let chunk = 0
  const begin = (lane: ClientReads) => {
    const next = readRows(lane, { pending, chunk })
    // If writing the file fails in the meantime, nothing awaits this promise.
    next.catch(() => undefined)
    begun.push({ lane, rows: next })
    chunk += 1
  }
  for (const lane of lanes) begin(lane)
  yield headOf(pending)
  let written = 0
  let reportedAt = clock.now().getTime()
  for (let next = begun.shift(); next; next = begun.shift()) {
    const rows = await next.rows
    if (!rows) break
    if (stop.aborted) throw new Stopped('The server stops.')
    begin(next.lane)
    yield* rows.pieces
    written += rows.count
    const at = clock.now()
    if (at.getTime() - reportedAt < PROGRESS_MS) continue
    reportedAt = at.getTime()
    await noteProgress(db, { id: pending.id, written, at })
  }
  if (written !== pending.rows) throw new MissingRows(`${pending.rows - written} rows are missing.`)
}

/** Reads one chunk as its owner may see it now; undefined after the last one. */
async function readRows(
  lane: ClientReads,
  { pending, chunk }: { pending: ExportToWrite; chunk: number },
): Promise<FileRows | undefined> {
  return lane.inSnapshot(async (trx, client) => {
    const ids = await readChunk(trx, { id: pending.id, chunk })
    if (!ids) return undefined
    const person = await findPerson(trx, pending.user_id)
    const rows = await readFileRows(client, {
      db: trx,
      ids,
      scope: person?.scope ?? [],
      viewerId: pending.user_id,
      type: pending.type,
      details: pending.details,
    })
    if (rows.count !== ids.length) throw new MissingRows(`${ids.length - rows.count} rows are missing.`)
    return rows
  })
}
