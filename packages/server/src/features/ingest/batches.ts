import type { IngestAnswer, RejectionCode } from '@benchwatch/contract/ingest'
import type { GatewayActor } from '../../db/actor.ts'
import { recordAudits } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import type { ItemOrder } from './alarm-outcome.ts'
import { inboxName, type LockedInstrument } from './inbox.store.ts'
import type { GoodItem, ReadItem } from './read-items.ts'

/** What one request of a gateway brought. */
export interface Batch {
  gateway: GatewayActor
  items: readonly ReadItem[]
  /**
   * Absent for what the gateway itself sent. A `retry` of a parked item and a `test` of the alarm chain are stored in its
   * name, but neither shows that it is heard, nor counts as its feed, and their refused items are answered and not parked.
   */
  origin?: 'retry' | 'test'
}

/** An item that this gateway may send, not yet known whether for the first time. Heartbeats have no instrument. */
export interface Acceptable {
  batch: Batch
  item: GoodItem['item']
  /** Also the place in the gateway's counting, with its epoch by name. */
  order: ItemOrder
  epoch: string
  instrument: LockedInstrument | null
}

/** An item of a batch that is not taken. */
export interface Refused {
  batch: Batch
  id: string | null
  /** Null where it could not be read. */
  sequence: number | null
  code: RejectionCode
  reason: string
  raw: unknown
}

/** Whether a batch came from its gateway. */
export function isSent({ origin }: Batch): boolean {
  return origin === undefined
}

export function nameOf({ order, item }: Acceptable): string {
  return inboxName({ gatewayId: order.gatewayId, itemId: item.id })
}

export function answerOf(
  batch: Batch,
  { fresh, refused }: { fresh: readonly Acceptable[]; refused: readonly Refused[] },
): IngestAnswer {
  const accepted = fresh.filter((one) => one.batch === batch).length
  const rejected = refused.filter((one) => one.batch === batch).map(({ id, code, reason }) => ({ id, code, reason }))
  const sequences = batch.items.flatMap((read) => (read.good ? [read.item.sequence] : (read.sequence ?? [])))
  return {
    accepted,
    duplicates: batch.items.length - accepted - rejected.length,
    rejected,
    ackSequence: sequences.length > 0 ? sequences.reduce((a, b) => Math.max(a, b)) : null,
  }
}

/** One row in the record per batch that brought something; a batch of heartbeats and repeats changes nothing. */
export async function recordBatches(
  trx: Trx,
  {
    batches,
    fresh,
    answers,
    now,
  }: { batches: readonly Batch[]; fresh: readonly Acceptable[]; answers: readonly IngestAnswer[]; now: Date },
): Promise<void> {
  await recordAudits(
    trx,
    batches.map((batch, index) => {
      const taken = fresh.filter((one) => one.batch === batch && one.item.type !== 'benchwatch.heartbeat')
      const { duplicates = 0, rejected = [] } = answers[index] ?? {}
      const told = { items: taken.length, duplicates, rejected: rejected.length }
      const range = { first: taken[0]?.item.id ?? null, last: taken.at(-1)?.item.id ?? null }
      return {
        subject: { entityType: 'gateway', entityId: batch.gateway.name, actor: batch.gateway, at: now },
        // What did not come from the gateway is recorded by whoever sent it.
        entries:
          isSent(batch) && taken.length + rejected.length > 0
            ? [{ action: 'batch', newValue: JSON.stringify({ ...told, ...range }) }]
            : [],
      }
    }),
  )
}
