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
 * What stands on the lanes of the time line. Instants are milliseconds since the epoch, places and widths percent of the axis.
 * All is placed by the instrument's clock, as its statuses are.
 */

export type TimelineEvent = InstrumentTimeline['events'][number]

/** Something that lasted. `to` null: it lasts. */
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
 * Stretches as they can be drawn on `columns` columns: in each column what held the longest, equal neighbours as one. So a
 * year of five thousand statuses is at most as many pieces as there are columns. Nothing is drawn after `until`, which is now;
 * the column of now shows what holds, however short it has.
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

/** What held at an instant; undefined where nothing is known. */
export function stretchAt<V>(known: readonly Stretch<V>[], at: number): Stretch<V> | undefined {
  return known.findLast(({ from, to }) => from <= at && (to === null || at < to))
}

/** One mark: an event, or several that stand too close to be told apart. */
export interface EventMark {
  /** Oldest first. */
  events: TimelineEvent[]
  left: number
  /** The worst among them. */
  severity: Severity
}

/** Events within the span as marks on an axis of `width` pixels; each joins the mark before it where that is too close. */
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

/** When an event was over: closed by somebody, or cleared by the instrument, whichever came first; null while it lasts. */
export function eventEnd({ closedAt, clearedAt }: TimelineEvent): number | null {
  const ends = [closedAt, clearedAt].flatMap((at) => (at === null ? [] : Date.parse(at)))
  return ends.length === 0 ? null : Math.min(...ends)
}

/** A day of the site with how long the instrument ran in it. */
export interface RuntimeDay {
  /** YYYY-MM-DD at the site. */
  day: string
  from: number
  to: number
  seconds: number
}

/** Days by the site's clock, so that one with a change of clocks is an hour longer or shorter. */
export function runtimeDays(runtimes: InstrumentTimeline['runtimes'], siteZone: string): RuntimeDay[] {
  return runtimes.map(({ time, value }) => ({
    day: time,
    from: midnight(time, siteZone),
    to: midnight(dayjs.utc(time).add(1, 'day').format('YYYY-MM-DD'), siteZone),
    seconds: value,
  }))
}

/** A zone that this browser does not know is taken as the viewer's own. */
function midnight(day: string, zone: string): number {
  try {
    return dayjs.tz(`${day}T00:00:00`, zone).valueOf()
  } catch {
    return dayjs(`${day}T00:00:00`).valueOf()
  }
}

/** Where something that lasts stands on the axis; null where it does not touch it. */
export function placed({ from, to }: { from: number; to: number | null }, span: Span): Placed | null {
  const end = to ?? span.to
  if (end <= span.from || from >= span.to) return null
  const left = placeOf(from, span)
  return { left, width: placeOf(end, span) - left }
}
