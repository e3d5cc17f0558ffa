import { Signal } from '../../platform/concurrency.ts'
import type { Broadcast } from '../../platform/live/hub.ts'
import type { Log } from '../../platform/log.ts'
import type { Db } from '../connect.ts'
import type { LiveBus } from './live-bus.ts'
import { publishedRange, readPublished } from './publisher.ts'

/** A bus may lose messages; this poll finds them. */
const REPAIR_MS = 2000
const BATCH = 1000

interface Feeding {
  db: Db
  bus: LiveBus
  /** Gets messages in order, and which way they came. */
  deliver(broadcasts: readonly Broadcast[], from: 'bus' | 'table'): void
  log: Log
}

/**
 * Delivers every message published from now on to this node's sockets, once and in order: what the bus brings without
 * a gap at once, everything else from the table.
 */
export async function startLiveFeed({ db, bus, deliver, log }: Feeding): Promise<{ stop(): Promise<void> }> {
  const signal = new Signal()
  const stopping = new AbortController()
  let cursor = Number.POSITIVE_INFINITY
  let isReading = false
  await bus.subscribe(({ after, last }, broadcasts) => {
    if (last <= cursor) return
    if (broadcasts === null || after > cursor || isReading) return signal.ring()
    deliver(
      broadcasts.filter(({ seq }) => seq > cursor),
      'bus',
    )
    cursor = last
  })
  cursor = (await publishedRange(db)).last
  const finished = (async () => {
    while (!stopping.signal.aborted) {
      isReading = true
      const broadcasts = await readPublished(db, { after: cursor, limit: BATCH }).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'live messages could not be read')
        return []
      })
      isReading = false
      if (broadcasts.length > 0) {
        deliver(broadcasts, 'table')
        cursor = broadcasts.at(-1)?.seq ?? cursor
      }
      if (broadcasts.length < BATCH) await signal.wait(REPAIR_MS, stopping.signal)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await bus.close()
      await finished
    },
  }
}
