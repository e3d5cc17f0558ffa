import type { Profile } from '@benchwatch/contract/profiles'
import type { DataScope, UserActor } from '../../db/actor.ts'
import { type AuditActor, recordAudit, recordAudits } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { rowId } from '../../db/wire-id.ts'
import { problem } from '../../platform/http/problem.ts'
import { refuseAccessChange } from '../administration/account-rules.ts'
import { noSuchUser } from '../administration/accounts.service.ts'
import { otherAdministrators } from '../administration/administration.queries.ts'
import { lockAdministration } from '../administration/administration.store.ts'
import { voidOldAccess } from '../auth/credentials/password.store.ts'
import { endSessions } from '../auth/session/session.store.ts'
import type { FeatureContext } from '../context.ts'
import { noSuchEvent } from '../events/events.service.ts'
import { lockServiceEvents } from '../events/events.store.ts'
import { uncountEvents } from '../events/search/totals.store.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { listProfiles } from '../profiles/profiles.queries.ts'
import { lockUser } from '../users/users.store.ts'
import {
  deleteEventRows,
  deleteInstrumentRow,
  deleteLine,
  deleteLines,
  deleteMessagesAbout,
  deleteProfileRow,
  findKnownUser,
  hideInstrument,
  type InstrumentToDelete,
  lockDeletedInstrument,
  lockInstrument,
  mayDelete,
  readEventIds,
  stripUser,
  tellOfLeftovers,
} from './deletions.store.ts'

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

/** Takes a log line out for good. The record says which one it was, but not what it said. Throws not-found. */
export async function deleteLogEntry(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const line = await deleteLine(trx, { id, scope: caller.scope })
    if (!line) throw problem('not-found', 'There is no such log line. Read the log again.')
    await recordAudit(trx, { entityType: 'log_entry', entityId: id, actor: caller, at: clock.now() }, [
      { action: 'deleted', oldValue: JSON.stringify(line) },
    ])
  })
}

/**
 * Takes out a profile of somebody whom the caller may know, as if it had never been set: its owner gets one with the
 * settings of the beginning when they next ask. Throws not-found.
 */
export async function deleteProfile(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const profile = await deleteProfileRow(trx, { id, caller })
    if (!profile) throw problem('not-found', `There is no profile ${id} of anybody whom you may see.`)
    await recordAudit(trx, { entityType: 'profile', entityId: String(profile.id), actor: caller, at: clock.now() }, [
      {
        action: 'deleted',
        property: profile.profile_type,
        oldValue: JSON.stringify({ userId: String(profile.user_id), ...profile.settings }),
      },
    ])
  })
}

/** What somebody whom the caller may know has set; profiles that they never asked for are missing. Throws not-found. */
export async function profilesOf(
  { db }: Pick<FeatureContext, 'db'>,
  { userId, caller }: { userId: string; caller: UserActor },
): Promise<Profile[]> {
  const user = await findKnownUser(db, { id: userId, caller })
  if (!user) throw problem('not-found', `There is no user ${userId} whom you may see.`)
  return listProfiles(db, user.id)
}

/**
 * Takes a user out for good: sessions end, everything personal goes. What they did stays under their name in the record, and
 * what they owned stays owned, by a deleted user. Throws not-found, own-account, last-administrator.
 */
export async function deleteUser(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockAdministration(trx)
    const userId = rowId(id)
    const user =
      userId !== undefined && (await mayDelete(trx, { caller, userId })) ? await lockUser(trx, userId) : undefined
    if (!user) throw noSuchUser(id)
    if (user.id === caller.id) throw problem('own-account', "You can't delete yourself. Ask another administrator.")
    const refusal = refuseAccessChange({
      before: user,
      after: { role: user.role, disabled: true },
      callerId: caller.id,
      otherAdministrators: await otherAdministrators(trx, user.id),
    })
    if (refusal) throw problem(refusal.code, refusal.sentence)
    const at = clock.now()
    await endSessions(trx, { which: { userId: user.id }, reason: 'deleted', actor: caller, at })
    await voidOldAccess(trx, { account: { userId: user.id, login: user.login }, actor: caller, at })
    await stripUser(trx, { userId: user.id, login: user.login, at })
    await recordAudit(trx, { entityType: 'user', entityId: String(user.id), actor: caller, at }, [
      { action: 'deleted', property: 'name', oldValue: user.name },
    ])
  })
}
