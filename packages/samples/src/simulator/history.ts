import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { Fleet } from '../fleet.ts'
import type { Emission } from './emission.ts'
import { type LastingSilences, type Outage, ordinaryOutages } from './outages.ts'
import { type Posting, postingsOf } from './postings.ts'
import { Reporter } from './reporter.ts'

const DAY = 86_400_000
/**
 * Days before the end for which all log lines and daily usage samples are generated. Before that, logs contain only
 * lines about alarms, and usage is sampled weekly: 90 full days would be 700,000 lines, too many for a demo to wait
 * for.
 */
const FULL_DAYS = 14
/** Delay of an item between instrument and server. */
const DELIVERY_MS = 1_200

export interface HistoricItem {
  /** Name of the sending gateway. */
  gateway: string
  /** The item as a gateway writes it, with times as text. */
  item: IngestItemInput
  /** Time of arrival at the server: just after `time`, or when the gateway was online again. */
  arrivedAt: Date
}

interface Span {
  fleet: Fleet
  seed: string
  from: Date
  to: Date
  /** Gateways and instruments that no longer report when the history ends. */
  silences?: LastingSilences
}

/**
 * Yields the reports of a fleet for from ≤ time < to, over all gateways in order of time, identical for the same seed.
 * Begins with the status and computers of each instrument at `from`. Repeats and clearings of alarms that were raised
 * earlier are left out. Logs and usage are sparser before the last two weeks.
 *
 * IDs belong to an outbox created at `from`, so all items that a real outbox sends later have a later epoch. Within
 * one gateway, later items never arrive earlier.
 */
export function* simulateHistory(span: Span): Generator<HistoricItem> {
  const from = span.from.getTime()
  const to = span.to.getTime()
  const fullFrom = to - FULL_DAYS * DAY
  // Starts a week earlier, so that a weekly sample is followed by one on the first of the days.
  const usageEvery = (at: number) => (at < fullFrom - 7 * DAY ? 7 * DAY : DAY)
  const reporters = postingsOf(span.fleet).map(
    (posting) =>
      new Reporter(posting, {
        seed: span.seed,
        at: from,
        usageEvery,
        lostAt: span.silences?.instruments.get(posting.installedProductId),
      }),
  )
  const envelope = envelopes(span)
  const raisedBefore = new Set(reporters.flatMap(({ machine }) => machine.openAlarms.map(({ alertId }) => alertId)))
  for (const { posting, machine } of reporters)
    yield envelope(posting, from, { type: 'benchwatch.status.changed', data: machine.statusReport() })
  for (const reporter of reporters) yield envelope(reporter.posting, from, reporter.clients())
  const queue = new ReporterQueue(reporters)
  // Early enough to arrive before the history ends.
  const lastCall = to - 2 * DELIVERY_MS
  let isDayReported = false
  for (let first = queue.first(); first && first.nextAt < to; first = queue.first()) {
    const at = first.nextAt
    if (at >= lastCall && !isDayReported) {
      isDayReported = true
      yield* currentDays(reporters, lastCall, { envelope, silences: span.silences })
    }
    for (const emission of first.advance(at < fullFrom ? 'logs of alarms' : 'all logs')) {
      if ('alertId' in emission.data && raisedBefore.has(emission.data.alertId)) continue
      if (at >= (span.silences?.gateways.get(first.posting.gateway) ?? to)) continue
      yield envelope(first.posting, at, emission)
    }
    queue.settleFirst()
  }
  if (!isDayReported) yield* currentDays(reporters, lastCall, { envelope, silences: span.silences })
}

/**
 * Yields the run time so far of the current day for each reporting instrument, as gateways report it from time to
 * time.
 */
function* currentDays(
  reporters: readonly Reporter[],
  at: number,
  { envelope, silences }: { envelope: ReturnType<typeof envelopes>; silences: LastingSilences | undefined },
): Generator<HistoricItem> {
  for (const reporter of reporters) {
    const { gateway, installedProductId } = reporter.posting
    if (silences?.gateways.has(gateway) || silences?.instruments.has(installedProductId)) continue
    yield envelope(reporter.posting, at, reporter.runTimeSoFar(at))
  }
}

function envelopes({ seed, from, to, silences }: Span) {
  const epoch = epochAt(from.getTime())
  const lines = new Map<string, { sequence: number; outageAt: (at: number) => Outage | null }>()
  return ({ gateway, installedProductId }: Posting, at: number, emission: Emission): HistoricItem => {
    const line = lines.get(gateway) ?? { sequence: 0, outageAt: ordinaryOutages({ seed, gateway }) }
    lines.set(gateway, line)
    const sequence = ++line.sequence
    const item = {
      specversion: '1.0',
      id: `${epoch}-${sequence}`,
      source: `/gateways/${gateway}`,
      subject: installedProductId,
      time: new Date(at).toISOString(),
      sequence,
      ...emission,
    } as const
    const outage = line.outageAt(at)
    // An outage that continues beyond the history would hold its items forever, so it is left out.
    const reportsUntil = silences?.gateways.get(gateway) ?? to.getTime()
    const sentAt = outage && outage.to + DELIVERY_MS < reportsUntil ? outage.to : at
    return { gateway, item, arrivedAt: new Date(sentAt + DELIVERY_MS) }
  }
}

/** Returns a version 7 UUID of that time without random bits, which sorts before those of any later outbox. */
function epochAt(at: number): string {
  const hex = Math.floor(at).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Reporters by the time of their next step: a binary heap, as sorting 400 at each of a million steps is slow. */
class ReporterQueue {
  readonly #heap: Reporter[]

  constructor(reporters: readonly Reporter[]) {
    this.#heap = [...reporters].sort((a, b) => a.nextAt - b.nextAt)
  }

  first(): Reporter | undefined {
    return this.#heap[0]
  }

  /** Restores the order after the first reporter has advanced. */
  settleFirst(): void {
    const moved = this.#heap[0]
    if (!moved) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const child = this.#nextAt(left + 1) < this.#nextAt(left) ? left + 1 : left
      const next = this.#heap[child]
      if (!next || next.nextAt >= moved.nextAt) break
      this.#heap[index] = next
      index = child
    }
    this.#heap[index] = moved
  }

  #nextAt(index: number): number {
    return this.#heap[index]?.nextAt ?? Number.POSITIVE_INFINITY
  }
}
