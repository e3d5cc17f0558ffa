import type { UserActor } from '../../db/actor.ts'
import { type AuditActor, recordAudit } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { deleteEvents } from './deleted-events.service.ts'
import {
  deleteInstrumentRow,
  deleteLines,
  hideInstrument,
  type InstrumentToDelete,
  lockDeletedInstrument,
  lockInstrument,
  readEventIds,
  tellOfLeftovers,
} from './deleted-instruments.store.ts'

type Deleting = Pick<FeatureContext, 'db' | 'clock'>

/** Taken out in one transaction, so that it takes well below a second and totals wait no longer than that. */
const EVENTS_AT_ONCE = 1000
const LINES_AT_ONCE = 20_000
/** Nobody waits for an answer: a busy database only delays it. */
const PATIENCE_MS = 60_000

/**
 * Takes an instrument out for good. It is gone for everybody at once; its events and logs with it or, where they are many,
 * in steps that one process goes through after this (`finishDeletions`), whatever restarts in between. Throws not-found.
 */
export async function deleteInstrument(
  { db, clock }: Deleting,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const instrument = await lockInstrument(trx, { id, scope: caller.scope })
    if (!instrument) throw noSuchInstrument()
    const at = clock.now()
    await recordAudit(trx, { entityType: 'instrument', entityId: String(instrument.id), actor: caller, at }, [
      { action: 'deleted', property: 'installedProductId', oldValue: instrument.installedProductId },
    ])
    await hideInstrument(trx, { instrument, at })
    if (!(await takeOut(trx, { instrument, actor: caller, at }))) await tellOfLeftovers(trx)
  })
}

/** Goes on with deleted instruments until nothing is left of any. */
export async function finishDeletions({ db, clock }: Deleting): Promise<void> {
  for (;;) {
    const found = await inTransaction(
      db,
      async (trx) => {
        const instrument = await lockDeletedInstrument(trx)
        if (instrument) await takeOut(trx, { instrument, actor: { type: 'system' }, at: clock.now() })
        return instrument !== undefined
      },
      { statementTimeoutMs: PATIENCE_MS },
    )
    if (!found) return
  }
}

interface Step {
  instrument: InstrumentToDelete
  actor: AuditActor
  at: Date
}

/** Takes out some of what is left of an instrument, and at last itself; returns whether that was all. */
async function takeOut(trx: Trx, { instrument, actor, at }: Step): Promise<boolean> {
  const instrumentId = instrument.id
  const ids = await readEventIds(trx, { instrumentId, limit: EVENTS_AT_ONCE })
  const isLast =
    ids.length < EVENTS_AT_ONCE && (await deleteLines(trx, { instrumentId, limit: LINES_AT_ONCE })) < LINES_AT_ONCE
  const reason = `The instrument ${instrument.installedProductId} was deleted.`
  await deleteEvents(trx, { ids, scope: 'all', actor, at, reason })
  if (isLast) await deleteInstrumentRow(trx, instrumentId)
  return isLast
}
