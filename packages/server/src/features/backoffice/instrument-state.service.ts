import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
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

/** What somebody at the back office sets of an instrument. */
interface SetState {
  instrumentStatus: InstrumentStatus
  orcStatus: OrcStatus
}

/** What follows from it. */
interface Connection {
  unknownAt: Date | null
  connectedAt: Date | null
}

interface InstrumentStateInput extends SetState {
  ipid: string
  createOfflineEvent: boolean
}

/** Statuses as they are now, as the form begins with them. Throws not-found. */
export async function getInstrumentState(
  db: Db,
  { ipid, caller }: { ipid: string; caller: Pick<UserActor, 'scope'> },
): Promise<InstrumentStateInput> {
  const state = await findState(db, { installedProductId: ipid, scope: caller.scope })
  if (!state) throw noSuchInstrument()
  return { ipid, instrumentStatus: state.status, orcStatus: state.orcStatus, createOfflineEvent: false }
}

/**
 * Sets the statuses of an instrument as if it had reported them, with history, record and live messages; they hold until it
 * reports again. An open OFFLINE event returns to normal where they say that the connection is there, or was before.
 * `createOfflineEvent` raises the event that tells of its lost connection; one that is open counts it. Throws not-found.
 */
export async function setInstrumentState(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { wanted, caller }: { wanted: InstrumentStateInput; caller: UserActor },
): Promise<InstrumentStateInput> {
  return inTransaction(db, async (trx) => {
    const { scope } = caller
    const instrument = await lockNamedInstrument(trx, { installedProductId: wanted.ipid, scope })
    const before = await findState(trx, { installedProductId: wanted.ipid, scope })
    if (!instrument || !before) throw noSuchInstrument()
    if (wanted.createOfflineEvent && !before.hasGateway) throw withoutGateway()
    // Read after the lock: a change that waited must not be dated before the one it waited for.
    const now = clock.now()
    const after: StoredState = {
      ...before,
      ...connectionAfter(before, { set: wanted, now }),
      status: wanted.instrumentStatus,
      orcStatus: wanted.orcStatus,
    }
    await writeState(trx, { ...after, instrumentId: instrument.id, at: now })
    if (after.orcStatus !== before.orcStatus)
      await noteConnections(trx, { changes: [{ instrumentId: instrument.id, orcStatus: after.orcStatus }], at: now })
    await recordAudit(
      trx,
      { entityType: 'instrument', entityId: String(instrument.id), actor: caller, at: now },
      changedEntries(before, after),
    )
    await announce(trx, updatesOf(instrument, { before, after }))
    // Here and not by the next look of the task: a raise after it is an event of its own.
    await announce(trx, await clearRegained(trx, { instrumentId: instrument.id, now }))
    if (wanted.createOfflineEvent) await raiseOffline(trx, { instrument, caller, now })
    return wanted
  })
}

async function raiseOffline(
  trx: Trx,
  { instrument, caller, now }: { instrument: LockedInstrument; caller: UserActor; now: Date },
): Promise<void> {
  const messages = await raiseOfflineEvent(trx, { instrumentId: instrument.id, now })
  await announce(trx, messages)
  const told = announcedEventId(messages)
  await recordAudit(trx, { entityType: 'service_event', entityId: told.id, actor: caller, at: now }, [
    raiseEntry(told, 'Back office'),
  ])
}

function withoutGateway() {
  const message = 'This instrument has no gateway that could miss it. Leave the offline event out.'
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
 * Since when nothing is known of an instrument, and when it was first heard, once its statuses are set by hand: as if it had
 * reported them. One that is brought back to Onboarding was never heard, so that its next report ends that anew.
 */
function connectionAfter(before: Connection, { set, now }: { set: SetState; now: Date }): Connection {
  if (set.orcStatus === 'Onboarding') return { unknownAt: null, connectedAt: null }
  const isKnown =
    set.orcStatus === 'Connected' && set.instrumentStatus !== 'Unknown' && set.instrumentStatus !== 'disconnected'
  return { unknownAt: isKnown ? null : (before.unknownAt ?? now), connectedAt: before.connectedAt ?? now }
}
