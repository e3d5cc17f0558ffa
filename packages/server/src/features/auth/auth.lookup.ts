import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { tokenHash } from '../../platform/secret-token.ts'
import { customersOfUser, scopeOf } from '../users/users.lookup.ts'
import { loginHash } from './credentials/sign-in-failure.store.ts'

/** Redeems a live token and returns its user, or undefined if it is unknown, used or expired, or its session ended. */
export async function redeemLiveToken(
  db: Db,
  token: string,
): Promise<{ id: number; sessionId: string; scope: DataScope; rights: string; lastSeq: number | null } | undefined> {
  const row = await db
    .with('redeemed', (cte) =>
      cte
        .deleteFrom('live_token')
        .where('token_hash', '=', tokenHash(token))
        .where('expires_at', '>', sql<Date>`now()`)
        .returning(['session_id', 'last_seq']),
    )
    .selectFrom('redeemed as r')
    .innerJoin('session as s', 's.id', 'r.session_id')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .where('s.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .select(['u.id', 's.id as session_id', 'r.last_seq', 'u.role', 'u.all_customers', customersOfUser])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    sessionId: row.session_id,
    scope: scopeOf(row),
    rights: rightsOf(row),
    lastSeq: row.last_seq,
  }
}

/**
 * Returns the current rights of these sessions' users, serialised in the same form as on connect. Leaves out ended
 * sessions.
 */
export async function rightsOfSessions(db: Db, sessionIds: readonly string[]): Promise<Map<string, string>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id', 'u.role', 'u.all_customers', customersOfUser])
    .where('s.id', 'in', sessionIds)
    .where('s.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, rightsOf(row)]))
}

function rightsOf(row: { role: string; all_customers: boolean; customer_ids: number[] }): string {
  const scope = scopeOf(row)
  return `${row.role}:${scope === 'all' ? scope : scope.toSorted((a, b) => a - b).join(',')}`
}

/** Returns the end of the lock for each locked name. Leaves out names that are not locked. */
export async function locksOf(
  db: Db,
  { logins, at }: { logins: readonly string[]; at: Date },
): Promise<Map<string, Date>> {
  if (logins.length === 0) return new Map()
  const hashes = new Map<string, string>()
  for (const login of logins) hashes.set((await loginHash(db, login)).toString('hex'), login)
  const rows = await db
    .selectFrom('sign_in_failure')
    .select(['login_hash', 'locked_until'])
    .where(
      'login_hash',
      'in',
      [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex')),
    )
    .where('locked_until', '>', at)
    .execute()
  return new Map(
    rows.flatMap(({ login_hash, locked_until }) => {
      const login = hashes.get(login_hash.toString('hex'))
      return login !== undefined && locked_until ? [[login, locked_until]] : []
    }),
  )
}
