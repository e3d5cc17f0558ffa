import type { Profile } from '@benchwatch/contract/messages/profiles'
import type { DataScope, UserActor } from '../../db/actor.ts'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import { type AuditActor, recordAudit, recordAudits } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import { refuseAccessChange } from '../administration/account-rules.ts'
import { otherAdministrators } from '../administration/administration.queries.ts'
import { lockAccount } from '../administration/administration.service.ts'
import { lockAdministration } from '../administration/administration.store.ts'
import { voidOldAccess } from '../auth/credentials/password.store.ts'
import { endSessions } from '../auth/session/session.store.ts'
import type { FeatureContext } from '../context.ts'
import { noSuchEvent } from '../events/events.service.ts'
import { forgetOrigins, lockServiceEvents } from '../events/events.store.ts'
import type { LogStore } from '../logs/log-store.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { listProfiles } from '../profiles/profiles.queries.ts'
import {
  deleteEventRows,
  deleteInstrumentRow,
  deleteLine,
  deleteLines,
  deleteMessagesAbout,
  deleteProfileRow,
  findManagedUser,
  hideInstrument,
  type InstrumentToDelete,
  lockDeletedInstrument,
  lockInstrument,
  readEventIds,
  stripUser,
} from './deletions.store.ts'

/** Permanently deletes one event. Throws not-found. */
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
 * Permanently deletes the given events in scope, with all their mails and notifications. Filters, the index and open
 * consoles are updated. The audit log of the events stays and records the deletion. Returns the number deleted.
 * Must be called last in a transaction, because inserts of events wait for its end.
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
  await forgetOrigins(trx, events)
  return events.length
}

type Needs = Pick<FeatureContext, 'db' | 'clock'>

/** Number of events deleted in one transaction, which then takes well below a second; inserts of events wait for its end. */
const EVENTS_AT_ONCE = 1000

const LINES_AT_ONCE = 20_000

/** No user waits for the response: a busy database only delays it. */
const PATIENCE_MS = 60_000

/**
 * Permanently deletes an instrument. It disappears at once. Its events and logs go with it or, if there are many, in
 * later steps (`finishDeletions`) that begin within a second and survive restarts. Throws not-found.
 */
export async function deleteInstrument(
  { db, clock }: Needs,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // A registration of this instrument at the same moment comes before or after, and never into nothing.
    await takeAdvisoryLock(trx, 'registry')
    const instrument = await lockInstrument(trx, { id, scope: caller.scope })
    if (!instrument) throw noSuchInstrument()
    const at = clock.now()
    await recordAudit(trx, { entityType: 'instrument', entityId: String(instrument.id), actor: caller, at }, [
      { action: 'deleted', property: 'installedProductId', oldValue: instrument.installedProductId },
    ])
    await hideInstrument(trx, { instrument, at })
    await deletePart(trx, { instrument, actor: caller, at })
  })
}

/** Continues with deleted instruments until nothing of them is left. */
export async function finishDeletions({ db, clock }: Needs): Promise<void> {
  for (;;) {
    const found = await inTransaction(
      db,
      async (trx) => {
        const instrument = await lockDeletedInstrument(trx)
        if (instrument) await deletePart(trx, { instrument, actor: { type: 'system' }, at: clock.now() })
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

/** Deletes a part of what is left of an instrument, and finally the instrument. */
async function deletePart(trx: Trx, { instrument, actor, at }: Step): Promise<void> {
  const instrumentId = instrument.id
  const ids = await readEventIds(trx, { instrumentId, limit: EVENTS_AT_ONCE })
  const isLast =
    ids.length < EVENTS_AT_ONCE && (await deleteLines(trx, { instrumentId, limit: LINES_AT_ONCE })) < LINES_AT_ONCE
  const reason = `The instrument ${instrument.installedProductId} was deleted.`
  await deleteEvents(trx, { ids, scope: 'all', actor, at, reason })
  if (isLast) await deleteInstrumentRow(trx, instrumentId)
}

/** Permanently deletes a log line. The audit log identifies it without its text. Throws not-found, unavailable. */
export async function deleteLogEntry(
  { db, clock, logs }: Pick<FeatureContext, 'db' | 'clock'> & { logs: LogStore },
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const one = { id: /^\d{1,18}$/.test(id) ? Number(id) : 0, scope: caller.scope }
    // A line that is being moved may be in both stores.
    const moved = await logs.deleteMovedLine(trx, one)
    const line = (await deleteLine(trx, one)) ?? moved
    if (!line) throw problem('not-found', 'There is no such log line. Reload the log.')
    await recordAudit(trx, { entityType: 'log_entry', entityId: id, actor: caller, at: clock.now() }, [
      { action: 'deleted', oldValue: JSON.stringify(line) },
    ])
  })
}

/**
 * Permanently deletes a profile of a user who sees no customer that the caller may not see, because its filters name
 * customers. The owner gets a profile with default settings on the next request. Throws not-found.
 */
export async function deleteProfile(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const profile = await deleteProfileRow(trx, { id, caller })
    if (!profile) throw problem('not-found', `There is no profile ${id} that you may see.`)
    await recordAudit(trx, { entityType: 'profile', entityId: String(profile.id), actor: caller, at: clock.now() }, [
      {
        action: 'deleted',
        property: profile.profile_type,
        oldValue: JSON.stringify({ userId: String(profile.user_id), ...profile.settings }),
      },
    ])
  })
}

/** Returns the profiles of a user who sees no customer that the caller may not see, if ever requested. Throws not-found. */
export async function profilesOf(
  { db }: Pick<FeatureContext, 'db'>,
  { userId, caller }: { userId: string; caller: UserActor },
): Promise<Profile[]> {
  const user = await findManagedUser(db, { id: userId, caller })
  if (!user) throw problem('not-found', 'There is no such user, or they see customers that you may not see.')
  return listProfiles(db, user.id)
}

/**
 * Permanently deletes a user: ends all sessions and deletes all personal data. The audit log keeps the user's name
 * with past actions; the events they owned belong to a deleted user. Throws not-found, own-account,
 * last-administrator.
 */
export async function deleteUser(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockAdministration(trx, caller)
    const user = await lockAccount(trx, { id, caller })
    if (user.id === caller.id) throw problem('own-account', "You can't delete yourself. Ask another administrator.")
    const refusal = refuseAccessChange({
      before: user,
      after: { ...user, disabled: true },
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

/** Returns the task that finishes deletions. */
export function deletionTasks(context: Pick<FeatureContext, 'db' | 'clock'>): LeaderTask[] {
  return [
    {
      name: 'take out what is left of deleted instruments',
      everyMs: 1000,
      run: () => finishDeletions(context),
    },
  ]
}
