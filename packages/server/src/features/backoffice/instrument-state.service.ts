import type { setBackofficeInstrumentStatus } from '@benchwatch/contract/administration/backoffice'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { UserActor } from '../../db/actor.ts'
import { type AuditEntry, recordAudit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { type Announcement, announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { clearRegained, raiseOfflineEvent } from '../connections/connections.service.ts'
import type { FeatureContext } from '../context.ts'
import type { LockedInstrument } from '../ingest/inbox.store.ts'
import { noteConnections } from '../ingest/statuses.store.ts'
import { instrumentUpdates } from '../instrument-updates.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { badForm } from './bad-form.ts'
import { announcedEventId, raiseEntry } from './event-creation.service.ts'
import { findState, lockNamedInstrument, type StoredState, writeState } from './instrument-state.store.ts'

/** The resulting connection data. */
interface Connection {
  unknownAt: Date | null
  connectedAt: Date | null
}

type InstrumentStateInput = RouteTypes<typeof setBackofficeInstrumentStatus>['body']

/** Returns the current statuses, with which the form starts. Throws not-found. */
export async function getInstrumentState(
  db: Db,
  { ipid, caller }: { ipid: string; caller: Pick<UserActor, 'scope'> },
): Promise<InstrumentStateInput> {
  const state = await findState(db, { installedProductId: ipid, scope: caller.scope })
  if (!state) throw noSuchInstrument()
  return { ipid, instrumentStatus: state.status, orcStatus: state.orcStatus, createOfflineEvent: false }
}

/**
 * Sets the statuses of an instrument as if it had reported them, with history, audit log and live messages. They hold
 * until its next report. An open OFFLINE event returns to normal if the connection exists now or existed before.
 * `createOfflineEvent` raises the event for the lost connection; if one is open, it is counted there. Throws
 * not-found.
 */
export async function setInstrumentState(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { input, caller }: { input: InstrumentStateInput; caller: UserActor },
): Promise<InstrumentStateInput> {
  return inTransaction(db, async (trx) => {
    const { scope } = caller
    const instrument = await lockNamedInstrument(trx, { installedProductId: input.ipid, scope })
    const before = await findState(trx, { installedProductId: input.ipid, scope })
    if (!instrument || !before) throw noSuchInstrument()
    if (input.createOfflineEvent && !before.hasGateway) throw withoutGateway()
    // Read after the lock: a change that waited must not be dated before the one it waited for.
    const now = clock.now()
    const after: StoredState = {
      ...before,
      ...connectionAfter(before, { set: input, now }),
      status: input.instrumentStatus,
      orcStatus: input.orcStatus,
    }
    await writeState(trx, { ...after, at: now })
    if (after.orcStatus !== before.orcStatus)
      await noteConnections(trx, { changes: [{ instrumentId: instrument.id, orcStatus: after.orcStatus }], at: now })
    await recordAudit(
      trx,
      { entityType: 'instrument', entityId: String(instrument.id), actor: caller, at: now },
      changedEntries(before, after),
    )
    await announce(trx, updatesOf(instrument, { before, after }))
    // Done here instead of at the task's next run, so that a later raise is a separate event.
    await announce(trx, await clearRegained(trx, { instrumentId: instrument.id, now }))
    if (input.createOfflineEvent) await raiseOffline(trx, { instrument, caller, now })
    return input
  })
}

async function raiseOffline(
  trx: Trx,
  { instrument, caller, now }: { instrument: LockedInstrument; caller: UserActor; now: Date },
): Promise<void> {
  const messages = await raiseOfflineEvent(trx, { instrumentId: instrument.id, now })
  await announce(trx, messages)
  const event = announcedEventId(messages)
  await recordAudit(trx, { entityType: 'service_event', entityId: event.id, actor: caller, at: now }, [
    raiseEntry(event, 'Back office'),
  ])
}

function withoutGateway() {
  const message = 'This instrument has no gateway, so no offline event can be created.'
  return badForm('validation-failed', [{ path: 'createOfflineEvent', message }])
}

function changedEntries(before: StoredState, after: StoredState): AuditEntry[] {
  const properties = { instrumentStatus: 'status', orcStatus: 'orcStatus' } as const
  return Object.entries(properties)
    .filter(([, column]) => before[column] !== after[column])
    .map(([property, column]) => ({
      action: 'update',
      property,
      oldValue: before[column],
      newValue: after[column],
      reason: 'Back office',
    }))
}

function updatesOf(
  instrument: LockedInstrument,
  { before, after }: { before: StoredState; after: StoredState },
): Announcement[] {
  return instrumentUpdates(instrument, {
    instrumentStatus: after.status === before.status ? undefined : after.status,
    orcStatus: after.orcStatus === before.orcStatus ? undefined : after.orcStatus,
    unknownAt: after.unknownAt?.getTime() === before.unknownAt?.getTime() ? undefined : after.unknownAt,
  })
}

/**
 * Returns the lost-since and first-report times after statuses are set by hand, as if the instrument had reported
 * them. An instrument set back to Onboarding counts as never reported, so its next report ends Onboarding again.
 */
function connectionAfter(before: Connection, { set, now }: { set: InstrumentStateInput; now: Date }): Connection {
  if (set.orcStatus === 'Onboarding') return { unknownAt: null, connectedAt: null }
  const isKnown =
    set.orcStatus === 'Connected' && set.instrumentStatus !== 'Unknown' && set.instrumentStatus !== 'disconnected'
  return { unknownAt: isKnown ? null : (before.unknownAt ?? now), connectedAt: before.connectedAt ?? now }
}
