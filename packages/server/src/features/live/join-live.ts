import type { WebSocket } from 'ws'
import { CATCH_UP_LIMIT } from '../../db/live-reader.ts'
import type { Broadcast, LiveHub, Viewer } from '../../platform/live/hub.ts'

interface Joining {
  hub: Pick<LiveHub, 'add'>
  socket: WebSocket
  viewer: Viewer
  /** Number of the last message that the browser saw; null when it has read everything just now. */
  lastSeen: number | null
  past: Past
}

/** What was published before: the numbers that are kept, and up to 1,000 messages after one, oldest first. */
interface Past {
  range(): Promise<{ last: number; firstKept: number }>
  since(number: number): Promise<Broadcast[]>
}

/**
 * Begins a connection: the greeting, what was missed, then what is new. It joins the fan-out first and holds what
 * arrives while the past is read, so that nothing falls between; the numbers tell what was sent already.
 */
export async function joinLive({ hub, socket, viewer, lastSeen, past }: Joining): Promise<void> {
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
  const { last, firstKept } = await past.range()
  const missed = lastSeen === null ? [] : await missedSince(past, { lastSeen, last, firstKept })
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
  past: Past,
  { lastSeen, last, firstKept }: { lastSeen: number; last: number; firstKept: number },
): Promise<Broadcast[] | null> {
  if (lastSeen > last) return null
  if (lastSeen === last) return []
  if (firstKept === 0 || lastSeen + 1 < firstKept || last - lastSeen > CATCH_UP_LIMIT) return null
  return past.since(lastSeen)
}
