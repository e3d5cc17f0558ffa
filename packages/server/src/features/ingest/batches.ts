import { type IngestAnswer, ingestKnows } from '@benchwatch/contract/ingest'
import type { GatewayActor } from '../../db/actor.ts'
import { recordAudits } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import type { ItemOrder } from './alarms/alarm-outcome.ts'
import { inboxName, type LockedInstrument } from './inbox.store.ts'
import type { BadItem, GoodItem, ReadItem } from './read-items.ts'

/** The content of one request of a gateway. */
export interface Batch {
  gateway: GatewayActor
  items: readonly ReadItem[]
  /**
   * Absent for requests of the gateway itself. A `retry` of a parked item and a `test` of the alarm chain are stored
   * in its name, but neither proves that the gateway is alive nor counts as its feed, and their refused items are
   * returned instead of parked.
   */
  origin?: 'retry' | 'test'
}

/** An item that this gateway may send; it may be a repeat. Heartbeats have no instrument. */
export interface Acceptable {
  batch: Batch
  item: GoodItem['item']
  /** Position in the gateway's sequence, with the epoch as a number. */
  order: ItemOrder
  epoch: string
  instrument: LockedInstrument | null
}

/** A refused item of a batch. */
export type Refused = Omit<BadItem, 'good'> & { batch: Batch }

/** True if the gateway itself sent the batch. */
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
    ...(batch.items.some((read) => read.good && read.item.type === 'benchwatch.heartbeat') && {
      knows: [...ingestKnows],
    }),
  }
}

/** Writes one audit entry per batch that brought something new; heartbeats and repeats change nothing. */
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
      const counts = { items: taken.length, duplicates, rejected: rejected.length }
      const range = { first: taken[0]?.item.id ?? null, last: taken.at(-1)?.item.id ?? null }
      return {
        subject: { entityType: 'gateway', entityId: batch.gateway.name, actor: batch.gateway, at: now },
        // Callers record batches that the gateway did not send.
        entries:
          isSent(batch) && taken.length + rejected.length > 0
            ? [{ action: 'batch', newValue: JSON.stringify({ ...counts, ...range }) }]
            : [],
      }
    }),
  )
}
