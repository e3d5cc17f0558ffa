import type { Db } from '../../db/connect.ts'
import type { Broadcast, LiveHub } from '../../platform/live/hub.ts'
import type { Log } from '../../platform/log.ts'
import { livingSessions } from '../auth/auth.lookup.ts'

/**
 * Hands published messages to this node's sockets. A message to a user may mean that a session of theirs ended, perhaps
 * on another node: their sockets are looked at, and those of dead sessions close without a code, as at sign-out.
 */
export function createLiveDelivery({
  db,
  hub,
  log,
}: {
  db: Db
  hub: LiveHub
  log: Log
}): (broadcasts: readonly Broadcast[]) => void {
  return (broadcasts) => {
    hub.deliver(broadcasts)
    const users = new Set(broadcasts.flatMap(({ userId }) => userId ?? []))
    if (users.size === 0) return
    endDeadSessions(users).catch((error: unknown) => log.warn({ err: error }, 'sessions of sockets could not be read'))
  }

  async function endDeadSessions(users: ReadonlySet<number>): Promise<void> {
    const connected = hub.sessionsOf(users)
    const alive = await livingSessions(db, [...connected])
    for (const sessionId of connected) if (!alive.has(sessionId)) hub.end({ sessionId })
  }
}
