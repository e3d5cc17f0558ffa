import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { Fleet } from '../fleet.ts'
import type { Emission } from './emission.ts'
import { Machine } from './machine.ts'
import { type Posting, postingsOf } from './postings.ts'

export interface HistoricItem {
  /** Name of the gateway that would have sent it. */
  gateway: string
  /** As a gateway writes it: times as text. */
  item: IngestItemInput
}

/**
 * What the instruments of a fleet reported from ≤ time < to, over all gateways in order of time; the same for the same
 * seed. It begins with the status of each instrument at `from`; of alarms that were raised before,
 * neither repeats nor the clearing are told.
 *
 * Ids are those of an outbox that was made at `from`, so everything a real outbox sends later has a later epoch.
 */
export function* simulateHistory(input: { fleet: Fleet; seed: string; from: Date; to: Date }): Generator<HistoricItem> {
  const from = input.from.getTime()
  const to = input.to.getTime()
  const machines = postingsOf(input.fleet).map((posting) => new Machine(posting, { seed: input.seed, at: from }))
  const envelope = envelopes(epochAt(from))
  const untold = new Set(machines.flatMap(({ openAlertIds }) => openAlertIds))
  for (const { posting, status } of machines)
    yield envelope(posting, from, { type: 'benchwatch.status.changed', data: { instrumentStatus: status } })
  const queue = new MachineQueue(machines)
  for (let machine = queue.first(); machine && machine.nextAt < to; machine = queue.first()) {
    const at = machine.nextAt
    for (const emission of machine.advance()) {
      if ('alertId' in emission.data && untold.has(emission.data.alertId)) continue
      yield envelope(machine.posting, at, emission)
    }
    queue.settleFirst()
  }
}

function envelopes(epoch: string) {
  const sequences = new Map<string, number>()
  return ({ gateway, installedProductId }: Posting, at: number, emission: Emission): HistoricItem => {
    const sequence = (sequences.get(gateway) ?? 0) + 1
    sequences.set(gateway, sequence)
    const item = {
      specversion: '1.0',
      id: `${epoch}-${sequence}`,
      source: `/gateways/${gateway}`,
      subject: installedProductId,
      time: new Date(at).toISOString(),
      sequence,
      ...emission,
    } as const
    return { gateway, item }
  }
}

/** A UUID of version 7 with that instant and no random part: it sorts before any that an outbox makes later. */
function epochAt(at: number): string {
  const hex = Math.floor(at).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Machines by the time of their next step: a binary heap, because sorting 400 machines at each of 100,000 steps is slow. */
class MachineQueue {
  private readonly heap: Machine[]

  constructor(machines: readonly Machine[]) {
    this.heap = [...machines].sort((a, b) => a.nextAt - b.nextAt)
  }

  first(): Machine | undefined {
    return this.heap[0]
  }

  /** To be called after the first machine has advanced: puts it where it belongs now. */
  settleFirst(): void {
    const moved = this.heap[0]
    if (!moved) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const child = this.nextAt(left + 1) < this.nextAt(left) ? left + 1 : left
      const next = this.heap[child]
      if (!next || next.nextAt >= moved.nextAt) break
      this.heap[index] = next
      index = child
    }
    this.heap[index] = moved
  }

  private nextAt(index: number): number {
    return this.heap[index]?.nextAt ?? Number.POSITIVE_INFINITY
  }
}
