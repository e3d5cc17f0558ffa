import type { DatabaseHandle } from '../../db/connect.ts'
import { enqueueJob, type JobHandler } from '../../db/queues/jobs.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { coalesce } from '../../platform/concurrency.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { isPassingDatabaseError } from '../../platform/http/error-handler.ts'
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
  files: FileStore
}

/** Files that one process writes side by side: a small one need not wait for a large one, and mails keep their place. */
const LANES = 2
/** Whoever writes one gives a sign of life each second. */
const SILENT_MS = 10_000

/**
 * The job that writes what waits, whoever asked for it. A job is only the knock: it takes one export after the other, so one
 * that is lost or comes twice does no harm.
 */
export function exportJobs(exporting: Exporting): JobHandler[] {
  const write = coalesce((stop) => writeAll(exporting, stop), LANES)
  return [{ name: WRITE_EXPORTS_JOB, run: (_payload, stop) => write(stop) }]
}

/** Writes one export after the other until none is left that nobody writes. */
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

/** A database that fails for the moment is tried again later; what else goes wrong would go wrong again. */
async function writeOrFail(
  { database, db, clock, log, files }: Exporting,
  { taken: { wanted }, stop }: { taken: TakenExport; stop: AbortSignal },
): Promise<void> {
  const started = performance.now()
  try {
    await writeExport({ database, clock, files }, { wanted, stop })
    log.info({ export: wanted.id, rows: wanted.rows, ms: Math.round(performance.now() - started) }, 'export written')
  } catch (error) {
    // The leader knocks for it once it is silent.
    if (error instanceof Stopped) return
    if (isPassingDatabaseError(error)) throw error
    await markFailed(db, { id: wanted.id, at: clock.now() })
    log.error({ err: error, export: wanted.id, rows: wanted.rows }, 'export failed')
  }
}

/** What one process of all does from time to time: goes on with what a process that died began, and tidies up. */
export function exportTasks({ db, clock, files }: Exporting): LeaderTask[] {
  return [
    {
      name: 'knock for exports that nobody writes',
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

/** Files whose export is gone, by whatever way it went. Listed first: one that is made meanwhile is not looked at. */
async function deleteForgottenFiles({ db, files }: Pick<Exporting, 'db' | 'files'>): Promise<void> {
  const names = await files.names()
  const known = await readKnownExports(
    db,
    names.flatMap((name) => exportOfFile(name) ?? []),
  )
  for (const name of names) {
    const id = exportOfFile(name)
    if (id === undefined || !known.has(id)) await files.delete(name)
  }
}
