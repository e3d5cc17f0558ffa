import type { ExportDetails } from '@benchwatch/contract/vocabulary'
import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { DatabaseHandle, Trx } from '../../db/connect.ts'
import { enqueueJob } from '../../db/queues/jobs.ts'
import { takeTurn } from '../../db/rate-limit.ts'
import { allowLongPauses, inTransaction, newTransaction } from '../../db/transaction.ts'
import { problem, tooOften } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import type { EventSearch } from '../events/search/event-search.ts'
import { newExportLink, unsealToken, urlOf } from './export-link.ts'
import { type RequestedRows, selectedRows } from './exported-lists.queries.ts'
import { findOwnExport, insertExport } from './exports.store.ts'

/** Name of the job that writes all waiting exports. */
export const WRITE_EXPORTS_JOB = 'write exports'

/** How long a link is valid (3-decisions 8). */
const USABLE_MS = 15 * 60_000
const HOUR_SECONDS = 3600

export type RequestedExport = RequestedRows & { details: ExportDetails }

/**
 * Fixes which rows are exported and their order, records the export in the audit log and queues a job to write it, all
 * in one transaction. Throws too-many-requests; refused requests do not count towards the limit.
 */
export async function createExport(
  {
    database,
    eventSearch,
    db,
    clock,
    config,
  }: Pick<FeatureContext, 'db' | 'clock' | 'config'> & {
    database: DatabaseHandle
    eventSearch: EventSearch
  },
  { caller, request }: { caller: UserActor; request: RequestedExport },
) {
  const at = clock.now()
  const link = await newExportLink(db)
  const expiresAt = new Date(at.getTime() + USABLE_MS)
  // Reads in a snapshot of its own, on a connection with a long timeout: without the index, sorting ten million events
  // takes up to 20 s.
  const { id, rows } = await inTransaction(
    database.reporting,
    async (snapshot) => {
      const moment = eventSearch.begin()
      const selected = selectedRows(snapshot, { moment, scope: caller.scope, request, now: at })
      // Is not retried on its own: only a new snapshot helps against an index that has moved on.
      return newTransaction(db, { isSnapshot: false }).execute((trx) => storeExport(trx, selected))
    },
    { isSnapshot: true },
  )
  return { url: urlOf(link.token), exportId: id, rows, expiresAt: expiresAt.toISOString() }

  async function storeExport(trx: Trx, selected: AsyncIterable<readonly number[]>) {
    // It waits while the snapshot is sorted.
    await allowLongPauses(trx)
    const turn = await takeTurn(trx, {
      key: `export:${caller.id}`,
      limit: config.limits.exportsPerHour,
      windowSeconds: HOUR_SECONDS,
      at,
    })
    if (!turn.isAllowed) throw tooOften('You have started too many exports in the last hour.', turn.retryAfter)
    const { type, details } = request
    const stored = await insertExport(trx, { userId: caller.id, link, type, details, at, expiresAt, selected })
    await recordAudit(trx, { entityType: 'export', entityId: stored.id, actor: caller, at }, [
      { action: 'created', property: 'rows', newValue: String(stored.rows) },
      { action: 'created', property: 'selection', newValue: JSON.stringify(request) },
    ])
    await enqueueJob(trx, { name: WRITE_EXPORTS_JOB, payload: {} })
    return stored
  }
}

/** Returns the progress of the caller's own export. Throws not-found for all other exports and for expired ones. */
export async function getExport(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { exportId, caller }: { exportId: string; caller: UserActor },
) {
  const found = await findOwnExport(db, { id: exportId, userId: caller.id, at: clock.now() })
  if (!found) throw noSuchExport()
  const { state, written, rows, token_sealed } = found
  return { state, written, rows, url: urlOf(await unsealToken(db, token_sealed)) }
}

export function noSuchExport() {
  return problem('not-found', 'This export no longer exists. Files are kept for 15 minutes. Export again.')
}
