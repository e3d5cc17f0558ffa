import { liveCloseCodes } from '@benchwatch/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { type DataScope, holds } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { subjectsOf } from '../../db/queues/live-bus.ts'
import { CATCH_UP_LIMIT, publishedRange, readPublished } from '../../db/queues/publisher.ts'
import { Queue } from '../../platform/concurrency.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Broadcast, LiveHub, Viewer } from '../../platform/live/hub.ts'
import { redeemLiveToken } from '../auth/auth.lookup.ts'
import { closeOutdated } from './live-delivery.ts'

interface Joining {
  hub: Pick<LiveHub, 'add'>
  socket: WebSocket
  viewer: Viewer
  /** Number of the last message that the browser received; null if it has just loaded everything. */
  lastSeen: number | null
  past: Past
  /** Closes the connection if it was opened with rights that the user no longer has. */
  check(joined: Viewer): Promise<void>
}

/** Messages published earlier: the numbers that are kept, and up to 1,000 messages after a given one, oldest first. */
interface Past {
  range(): Promise<{ last: number; firstKept: number }>
  since(number: number): Promise<Broadcast[]>
}

interface Live {
  db: Db
  hub: LiveHub
  /** Tests whether an origin may connect: the public address, and this server's own. */
  isOwnOrigin(origin: string, host: string): boolean
}

/** Connections that begin at once; others wait, because each needs five database queries. */
const BEGINNING_AT_ONCE = 6

/**
 * Registers the live connection (wire 11): a single-use token opens it, and messages since `after`, else since the
 * token was created, come before new ones. The text `ping` is answered with `pong`, so that a browser can detect a dead
 * connection.
 */
export function registerLiveRoutes(app: FastifyInstance, { db, hub, isOwnOrigin }: Live): void {
  const beginnings = new Queue({ atOnce: BEGINNING_AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY })
  app.route({
    method: 'GET',
    url: '/api/live',
    schema: { hide: true },
    handler: async () => {
      throw problem(
        'upgrade-required',
        'This address accepts only WebSocket connections. Open it with ws: or wss: and a live token.',
      )
    },
    wsHandler: (socket, request) => beginnings.take('live', () => openLive(socket, request)),
  })

  async function openLive(socket: WebSocket, request: FastifyRequest): Promise<void> {
    // The client disconnected while it waited.
    if (socket.readyState !== socket.OPEN) return
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
    const lastSeen = after === undefined ? user.lastSeq : lastSeenOf(after)
    const viewer: Viewer = {
      userId: user.id,
      sessionId: user.sessionId,
      rights: user.rights,
      subjects: subjectsOf({ userId: user.id, scope: user.scope }),
      maySee: (broadcast) => isFor(broadcast, user.id, user.scope),
    }
    await joinLive({
      hub,
      socket,
      viewer,
      lastSeen,
      past: {
        range: () => publishedRange(db),
        since: (number) => readPublished(db, { after: number, limit: CATCH_UP_LIMIT }),
      },
      check: (joined) => closeOutdated({ db, hub }, new Set([joined])),
    })
  }
}

/**
 * Returns the number of the last received message. An unreadable value becomes a number that was never issued, so the
 * browser is asked to load everything again.
 */
function lastSeenOf(after: unknown): number {
  return typeof after === 'string' && /^\d{1,15}$/.test(after) ? Number(after) : Number.MAX_SAFE_INTEGER
}

function isFor(broadcast: Broadcast, userId: number, scope: DataScope): boolean {
  if (broadcast.userId !== null) return broadcast.userId === userId
  return broadcast.customerId !== null && holds(scope, broadcast.customerId)
}

/**
 * Starts a connection: the greeting, missed messages, then new ones. It joins the fan-out first and buffers new
 * messages while the past is read, so that none is lost; their numbers show which were sent already. Nothing is sent
 * before the rights are checked, again after each message to this user: they may have changed since the token was
 * redeemed.
 */
export async function joinLive({ hub, socket, viewer, lastSeen, past, check }: Joining): Promise<void> {
  let sentUpTo = Number.POSITIVE_INFINITY
  const held: Broadcast[] = []
  const joined: Viewer = {
    ...viewer,
    maySee: (broadcast) => {
      if (!viewer.maySee(broadcast)) return false
      if (sentUpTo === Number.POSITIVE_INFINITY) {
        held.push(broadcast)
        return false
      }
      return broadcast.seq > sentUpTo
    },
  }
  hub.add(socket, joined)
  const { last, firstKept } = await past.range()
  const missed = lastSeen === null ? [] : await missedSince(past, { lastSeen, last, firstKept })
  for (let checked = -1; checked < held.findLastIndex(({ userId }) => userId !== null) + 1; ) {
    checked = held.length
    await check(joined)
  }
  if (socket.readyState !== socket.OPEN) return
  // While the past is still being sent, a broken connection must resume from the browser's position, not from the end.
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
  past: Past,
  { lastSeen, last, firstKept }: { lastSeen: number; last: number; firstKept: number },
): Promise<Broadcast[] | null> {
  if (lastSeen > last) return null
  if (lastSeen === last) return []
  if (firstKept === 0 || lastSeen + 1 < firstKept || last - lastSeen > CATCH_UP_LIMIT) return null
  return past.since(lastSeen)
}
