import type { DataScope, UserActor } from '../../db/actor.ts'
import { type AuditActor, recordAudits } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { announce } from '../../db/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { noSuchEvent } from '../service-events/service-events.service.ts'
import { lockServiceEvents } from '../service-events/service-events.store.ts'
import { uncountEvents } from '../service-events/totals.store.ts'
import { deleteEventRows, deleteMessagesAbout } from './deleted-events.store.ts'

/** Takes one event out for good. Throws not-found. */
export async function deleteServiceEvent(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const deletion = { ids: [Number(id)], scope: caller.scope, actor: caller, at: clock.now() }
    if ((await deleteEvents(trx, deletion)) === 0) throw noSuchEvent()
  })
}

interface Deletion {
  ids: readonly number[]
  scope: DataScope
  actor: AuditActor
  at: Date
  reason?: string
}

/**
 * Takes out those of these events that the scope holds, with everything that was mailed and told about them: totals, columns
 * in memory and open consoles follow. Their record stays, and tells of this. Returns how many they were. To be called
 * last in a transaction: totals wait for its end.
 */
export async function deleteEvents(trx: Trx, { ids, scope, actor, at, reason }: Deletion): Promise<number> {
  const locked = new Map((await lockServiceEvents(trx, { ids, scope })).map((event) => [event.id, event]))
  if (locked.size === 0) return 0
  await deleteMessagesAbout(trx, [...locked.keys()])
  const events = await deleteEventRows(trx, [...locked.keys()])
  await recordAudits(
    trx,
    events.map(({ id, createdAt, templateId, description }) => ({
      subject: { entityType: 'service_event', entityId: String(id), actor, at },
      entries: [
        {
          action: 'deleted',
          oldValue: JSON.stringify({
            instrument: locked.get(id)?.installedProductId,
            templateId,
            description,
            createdAt,
            alertStatus: locked.get(id)?.state.alertStatus,
          }),
          reason: reason ?? null,
        },
      ],
    })),
  )
  await announce(
    trx,
    events.map(({ id, customerId }) => ({
      audience: { customerId },
      message: {
        entity: 'alarm',
        action: 'delete',
        property: null,
        payload: { id: String(id), eventId: String(id) },
      },
    })),
  )
  await uncountEvents(trx, events)
  return events.length
}
