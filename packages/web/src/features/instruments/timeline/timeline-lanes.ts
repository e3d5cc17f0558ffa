import type { InstrumentTimeline } from '@benchwatch/contract/instrument-timeline'
import type { InstrumentStatus, OrcStatus, Severity } from '@benchwatch/contract/vocabulary'
import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'
import { MARK_PX, worstSeverity } from '../../events/event-text.ts'
import { placeOf, type Span } from './timeline-span.ts'

dayjs.extend(utc)
dayjs.extend(timezone)

/**
 * Computes the lanes of the time line. Instants are milliseconds since the epoch; positions and widths are percentages
 * of the axis. Events are placed by the instrument's clock, as statuses are.
 */

export type TimelineEvent = InstrumentTimeline['events'][number]

/** A value over a period of time. `to` is null while it lasts. */
export interface Stretch<V> {
  value: V
  from: number
  to: number | null
}

export interface Placed {
  left: number
  width: number
}

type Known = Pick<InstrumentTimeline, 'statuses' | 'connections'>

export function statusStretches({ statuses }: Pick<Known, 'statuses'>): Stretch<InstrumentStatus>[] {
  return stretches(statuses.map(({ from, instrumentStatus }) => ({ value: instrumentStatus, from: Date.parse(from) })))
}

export function connectionStretches({ connections }: Pick<Known, 'connections'>): Stretch<OrcStatus>[] {
  return stretches(connections.map(({ from, orcStatus }) => ({ value: orcStatus, from: Date.parse(from) })))
}

function stretches<V>(begins: readonly { value: V; from: number }[]): Stretch<V>[] {
  return begins.map(({ value, from }, index) => ({ value, from, to: begins[index + 1]?.from ?? null }))
}

/**
 * Reduces stretches to `columns` columns: each column shows the value that held longest, and equal neighbours are
 * merged. A year of five thousand statuses thus needs at most one piece per column. Nothing is drawn after `until`
 * (now); the current column shows the current value, however recent.
 */
export function drawnStretches<V>(
  known: readonly Stretch<V>[],
  { span, columns, until }: { span: Span; columns: number; until: number },
): (Placed & { value: V })[] {
  const drawn: { value: V; first: number; last: number }[] = []
  const step = (span.to - span.from) / columns
  let next = 0
  for (let column = 0; column < columns; column += 1) {
    const from = span.from + column * step
    const to = Math.min(from + step, until)
    if (to <= from) break
    while (next < known.length && (known[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1
    const isNow = to === until
    const value = isNow ? known.at(-1)?.value : longestWithin(known, { next, from, to })
    if (value === undefined) continue
    const last = drawn.at(-1)
    if (last !== undefined && last.last === column - 1 && last.value === value) last.last = column
    else drawn.push({ value, first: column, last: column })
  }
  const width = 100 / columns
  const end = placeOf(until, span)
  return drawn.map(({ value, first, last }) => ({
    value,
    left: first * width,
    width: Math.min((last + 1) * width, end) - first * width,
  }))
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
  let longest: V | undefined
  for (const [value, time] of lasted) if (longest === undefined || time > (lasted.get(longest) ?? 0)) longest = value
  return longest
}

/** Returns the value at an instant; undefined if nothing is known. */
export function stretchAt<V>(known: readonly Stretch<V>[], at: number): Stretch<V> | undefined {
  return known.findLast(({ from, to }) => from <= at && (to === null || at < to))
}

/** One mark: an event, or several that are too close to separate. */
export interface EventMark {
  /** Oldest first. */
  events: TimelineEvent[]
  left: number
  /** The highest among the events. */
  severity: Severity
}

/**
 * Returns the events within the span as marks on an axis of `width` pixels. An event that is too close to the previous
 * mark joins it.
 */
export function eventMarks(
  events: readonly TimelineEvent[],
  { span, width }: { span: Span; width: number },
): EventMark[] {
  const apart = (MARK_PX / Math.max(width, 1)) * 100
  const placed = events
    .map((event) => ({ event, at: Date.parse(event.logGeneratedAt) }))
    .filter(({ at }) => at >= span.from && at < span.to)
    .sort((one, other) => one.at - other.at)
  const marks: EventMark[] = []
  for (const { event, at } of placed) {
    const left = placeOf(at, span)
    const last = marks.at(-1)
    if (last !== undefined && left - last.left < apart) last.events.push(event)
    else marks.push({ events: [event], left, severity: event.severity })
  }
  return marks.map((mark) => ({ ...mark, severity: worstSeverity(mark.events) }))
}

/**
 * Returns when an event ended: closed by a user or cleared by the instrument, whichever came first; null while it
 * lasts.
 */
export function eventEnd({ closedAt, clearedAt }: TimelineEvent): number | null {
  const ends = [closedAt, clearedAt].flatMap((at) => (at === null ? [] : Date.parse(at)))
  return ends.length === 0 ? null : Math.min(...ends)
}

/** A site-local day and how long the instrument ran in it. */
export interface RuntimeDay {
  /** YYYY-MM-DD, site-local. */
  day: string
  from: number
  to: number
  seconds: number
}

/** Returns site-local days. A day with a clock change is an hour longer or shorter. */
export function runtimeDays(runtimes: InstrumentTimeline['runtimes'], siteZone: string): RuntimeDay[] {
  return runtimes.map(({ time, value }) => ({
    day: time,
    from: midnight(time, siteZone),
    to: midnight(dayjs.utc(time).add(1, 'day').format('YYYY-MM-DD'), siteZone),
    seconds: value,
  }))
}

/** Falls back to the viewer's time zone if the browser does not know `zone`. */
function midnight(day: string, zone: string): number {
  try {
    return dayjs.tz(`${day}T00:00:00`, zone).valueOf()
  } catch {
    return dayjs(`${day}T00:00:00`).valueOf()
  }
}

/** Returns the position of a period on the axis; null if it lies outside. */
export function placed({ from, to }: { from: number; to: number | null }, span: Span): Placed | null {
  const end = to ?? span.to
  if (end <= span.from || from >= span.to) return null
  const left = placeOf(from, span)
  return { left, width: placeOf(end, span) - left }
}
