import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { ingestItem } from '@benchwatch/contract/ingest'
import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { getServiceEvent } from '../events/events.service.ts'
import { storeHeldBackAlarm } from '../ingest/alarms/alarms.service.ts'
import { lockInstruments } from '../ingest/inbox.store.ts'
import { announcedEventId, raiseEntry } from './event-creation.service.ts'
import { findHeldBack, type HeldBack, noteRelease } from './held-back.store.ts'

/**
 * Creates the held-back event with the current time, and otherwise as it would have been at first: from its first
 * raise, counting repeats, cleared if any of them was. If it has not returned to normal and an event of the same alarm
 * is open, that event counts it instead. Throws not-found and status-conflict.
 */
export async function releaseHeldBackEvent(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<ServiceEvent> {
  return inTransaction(db, async (trx) => {
    const unlocked = await findHeldBack(trx, { id, scope: caller.scope })
    if (!unlocked) throw noSuchHeldBackEvent()
    const instrument = (await lockInstruments(trx, [unlocked.installedProductId])).get(unlocked.installedProductId)
    // Read again under the lock of its instrument, in the same order as ingest.
    const held = await findHeldBack(trx, { id, scope: caller.scope })
    if (!held || !instrument) throw noSuchHeldBackEvent()
    if (held.isReleased) throw problem('status-conflict', 'An event was already created from it. Reload the list.')
    if (held.customerId !== instrument.customerId) {
      throw problem('status-conflict', 'The instrument now belongs to another customer, so no event can be created.')
    }
    const now = clock.now()
    const alarm = { item: raiseOf(held), instrument, order: orderOf(held), alertSource: 'INSTRUMENT' }
    const messages = await storeHeldBackAlarm(trx, { alarm, held, now })
    const event = announcedEventId(messages)
    await announce(trx, messages)
    await noteRelease(trx, { id: held.id, eventId: Number(event.id), at: now })
    const reason = `Held back without a contract; raised ${held.raises}×`
    await recordAudit(trx, { entityType: 'service_event', entityId: event.id, actor: caller, at: now }, [
      raiseEntry(event, reason),
    ])
    return getServiceEvent(trx, { id: event.id, caller })
  })
}

function orderOf({ gatewayId, epoch, sequence }: HeldBack) {
  return { gatewayId, epoch, sequence }
}

function raiseOf({ item }: HeldBack) {
  const raise = ingestItem.parse(item)
  if (raise.type !== 'benchwatch.alarm.raised') throw new Error('An item other than a raise was held back.')
  return raise
}

function noSuchHeldBackEvent(): ProblemError {
  return problem('not-found', 'There is no such held-back event. Reload the list.')
}
