import type { OwnSession } from '@benchwatch/contract/users/account'
import type { UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'

/** Returns the caller's sessions, most recently active first, without those past the inactivity limit. */
export async function listSessions(
  db: Db,
  { caller, activeSince }: { caller: Pick<UserActor, 'id' | 'sessionId'>; activeSince: Date },
): Promise<OwnSession[]> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'created_at', 'last_activity_at', 'user_agent', 'address'])
    .where('user_id', '=', caller.id)
    .where('ended_at', 'is', null)
    .where('last_activity_at', '>', activeSince)
    .orderBy('last_activity_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastActivityAt: row.last_activity_at.toISOString(),
    userAgent: row.user_agent,
    address: row.address,
    isCurrent: row.id === caller.sessionId,
  }))
}
