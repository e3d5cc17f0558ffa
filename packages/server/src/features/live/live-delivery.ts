import { liveCloseCodes } from '@benchwatch/contract/live'
import type { Db } from '../../db/connect.ts'
import type { Broadcast, LiveHub } from '../../platform/live/hub.ts'
import type { Log } from '../../platform/log.ts'
import { rightsOfSessions } from '../auth/auth.lookup.ts'

/**
 * Hands published messages to this node's sockets. A message to a user may mean that a session of theirs ended, that they
 * may see something else from now on, or that a flag of theirs was switched, perhaps on another node: their sockets are
 * looked at.
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
    const told = hub.deliver(broadcasts)
    for (const { viewer, broadcast } of told) if (isAboutFlags(broadcast)) hub.end({ viewer }, liveCloseCodes.deploy)
    const users = new Set(broadcasts.flatMap(({ userId }) => userId ?? []))
    if (users.size === 0) return
    closeOutdated({ db, hub }, users).catch((error: unknown) =>
      log.warn({ err: error }, 'sessions of sockets could not be read'),
    )
  }
}

/**
 * Closes the sockets of these users that may no longer see what they were opened for: those of dead sessions without a
 * code, as at sign-out; others as at a deploy, so that the browser comes back with the rights of now.
 */
export async function closeOutdated({ db, hub }: { db: Db; hub: LiveHub }, users: ReadonlySet<number>): Promise<void> {
  const viewers = hub.viewersOf(users)
  const rights = await rightsOfSessions(db, [...new Set(viewers.map(({ sessionId }) => sessionId))])
  for (const viewer of viewers) {
    const now = rights.get(viewer.sessionId)
    if (now === undefined) hub.end({ viewer })
    else if (now !== viewer.rights) hub.end({ viewer }, liveCloseCodes.deploy)
  }
}

function isAboutFlags({ text }: Broadcast): boolean {
  const { entity, property } = JSON.parse(text) as { entity: string; property: string | null }
  return entity === 'user' && property === 'features'
}
