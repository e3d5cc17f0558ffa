import type { DatabaseHandle } from '../../db/connect.ts'
import { enqueueJob, type JobHandler } from '../../db/queues/jobs.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import type { LongReads } from '../../db/replica/long-reads.ts'
import { coalesce } from '../../platform/concurrency.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { isPassingDatabaseError } from '../../platform/passing-database-error.ts'
import type { FeatureContext } from '../context.ts'
import { exportOfFile } from './export-link.ts'
import { WRITE_EXPORTS_JOB } from './exports.service.ts'
import {
  deleteExpiredExports,
  hasSilentExport,
  markFailed,
  readKnownExports,
  type TakenExport,
  takeUnwrittenExport,
} from './exports.store.ts'
import { Stopped, writeExport } from './write-export.ts'

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
