import { Signal } from '../../platform/concurrency.ts'
import type { Broadcast } from '../../platform/live/hub.ts'
import type { Log } from '../../platform/log.ts'
import type { DatabaseHandle } from '../connect.ts'
import { PUBLISHED_CHANNEL, publishedRange, readPublished } from './publisher.ts'

/** Notifications are lost while their connection is down; this poll finds the missed messages. */
const REPAIR_MS = 2000
const BATCH = 1000

/** Delivers every message published from now on to this node's sockets, in order. */
export async function startLiveFeed(
  database: DatabaseHandle,
  deliver: (broadcasts: readonly Broadcast[]) => void,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  const signal = new Signal()
  const stopping = new AbortController()
  const listener = await database.listen(PUBLISHED_CHANNEL, () => signal.ring())
  let cursor = (await publishedRange(database.db)).last
  const finished = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const broadcasts = await readPublished(database.db, { after: cursor, limit: BATCH })
        if (broadcasts.length > 0) {
          deliver(broadcasts)
          cursor = broadcasts.at(-1)?.seq ?? cursor
        }
        if (broadcasts.length === BATCH) continue
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'live messages could not be read')
      }
      await signal.wait(REPAIR_MS, stopping.signal)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await listener.close()
      await finished
    },
  }
}
