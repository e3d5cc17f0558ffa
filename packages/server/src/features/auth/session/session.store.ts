import { randomUUID } from 'node:crypto'
import type { Role } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { UserActor } from '../../../db/actor.ts'
import { type AuditActor, recordAudit, recordAudits } from '../../../db/audit.ts'
import { type Db, keptPlan, type Trx } from '../../../db/connect.ts'
import { announce } from '../../../db/queues/outbox.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { problem } from '../../../platform/http/problem.ts'
import { newToken, tokenHash } from '../../../platform/secret-token.ts'
import type { FeatureContext } from '../../context.ts'
import { customersOfUser, NO_NAME, scopeOf } from '../../users/users.lookup.ts'
import type { Origin } from '../credentials/attempts.ts'
import { seal } from './sealed-secret.ts'
import { type EndReason, GRACE_MS, type RefreshableSession } from './session-refresh.ts'
import { signAccessToken } from './session-token.ts'

/** Lifetime of the token that opens a live connection, in seconds. */
export const LIVE_TOKEN_SECONDS = 30 as const

/** The response to a new or refreshed session. The refresh token goes into the cookie only. */
export interface IssuedTokens {
  sessionId: string
  accessToken: string
  refreshToken: string
  expiresIn: number
  user: { userId: string; userName: string; mail: string }
}

type Issuing = Pick<FeatureContext, 'db' | 'clock' | 'config'>

export interface NewSession {
  userId: number
  from?: Pick<Origin, 'address' | 'userAgent'>
  /** The hash the user signed in with, see `Identity`. */
  passwordHash?: string
  /** The value for asking the identity provider again. */
  handle?: string
}

/**
 * Creates a session for a user and signs its first access token. Throws `bad-credentials` if the user does not exist,
 * or was disabled or given another password since the check. The row is locked, so that a change that ends all
 * sessions never misses this one: it runs either after the session is created, and ends it, or before, and the session
 * is refused.
 */
export async function createSession(
  { db, clock, config }: Issuing,
  { userId, from, passwordHash, handle }: NewSession,
): Promise<IssuedTokens> {
  const at = clock.now()
  const sessionId = randomUUID()
  const refreshToken = newToken()
  const sealed = handle === undefined ? null : await seal(db, { text: handle, use: handleUse(sessionId) })
  const user = await inTransaction(db, async (trx) => {
    const found = await trx
      .updateTable('app_user')
      .set({ last_signed_in_at: at })
      .where('id', '=', userId)
      .where('disabled_at', 'is', null)
      .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash ?? null))
      .returning(['id', 'name', 'email'])
      .executeTakeFirst()
    if (!found) throw problem('bad-credentials', 'Incorrect username or password.')
    await trx
      .insertInto('session')
      .values({
        id: sessionId,
        user_id: userId,
        refresh_hash: tokenHash(refreshToken),
        created_at: at,
        last_activity_at: at,
        user_agent: from?.userAgent ?? null,
        address: from?.address ?? null,
        provider_handle: sealed,
        provider_checked_at: sealed && at,
      })
      .execute()
    const actor = { type: 'user', id: userId, name: found.name ?? NO_NAME } as const
    await recordAudit(trx, { entityType: 'session', entityId: sessionId, actor, at }, [{ action: 'signed-in' }])
    return found
  })
  return {
    sessionId,
    accessToken: await signAccessToken({ db, clock, config }, { userId, sessionId }),
    refreshToken,
    expiresIn: config.accessTokenSeconds,
    user: { userId: String(userId), userName: user.name ?? NO_NAME, mail: user.email },
  }
}

export interface FoundSession extends RefreshableSession {
  id: string
  userId: number
  userName: string
  mail: string
}

/** Returns the session to which a refresh token belongs or ever belonged, locked; undefined if there is none. */
export async function lockSessionOfToken(trx: Trx, hash: Buffer): Promise<FoundSession | undefined> {
  const find = (by: 'current' | 'spent') =>
    trx
      .selectFrom('session as s')
      .innerJoin('app_user as u', 'u.id', 's.user_id')
      .select([
        's.id',
        's.user_id',
        's.refresh_hash',
        's.previous_hash',
        's.previous_until',
        's.last_activity_at',
        's.ended_at',
        'u.name',
        'u.email',
        'u.disabled_at',
      ])
      .where((eb) =>
        by === 'current'
          ? eb.or([eb('s.refresh_hash', '=', hash), eb('s.previous_hash', '=', hash)])
          : eb('s.id', 'in', eb.selectFrom('spent_refresh_token').select('session_id').where('token_hash', '=', hash)),
      )
      .forUpdate('s')
      .executeTakeFirst()
  const row = (await find('current')) ?? (await find('spent'))
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      userName: row.name ?? NO_NAME,
      mail: row.email,
      refreshHash: row.refresh_hash,
      previousHash: row.previous_hash,
      previousUntil: row.previous_until,
      lastActivityAt: row.last_activity_at,
      endedAt: row.ended_at,
      userDisabled: row.disabled_at !== null,
    }
  )
}

/** Activates a new refresh token. The previous one stays valid for its grace period, older ones are spent. */
export async function rotateSession(
  trx: Trx,
  { session, nextHash, at }: { session: FoundSession; nextHash: Buffer; at: Date },
): Promise<void> {
  if (session.previousHash) {
    await trx
      .insertInto('spent_refresh_token')
      .values({ token_hash: session.previousHash, session_id: session.id })
      .execute()
  }
  await trx
    .updateTable('session')
    .set({
      refresh_hash: nextHash,
      previous_hash: session.refreshHash,
      previous_until: new Date(at.getTime() + GRACE_MS),
    })
    .where('id', '=', session.id)
    .execute()
}

export async function setLastActivity(trx: Trx, { sessionId, at }: { sessionId: string; at: Date }): Promise<void> {
  await trx
    .updateTable('session')
    .set({ last_activity_at: at })
    .where('id', '=', sessionId)
    .where('last_activity_at', '<', at)
    .execute()
}

/**
 * The sessions to end: one (optionally of a given user), all of a user, all but one, or those inactive since a given
 * time.
 */
export type SessionsToEnd =
  | { sessionId: string; userId?: number }
  | { userId: number; except?: string }
  | { inactiveSince: Date }

export interface EndedSession {
  id: string
  userId: number
  /** Sealed; needed to notify the identity provider. */
  handle: Buffer | null
}

/**
 * Ends live sessions and returns them. Their tokens and live tokens are void from the commit, and all nodes are
 * notified to close their sockets. `actor` of null means the user of each session.
 */
export async function endSessions(
  trx: Trx,
  { which, reason, actor, at }: { which: SessionsToEnd; reason: EndReason; actor: AuditActor | null; at: Date },
): Promise<EndedSession[]> {
  const ended = await trx
    .updateTable('session as s')
    .from('app_user as u')
    .whereRef('u.id', '=', 's.user_id')
    .set({ ended_at: at, end_reason: reason })
    .where('s.ended_at', 'is', null)
    .where((eb) => {
      if ('sessionId' in which) {
        const one = eb('s.id', '=', which.sessionId)
        return which.userId === undefined ? one : eb.and([one, eb('s.user_id', '=', which.userId)])
      }
      if ('userId' in which) {
        const ofUser = eb('s.user_id', '=', which.userId)
        return which.except === undefined ? ofUser : eb.and([ofUser, eb('s.id', '<>', which.except)])
      }
      return eb('s.last_activity_at', '<', which.inactiveSince)
    })
    .returning(['s.id', 's.user_id', 's.provider_handle', 'u.name'])
    .execute()
  if (ended.length === 0) return []
  await trx
    .deleteFrom('live_token')
    .where(
      'session_id',
      'in',
      ended.map(({ id }) => id),
    )
    .execute()
  await recordAudits(
    trx,
    ended.map(({ id, user_id, name }) => {
      const by = actor ?? ({ type: 'user', id: user_id, name: name ?? NO_NAME } as const)
      return { subject: { entityType: 'session', entityId: id, actor: by, at }, entries: [{ action: 'ended', reason }] }
    }),
  )
  const users = [...new Set(ended.map(({ user_id }) => user_id))]
  await announce(
    trx,
    users.map((userId) => ({
      audience: { userId },
      message: { entity: 'user', action: 'update', property: 'session', payload: {} },
    })),
  )
  return ended.map(({ id, user_id, provider_handle }) => ({ id, userId: user_id, handle: provider_handle }))
}

/**
 * Returns the user of a live session in the form used by all features, or undefined if the session ended or the user
 * is disabled.
 */
export async function findCaller(
  db: Db,
  { userId, sessionId }: { userId: number; sessionId: string },
): Promise<UserActor | undefined> {
  const row = await db
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['u.id', 'u.name', 'u.role', 'u.all_customers', customersOfUser])
    .where('s.id', '=', sessionId)
    .where('s.user_id', '=', userId)
    .where('s.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .where('u.role', '<>', 'system')
    .modifyFront(keptPlan)
    .executeTakeFirst()
  return (
    row && {
      type: 'user',
      id: row.id,
      name: row.name ?? NO_NAME,
      role: row.role as Role,
      scope: scopeOf(row),
      sessionId,
    }
  )
}

/** Returns the seal purpose of an identity provider's handle. */
export function handleUse(sessionId: string): string {
  return `provider-handle/${sessionId}`
}

/** Deletes expired live tokens, and sessions with their spent tokens a month after they end. */
export async function forgetOldSessions(db: Db): Promise<void> {
  await db.deleteFrom('live_token').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('session').where('ended_at', '<', sql<Date>`now() - interval '30 days'`).execute()
}

/**
 * Creates a token that opens one live connection of a session. An access token in a URL would end up in access logs;
 * this one has expired by then. Uses the database's clock, because another node may redeem it. Messages from now on are
 * sent also to a page that names none: it has begun to read before it connects.
 */
export async function createLiveToken(db: Db, sessionId: string): Promise<string> {
  const token = newToken()
  await db
    .insertInto('live_token')
    .values({
      token_hash: tokenHash(token),
      session_id: sessionId,
      expires_at: sql<Date>`now() + make_interval(secs => ${LIVE_TOKEN_SECONDS})`,
      last_seq: sql<number>`(SELECT last_seq FROM live_sequence)`,
    })
    .execute()
  return token
}
