import type { IngestAnswer } from '@benchwatch/contract/ingest'
import { type Acceptable, type Batch, isSent, nameOf, type Refused } from './batches.ts'
import { inboxName } from './inbox.store.ts'

/** Computes what a group of batches changes in the feed state. Pure; `feed-counts.store.ts` stores it. */

/** Counts of one gateway in one group. */
export interface GatewayCount {
  gatewayId: number
  accepted: number
  duplicates: number
  rejected: number
  /**
   * Server's clock minus the gateway's, for the newest item that arrived for the first time; null without such an
   * item.
   */
  lagMs: number | null
}

/** Numbers of one outbox epoch that arrived for the first time. */
export interface EpochCount {
  gatewayId: number
  epoch: string
  first: number
  last: number
  seen: number
}

/** A number that arrived for the first time, whether accepted or parked. */
export interface SeenNumber {
  gatewayId: number
  epoch: string
  sequence: number
}

export function countEpochs(numbers: readonly SeenNumber[]): EpochCount[] {
  const counts = new Map<string, EpochCount>()
  for (const { gatewayId, epoch, sequence } of numbers) {
    const key = `${gatewayId} ${epoch}`
    const count = counts.get(key)
    if (!count) counts.set(key, { gatewayId, epoch, first: sequence, last: sequence, seen: 1 })
    else {
      count.first = Math.min(count.first, sequence)
      count.last = Math.max(count.last, sequence)
      count.seen += 1
    }
  }
  return [...counts.values()]
}

/**
 * Counts per gateway. `answers` match `batches` by position. Batches that the gateway did not send are not part of its
 * feed.
 */
export function countGateways(
  batches: readonly Batch[],
  { answers, newest, now }: { answers: readonly IngestAnswer[]; newest: ReadonlyMap<number, Date>; now: Date },
): GatewayCount[] {
  const counts = new Map<number, GatewayCount>()
  for (const [index, batch] of batches.entries()) {
    const { gateway, items } = batch
    if (items.length === 0 || !isSent(batch)) continue
    const { accepted = 0, duplicates = 0, rejected = [] } = answers[index] ?? {}
    const time = newest.get(gateway.id)
    const count = counts.get(gateway.id) ?? {
      gatewayId: gateway.id,
      accepted: 0,
      duplicates: 0,
      rejected: 0,
      lagMs: time === undefined ? null : now.getTime() - time.getTime(),
    }
    count.accepted += accepted
    count.duplicates += duplicates
    count.rejected += rejected.length
    counts.set(gateway.id, count)
  }
  return [...counts.values()]
}

/** Returns the time of the newest item that each gateway sent for the first time. */
export function newestTimes(fresh: readonly Acceptable[]): Map<number, Date> {
  const newest = new Map<number, Date>()
  for (const { batch, item } of fresh) {
    const before = newest.get(batch.gateway.id)
    if (isSent(batch) && (before === undefined || item.time > before)) newest.set(batch.gateway.id, item.time)
  }
  return newest
}

interface SortedItems {
  fresh: readonly Acceptable[]
  /** Names of fresh items that were parked before: their numbers have already been counted. */
  wereParked: ReadonlySet<string>
  refused: readonly Refused[]
  /** Names of refused items that were parked for the first time. */
  parked: ReadonlySet<string>
}

export function numbersOf({ fresh, wereParked, refused, parked }: SortedItems): SeenNumber[] {
  const taken = fresh
    .filter((one) => isSent(one.batch) && !wereParked.has(nameOf(one)))
    .map(({ order, epoch }) => ({ gatewayId: order.gatewayId, epoch, sequence: order.sequence }))
  const refusedOnes = refused.flatMap(({ batch, id, sequence }) => {
    const gatewayId = batch.gateway.id
    if (id === null || sequence === null || !parked.has(inboxName({ gatewayId, itemId: id }))) return []
    return [{ gatewayId, epoch: id.slice(0, id.lastIndexOf('-')), sequence }]
  })
  return [...taken, ...refusedOnes]
}
