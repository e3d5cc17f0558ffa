import { liveCloseCodes } from '@benchwatch/contract/live'
import type { FastifyInstance } from 'fastify'
import { type DataScope, holds } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { CATCH_UP_LIMIT, publishedRange, readPublished } from '../../db/live-reader.ts'
import type { Broadcast, LiveHub, Viewer } from '../../platform/live/hub.ts'
import { redeemLiveToken } from '../auth/auth.lookup.ts'

interface Live {
  db: Db
  hub: LiveHub
  /** Origins that may connect: the public address, and this server's own. */
  isOwnOrigin(origin: string, host: string): boolean
}

/**
 * The live connection (wire 11): a one-use token opens it, `after` names the last message seen, and what was missed
 * comes before anything new. The text `ping` is answered with `pong`, so that a browser can tell a dead line.
 */
export function registerLiveRoutes(app: FastifyInstance, { db, hub, isOwnOrigin }: Live): void {
  app.get('/api/live', { websocket: true, schema: { hide: true } }, async (socket, request) => {
    const { token, after } = request.query as { token?: unknown; after?: unknown }
    const { origin, host } = request.headers
    const user =
      typeof token === 'string' && (origin === undefined || isOwnOrigin(origin, host ?? ''))
        ? await redeemLiveToken(db, token)
        : undefined
    if (!user) {
      socket.close(liveCloseCodes.badToken, 'token')
      return
    }
    socket.on('message', (data: Buffer) => {
      if (data.toString() === 'ping') socket.send('pong')
    })
    const lastSeen = typeof after === 'string' && /^\d{1,15}$/.test(after) ? Number(after) : null
    const viewer: Viewer = {
      userId: user.id,
      sessionId: user.sessionId,
      maySee: (broadcast) => isFor(broadcast, user.id, user.scope),
    }
    await begin({ db, hub, socket, viewer, lastSeen })
  })
}

interface Beginning {
  db: Db
  hub: LiveHub
  socket: Parameters<LiveHub['add']>[0]
  viewer: Viewer
  lastSeen: number | null
}

/**
 * Joins the fan-out first and holds what arrives while the past is read, so that nothing falls between; numbers tell
 * what was sent already.
 */
async function begin({ db, hub, socket, viewer, lastSeen }: Beginning): Promise<void> {
  let sentUpTo = Number.POSITIVE_INFINITY
  const held: Broadcast[] = []
  hub.add(socket, {
    ...viewer,
    maySee: (broadcast) => {
      if (!viewer.maySee(broadcast)) return false
      if (sentUpTo === Number.POSITIVE_INFINITY) {
        held.push(broadcast)
        return false
      }
      return broadcast.seq > sentUpTo
    },
  })
  const { last, firstKept } = await publishedRange(db)
  const missed = lastSeen === null ? [] : await missedSince(db, { lastSeen, last, firstKept })
  // While the past is still being sent, a broken line must resume from where the browser was, not from the end.
  let seen = missed ? (lastSeen ?? last) : last
  const action = missed ? 'ready' : 'resync'
  socket.send(JSON.stringify({ seq: seen, entity: 'hello', action, property: null, payload: {} }))
  for (const broadcast of [...(missed ?? []), ...held]) {
    if (broadcast.seq <= seen || !viewer.maySee(broadcast)) continue
    socket.send(broadcast.text)
    seen = broadcast.seq
  }
  sentUpTo = Math.max(seen, last)
}

async function missedSince(
  db: Db,
  { lastSeen, last, firstKept }: { lastSeen: number; last: number; firstKept: number },
): Promise<Broadcast[] | null> {
  if (lastSeen > last) return null
  if (lastSeen === last) return []
  if (firstKept === 0 || lastSeen + 1 < firstKept || last - lastSeen > CATCH_UP_LIMIT) return null
  return readPublished(db, { after: lastSeen, limit: CATCH_UP_LIMIT })
}

function isFor(broadcast: Broadcast, userId: number, scope: DataScope): boolean {
  if (broadcast.userId !== null) return broadcast.userId === userId
  return broadcast.customerId !== null && holds(scope, broadcast.customerId)
}
