import { Signal } from '../../platform/concurrency.ts'
import type { Broadcast } from '../../platform/live/hub.ts'
import type { Log } from '../../platform/log.ts'
import type { Db } from '../connect.ts'
import type { LiveBus } from './live-bus.ts'
import { CATCH_UP_LIMIT, publishedRange, readPublished } from './publisher.ts'

/** A bus may lose messages; this poll finds them. */
const REPAIR_MS = 2000

interface Feeding {
  db: Db
  bus: LiveBus
  /** Gets messages in order, and which way they came. */
  deliver(broadcasts: readonly Broadcast[], from: 'bus' | 'table'): void
  /** Called when numbers were left out: a failover may have taken back what was delivered. */
  onGap(): void
  log: Log
}

/**
 * Delivers every message published from now on to this node's sockets, once and in order: what the bus brings without
 * a gap at once, everything else from the table.
 */
export async function startLiveFeed({ db, bus, deliver, onGap, log }: Feeding): Promise<{ stop(): Promise<void> }> {
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
      const broadcasts = await readNext().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'live messages could not be read')
        return []
      })
      isReading = false
      if (broadcasts.length > 0) {
        deliver(broadcasts, 'table')
        cursor = broadcasts.at(-1)?.seq ?? cursor
      }
      if (broadcasts.length < CATCH_UP_LIMIT) await signal.wait(REPAIR_MS, stopping.signal)
    }
  })()

  /** Numbers have no gaps, except where many were left out after a failover. */
  async function readNext(): Promise<Broadcast[]> {
    const read = () => readPublished(db, { after: cursor, limit: CATCH_UP_LIMIT })
    const found = await read()
    const last = found.length > 0 ? 0 : (await publishedRange(db)).last
    // Many may have been published in between.
    const broadcasts = last - cursor > CATCH_UP_LIMIT ? await read() : found
    const next = broadcasts[0]?.seq ?? last
    if (next - cursor <= CATCH_UP_LIMIT) return broadcasts
    cursor = next - 1
    onGap()
    return broadcasts
  }

  return {
    async stop() {
      stopping.abort()
      await bus.close()
      await finished
    },
  }
}
