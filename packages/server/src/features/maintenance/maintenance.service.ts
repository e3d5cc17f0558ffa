import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { instrumentUpdates } from '../instrument-updates.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { maintenanceOf, readLive, readMaintenances } from './maintenance.lookup.ts'
import {
  addMaintenance,
  endMaintenances,
  lockDueRules,
  lockInstrument,
  planAhead,
  updateMaintenance,
  updateReason,
} from './maintenance.store.ts'
import { type MaintenanceRequest, planMaintenance } from './maintenance-plan.ts'

/**
 * Starts or ends maintenance of an instrument in one transaction that locks its row: change, audit log and live
 * message. Returns the active and future maintenances afterwards. Throws not-found, and bad-maintenance if
 * `planMaintenance` refuses.
 */
export async function setMaintenance(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { instrumentId, request, caller }: { instrumentId: string; request: MaintenanceRequest; caller: UserActor },
): Promise<Maintenance[]> {
  return inTransaction(db, async (trx) => {
    const instrument = await lockInstrument(trx, { id: instrumentId, scope: caller.scope })
    if (!instrument) throw noSuchInstrument()
    // Read after the lock: a change that waited must not be dated before the one it waited for.
    const now = clock.now()
    const ofIt = { instrumentIds: [instrument.id], now }
    const live = (await readLive(trx, ofIt)).get(instrument.id) ?? []
    const before = live.map(maintenanceOf)
    const plan = planMaintenance(request, { live, now })
    switch (plan.kind) {
      case 'refusal':
        throw problem('bad-maintenance', plan.sentence)
      case 'nothing':
        return before
      case 'update':
        await updateMaintenance(trx, plan)
        break
      case 'new-reason':
        await updateReason(trx, plan)
        break
      case 'replace':
        await endMaintenances(trx, { ids: plan.ends, at: now })
        if (plan.adds) await addMaintenance(trx, { instrumentId: instrument.id, input: plan.adds, now })
    }
    const after = (await readMaintenances(trx, ofIt)).get(instrument.id) ?? []
    await recordAudit(trx, { entityType: 'instrument', entityId: String(instrument.id), actor: caller, at: now }, [
      {
        action: 'update',
        property: 'maintenances',
        oldValue: JSON.stringify(before),
        newValue: JSON.stringify(after),
        reason: request.reason,
      },
    ])
    await announce(trx, instrumentUpdates(instrument, { maintenances: after }))
    return after
  })
}

/** Instruments per transaction. */
const AT_ONCE = 200

/**
 * Plans further windows of recurring maintenances and publishes the next window once one has passed. Also plans
 * windows for times when no process was running, so that events of those times count as during maintenance.
 */
export async function planRecurringMaintenance({ db, clock }: Pick<FeatureContext, 'db' | 'clock'>): Promise<void> {
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    count = await inTransaction(db, async (trx) => {
      const now = clock.now()
      const due = await lockDueRules(trx, { now, limit: AT_ONCE })
      for (const { rules } of due) for (const rule of rules) await planAhead(trx, { ...rule, now })
      const passed = due.filter(({ hasPassed }) => hasPassed)
      const maintenances = await readMaintenances(trx, { instrumentIds: passed.map(({ id }) => id), now })
      await announce(
        trx,
        passed.flatMap((one) => instrumentUpdates(one, { maintenances: maintenances.get(one.id) ?? [] })),
      )
      return due.length
    })
  }
}

/** Returns the scheduled tasks of the leader process. */
export function maintenanceTasks(context: Pick<FeatureContext, 'db' | 'clock'>): LeaderTask[] {
  return [{ name: 'plan recurring maintenance', everyMs: 30_000, run: () => planRecurringMaintenance(context) }]
}
