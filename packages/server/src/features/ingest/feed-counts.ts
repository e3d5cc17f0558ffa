import type { IngestAnswer } from '@benchwatch/contract/ingest'
import { type Acceptable, type Batch, isSent, nameOf, type Refused } from './batches.ts'
import { inboxName } from './inbox.store.ts'

/** What a group of batches means for the state of the feed. Pure; `feed-counts.store.ts` keeps it. */

/** Of one gateway in one group. */
export interface GatewayCount {
  gatewayId: number
  accepted: number
  duplicates: number
  rejected: number
  /** Server's clock less the gateway's, of the newest item that came for the first time; null where none did. */
  lagMs: number | null
}

/** Numbers of one life of an outbox that came for the first time. */
export interface EpochCount {
  gatewayId: number
  epoch: string
  first: number
  last: number
  seen: number
}

/** A number that came for the first time, taken or parked. */
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

/** `answers` are those of `batches`, by position. What did not come from its gateway is no part of its feed. */
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

/** Time of the newest item that each gateway sent for the first time. */
export function newestTimes(fresh: readonly Acceptable[]): Map<number, Date> {
  const newest = new Map<number, Date>()
  for (const { batch, item } of fresh) {
    const before = newest.get(batch.gateway.id)
    if (isSent(batch) && (before === undefined || item.time > before)) newest.set(batch.gateway.id, item.time)
  }
  return newest
}

interface Told {
  fresh: readonly Acceptable[]
  /** Names of fresh items that had been parked: their numbers were counted as they were. */
  wereParked: ReadonlySet<string>
  refused: readonly Refused[]
  /** Names of refused items that were parked for the first time. */
  parked: ReadonlySet<string>
}

export function numbersOf({ fresh, wereParked, refused, parked }: Told): SeenNumber[] {
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
