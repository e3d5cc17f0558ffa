import type { InstrumentTimeline } from '@benchwatch/contract/instruments/instrument-timeline'
import { addDays, instantOf, isKnownZone, viewerZone } from '../../../lib/time/zone-clock.ts'
import { type Span, type Stretch, stretchesOf } from '../../../ui/charts/time-axis.tsx'

export type TimelineEvent = InstrumentTimeline['events'][number]

export type Lanes = ReturnType<typeof readLanes>

/** Reads the lanes of an answer. Events are placed by the instrument's clock, as statuses are. */
export function readLanes(timeline: InstrumentTimeline | undefined, siteZone: string) {
  const { statuses = [], runs = [], connections = [], maintenances = [], runtimes = [], events = [] } = timeline ?? {}
  return {
    statuses: stretchesOf(statuses.map(({ from, instrumentStatus: value }) => ({ value, from: Date.parse(from) }))),
    runs: runs.map(({ run, from, to }) => ({
      value: run,
      from: Date.parse(from),
      to: to === null ? null : Date.parse(to),
    })),
    connections: stretchesOf(connections.map(({ from, orcStatus: value }) => ({ value, from: Date.parse(from) }))),
    maintenances,
    runtimes: runtimeDays(runtimes, siteZone),
    events,
    /** Data newer than the last clock tick are not in the future. */
    latest: Date.parse(statuses.at(-1)?.from ?? '1970-01-01'),
  }
}

/**
 * Reduces stretches to `columns` columns: each column shows the value that held longest, and equal neighbours are
 * merged. A year of five thousand statuses thus needs at most one piece per column. Nothing is drawn after `until`
 * (now); the current column shows the current value, however recent.
 */
export function drawnStretches<V>(
  known: readonly Stretch<V>[],
  { span, columns, until }: { span: Span; columns: number; until: number },
): { value: V; from: number; to: number }[] {
  const drawn: { value: V; from: number; to: number }[] = []
  const step = (span.to - span.from) / columns
  let next = 0
  for (let column = 0; column < columns; column += 1) {
    const from = span.from + column * step
    const to = Math.min(span.from + (column + 1) * step, until)
    if (to <= from) break
    while (next < known.length && (known[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1
    const value = to === until ? known.at(-1)?.value : longestWithin(known, { next, from, to })
    if (value === undefined) continue
    const last = drawn.at(-1)
    if (last?.value === value && last.to === from) last.to = to
    else drawn.push({ value, from, to })
  }
  return drawn
}

function longestWithin<V>(
  known: readonly Stretch<V>[],
  { next, from, to }: { next: number; from: number; to: number },
): V | undefined {
  const lasted = new Map<V, number>()
  for (let index = next; index < known.length; index += 1) {
    const stretch = known[index]
    if (stretch === undefined || stretch.from >= to) break
    const time = Math.min(stretch.to ?? to, to) - Math.max(stretch.from, from)
    if (time > 0) lasted.set(stretch.value, (lasted.get(stretch.value) ?? 0) + time)
  }
  return [...lasted].reduce<[V, number] | undefined>(
    (one, other) => (one && one[1] >= other[1] ? one : other),
    undefined,
  )?.[0]
}

/** Returns the value at an instant; undefined if nothing is known. */
export function stretchAt<V>(known: readonly Stretch<V>[], at: number): Stretch<V> | undefined {
  return known.findLast(({ from, to }) => from <= at && (to === null || at < to))
}

/**
 * Returns when an event ended: closed by a user or cleared by the instrument, whichever came first; null while it
 * lasts.
 */
export function eventEnd({ closedAt, clearedAt }: TimelineEvent): number | null {
  const ends = [closedAt, clearedAt].flatMap((at) => (at === null ? [] : Date.parse(at)))
  return ends.length === 0 ? null : Math.min(...ends)
}

/**
 * Returns site-local days (YYYY-MM-DD). A day with a clock change is an hour longer or shorter. Falls back to the
 * viewer's time zone if the browser does not know `siteZone`.
 */
export function runtimeDays(runtimes: InstrumentTimeline['runtimes'], siteZone: string) {
  const zone = isKnownZone(siteZone) ? siteZone : viewerZone()
  const midnight = (day: string) => instantOf({ day, time: '00:00' }, zone).getTime()
  return runtimes.map(({ time, value }) => ({
    day: time,
    from: midnight(time),
    to: midnight(addDays(time, 1)),
    seconds: value,
  }))
}
