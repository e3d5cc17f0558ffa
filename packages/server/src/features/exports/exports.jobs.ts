import type { DatabaseHandle } from '../../db/connect.ts'
import { enqueueJob, type JobHandler } from '../../db/queues/jobs.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import type { ClientReads, LongReads } from '../../db/replica/long-reads.ts'
import type { Clock } from '../../platform/clock.ts'
import { coalesce } from '../../platform/concurrency.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { isPassingDatabaseError } from '../../platform/passing-database-error.ts'
import type { FeatureContext } from '../context.ts'
import { findPerson } from '../users/users.lookup.ts'
import { exportOfFile, fileOf } from './export-link.ts'
import { WRITE_EXPORTS_JOB } from './exports.service.ts'
import {
  deleteExpiredExports,
  type ExportToWrite,
  hasSilentExport,
  markFailed,
  markReady,
  noteProgress,
  readChunk,
  readKnownExports,
  type TakenExport,
  takeUnwrittenExport,
} from './exports.store.ts'
import { type FileRows, headOf, readFileRows } from './list-rows.queries.ts'

interface Exporting extends Pick<FeatureContext, 'db' | 'clock' | 'log'> {
  database: DatabaseHandle
  reads: LongReads
  files: FileStore
}

/**
 * Files that one process writes at a time: a small one need not wait for a large one, and e-mails keep their capacity.
 */
const LANES = 2
/** The process that writes an export reports progress every second; after this silence it counts as dead. */
const SILENT_MS = 10_000

/**
 * Returns the job that writes all waiting exports. A job is only a signal: each run takes one export after the other,
 * so a lost or repeated job does no harm.
 */
export function exportJobs(exporting: Exporting): JobHandler[] {
  const write = coalesce((stop) => writeAll(exporting, stop), LANES)
  return [{ name: WRITE_EXPORTS_JOB, run: (_payload, stop) => write(stop) }]
}

/** Writes one export after the other until none is left to take. */
async function writeAll(exporting: Exporting, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const taken = await takeUnwrittenExport(exporting.database, exporting.clock.now())
    if (!taken) return
    try {
      await writeOrFail(exporting, { taken, stop })
    } finally {
      await taken.release()
    }
  }
}

/** Transient database errors are retried later; other errors would occur again. */
async function writeOrFail(
  { database, reads, db, clock, log, files }: Exporting,
  { taken: { pending }, stop }: { taken: TakenExport; stop: AbortSignal },
): Promise<void> {
  const started = performance.now()
  try {
    await writeExport({ database, reads, clock, files }, { pending, stop })
    log.info({ export: pending.id, rows: pending.rows, ms: Math.round(performance.now() - started) }, 'export written')
  } catch (error) {
    // The leader queues it again once it is silent.
    if (error instanceof Stopped) return
    if (isPassingDatabaseError(error)) throw error
    await markFailed(db, { id: pending.id, at: clock.now() })
    log.error({ err: error, export: pending.id, rows: pending.rows }, 'export failed')
  }
}

/** Periodic tasks of the leader: resume the exports of a dead process, and clean up. */
export function exportTasks({ db, clock, files }: Pick<Exporting, 'db' | 'clock' | 'files'>): LeaderTask[] {
  return [
    {
      name: 'restart exports that no process writes',
      everyMs: 5000,
      async run() {
        const at = clock.now()
        if (!(await hasSilentExport(db, { before: new Date(at.getTime() - SILENT_MS), at }))) return
        await enqueueJob(db, { name: WRITE_EXPORTS_JOB, payload: {} }, { key: 'silent exports' })
      },
    },
    {
      name: 'delete exports that have expired',
      everyMs: 60_000,
      async run() {
        await deleteExpiredExports(db, clock.now())
        await deleteForgottenFiles({ db, files })
      },
    },
  ]
}

/**
 * Deletes files of exports that no longer exist. Files are listed first, so files created in the meantime are not
 * considered. A bucket may contain files of others.
 */
async function deleteForgottenFiles({ db, files }: Pick<Exporting, 'db' | 'files'>): Promise<void> {
  const names = await files.names()
  const known = await readKnownExports(
    db,
    names.flatMap((name) => exportOfFile(name) ?? []),
  )
  for (const name of names) {
    const id = exportOfFile(name)
    if (id !== undefined && !known.has(id)) await files.delete(name)
  }
}

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
async function writeExport(
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
class MissingRows extends Error {}

/** Thrown when this process ends; another one continues. */
class Stopped extends Error {}

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
