import { sql } from 'kysely'
import type { Broadcast } from '../../platform/live/hub.ts'
import type { DataScope } from '../actor.ts'
import type { DatabaseHandle } from '../connect.ts'
import type { Published } from './publisher.ts'

/** Called for each batch; `broadcasts` is null if the bus did not bring all that this process needs of it. */
export type Receive = (published: Published, broadcasts: readonly Broadcast[] | null) => void

/**
 * Notifies all processes of published messages. It may lose a batch, repeat it or be away: the table of published
 * messages is the catch-up of every bus.
 */
export interface LiveBus {
  /** Notifies all processes of a batch. Called by the leader, after the commit. */
  publish(published: Published): Promise<void>
  /** Calls `receive` from now on. Called once. */
  subscribe(receive: Receive): Promise<void>
  /** Called whenever the connected users, and so the subjects that this process needs, have changed. */
  listenTo(subjects: ReadonlyMap<string, number>): void
  /** Names what is away and replaced, for the readiness check; empty if all is well. */
  degraded(): readonly 'nats'[]
  close(): Promise<void>
}

/** Subject of all messages to users who see every customer. */
export const ALL_CUSTOMERS = 'customer.*'

/** Returns the subjects that a user may see. */
export function subjectsOf({ userId, scope }: { userId: number; scope: DataScope }): string[] {
  const customers = scope === 'all' ? [ALL_CUSTOMERS] : scope.map((customerId) => `customer.${customerId}`)
  return [`user.${userId}`, ...customers]
}

/** Channel on which every process learns the highest published number. */
const PUBLISHED_CHANNEL = 'live_published'

/** Sends only the highest number: each process reads the messages themselves from the table. */
export function postgresBus(database: Pick<DatabaseHandle, 'db' | 'listen'>): LiveBus {
  let listening: Promise<{ close(): Promise<void> }> | undefined
  return {
    async publish({ last }) {
      await sql`SELECT pg_notify(${PUBLISHED_CHANNEL}, ${String(last)})`.execute(database.db)
    },
    async subscribe(receive) {
      // The text is empty after a broken connection: anything may have been published in the meantime.
      const onNotify = (text: string) => receive({ after: 0, last: Number(text || Number.POSITIVE_INFINITY) }, null)
      listening = database.listen(PUBLISHED_CHANNEL, onNotify)
      await listening
    },
    listenTo: () => undefined,
    degraded: () => [],
    close: async () => (await listening)?.close(),
  }
}
