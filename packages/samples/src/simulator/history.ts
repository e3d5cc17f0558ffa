import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { Fleet } from '../fleet.ts'
import type { Emission } from './emission.ts'
import { type LastingSilences, type Outage, ordinaryOutages } from './outages.ts'
import { type Posting, postingsOf } from './postings.ts'
import { Reporter } from './reporter.ts'

const DAY = 86_400_000
/**
 * How far back logs are told line by line and usage is sampled each day. Before that, logs hold only what was written
 * about alarms, and usage is sampled once a week: 90 days in full would be 700,000 lines, and no demo should wait for them.
 */
const FULL_DAYS = 14
/** The way of an item from the instrument to the server. */
const DELIVERY_MS = 1_200

export interface HistoricItem {
  /** Name of the gateway that would have sent it. */
  gateway: string
  /** As a gateway writes it: times as text. */
  item: IngestItemInput
  /** When the server got it: a moment after `time`, or when the gateway had its line back. */
  arrivedAt: Date
}

interface Span {
  fleet: Fleet
  seed: string
  from: Date
  to: Date
  /** What is not heard of any more when the history ends. */
  silences?: LastingSilences
}

/**
 * What the instruments of a fleet reported from ≤ time < to, over all gateways in order of time; the same for the same
 * seed. It begins with the status and the computers of each instrument at `from`; of alarms that were raised before,
 * neither repeats nor the clearing are told. Logs and usage thin out before the last fortnight.
 *
 * Ids are those of an outbox that was made at `from`, so everything a real outbox sends later has a later epoch. Of one
 * gateway, what is told later never arrives earlier.
 */
export function* simulateHistory(span: Span): Generator<HistoricItem> {
  const from = span.from.getTime()
  const to = span.to.getTime()
  const fullFrom = to - FULL_DAYS * DAY
  // From a week before on, so that whoever has told of a week is in time for the first of the days.
  const usageEvery = (at: number) => (at < fullFrom - 7 * DAY ? 7 * DAY : DAY)
  const reporters = postingsOf(span.fleet).map(
    (posting) =>
      new Reporter(posting, {
        seed: span.seed,
        at: from,
        usageEvery,
        ...optionalLoss(span.silences?.instruments.get(posting.installedProductId)),
      }),
  )
  const envelope = envelopes(span)
  const untold = new Set(reporters.flatMap(({ machine }) => machine.openAlarms.map(({ alertId }) => alertId)))
  for (const { posting, machine } of reporters)
    yield envelope(posting, from, { type: 'benchwatch.status.changed', data: { instrumentStatus: machine.status } })
  for (const reporter of reporters) yield envelope(reporter.posting, from, reporter.clients())
  const queue = new ReporterQueue(reporters)
  // Early enough to arrive before the history ends.
  const lastCall = to - 2 * DELIVERY_MS
  let isDayTold = false
  for (let first = queue.first(); first && first.nextAt < to; first = queue.first()) {
    const at = first.nextAt
    if (at >= lastCall && !isDayTold) {
      isDayTold = true
      yield* daysUnderWay(reporters, lastCall, { envelope, silences: span.silences })
    }
    for (const emission of first.advance(at < fullFrom ? 'logs of alarms' : 'all logs')) {
      if ('alertId' in emission.data && untold.has(emission.data.alertId)) continue
      if (at >= (span.silences?.gateways.get(first.posting.gateway) ?? to)) continue
      yield envelope(first.posting, at, emission)
    }
    queue.settleFirst()
  }
  if (!isDayTold) yield* daysUnderWay(reporters, lastCall, { envelope, silences: span.silences })
}

const optionalLoss = (lostAt: number | undefined) => (lostAt === undefined ? {} : { lostAt })

/** The run time of the day under way, of each instrument that is still heard of: a gateway tells it from time to time. */
function* daysUnderWay(
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
    // An outage that history does not see end would keep its items for ever: it is left out.
    const heardUntil = silences?.gateways.get(gateway) ?? to.getTime()
    const sentAt = outage && outage.to + DELIVERY_MS < heardUntil ? outage.to : at
    return { gateway, item, arrivedAt: new Date(sentAt + DELIVERY_MS) }
  }
}

/** A UUID of version 7 with that instant and no random part: it sorts before any that an outbox makes later. */
function epochAt(at: number): string {
  const hex = Math.floor(at).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Reporters by the time of their next step: a binary heap, because sorting 400 at each of a million steps is slow. */
class ReporterQueue {
  readonly #heap: Reporter[]

  constructor(reporters: readonly Reporter[]) {
    this.#heap = [...reporters].sort((a, b) => a.nextAt - b.nextAt)
  }

  first(): Reporter | undefined {
    return this.#heap[0]
  }

  /** To be called after the first one has advanced: puts it where it belongs now. */
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
