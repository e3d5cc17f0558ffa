import type { EventSurroundings } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events'
import type { InstrumentStatus, Severity } from '@benchwatch/contract/vocabulary'
import { formatClock, formatEventDate, type Instant } from '../../../lib/time/dates.ts'
import { MARK_PX, worstSeverity } from '../event-text.ts'

/**
 * Layout of the time axis of 'Around the event'. Positions and widths are percent of the axis; instants are
 * milliseconds since the epoch. Everything is placed by the instrument's clock, as its statuses are: a delayed event
 * stands where it happened, not where it arrived.
 */

const HOUR_MS = 3_600_000
const WHOLE_WINDOW_MS = 12 * HOUR_MS

type Span = Pick<EventSurroundings, 'start' | 'stop'>

/** True until the hours after the event are over: statuses and events can still arrive. */
export function isStillGrowing({ start, stop }: Span): boolean {
  return Date.parse(stop) - Date.parse(start) < WHOLE_WINDOW_MS
}

export function placeOf(at: number, { start, stop }: Span): number {
  const from = Date.parse(start)
  const share = (at - from) / (Date.parse(stop) - from)
  return Math.min(1, Math.max(0, share)) * 100
}

/** One status and how long it lasted. `from` may lie before the axis; `to` is null if it lasted beyond its end. */
export interface StatusStretch {
  status: InstrumentStatus
  from: number
  to: number | null
  left: number
  width: number
}

export function statusStretches({ statuses, ...span }: Pick<EventSurroundings, 'statuses'> & Span): StatusStretch[] {
  return statuses.flatMap(({ from, instrumentStatus: status }, index) => {
    const next = statuses[index + 1]
    const begins = Date.parse(from)
    const ends = next === undefined ? null : Date.parse(next.from)
    const left = placeOf(begins, span)
    const width = (ends === null ? 100 : placeOf(ends, span)) - left
    return width <= 0 ? [] : [{ status, from: begins, to: ends, left, width }]
  })
}

/** One mark on the axis: one event, or several that are too close together to tell apart. */
export interface EventMark {
  /** Oldest first. */
  events: ServiceEvent[]
  left: number
  /** The worst severity of its events; for the mark that holds this event, that event's own. */
  severity: Severity
  /** True if the mark holds the event on this page. */
  isThis: boolean
}

/**
 * Groups events into marks that do not overlap on an axis `width` pixels wide. Events close to the event with this
 * `id` join its mark, which stands exactly at its time; others join the mark of the first event before them.
 */
export function eventMarks(
  { values, ...span }: Pick<EventSurroundings, 'values'> & Span,
  { id, width }: { id: string; width: number },
): EventMark[] {
  const apart = (MARK_PX / width) * 100
  const placed = values
    .map(({ alarm }) => ({ alarm, left: placeOf(Date.parse(alarm.logGeneratedAt), span) }))
    .sort((a, b) => a.left - b.left)
  const current = placed.find(({ alarm }) => alarm.id === id)
  const marks: EventMark[] = []
  for (const { alarm, left } of placed) {
    const isThis = current !== undefined && Math.abs(left - current.left) < apart
    const last = marks.at(-1)
    if (last !== undefined && last.isThis === isThis && (isThis || left - last.left < apart)) last.events.push(alarm)
    else marks.push({ events: [alarm], left: isThis ? current.left : left, severity: alarm.severity, isThis })
  }
  return marks.map((mark) => ({
    ...mark,
    severity: mark.isThis && current !== undefined ? current.alarm.severity : worstSeverity(mark.events),
  }))
}

export interface Tick {
  at: number
  left: number
  label: string
}

/** Percent: a tick closer to the event's own time would touch its label. */
const CLEAR_OF_EVENT = 13
/** Percent, on the narrowest axis: a label at an end of the axis is moved inwards by half its width. */
const LABEL_INSET = 6

/**
 * Returns ticks at even hours of the viewer's day; midnight shows the date. Ticks that would touch the label at
 * `eventAt` are left out.
 */
export function hourTicks(span: Span, eventAt: number): Tick[] {
  const ticks: Tick[] = []
  const stop = Date.parse(span.stop)
  const labelLeft = Math.min(Math.max(placeOf(eventAt, span), LABEL_INSET), 100 - LABEL_INSET)
  const hour = new Date(span.start)
  hour.setMinutes(0, 0, 0)
  for (let count = 0; count < 16; count += 1) {
    const at = hour.getTime() + count * HOUR_MS
    const { hours, isMidnight } = wallClock(at)
    if (at < Date.parse(span.start) || at > stop || hours % 2 !== 0) continue
    const left = placeOf(at, span)
    if (Math.abs(left - labelLeft) < CLEAR_OF_EVENT) continue
    ticks.push({ at, left, label: isMidnight ? formatEventDate(at).slice(0, -5) : formatClock(at) })
  }
  return ticks
}

function wallClock(at: number) {
  const date = new Date(at)
  return { hours: date.getHours(), isMidnight: date.getHours() === 0 && date.getMinutes() === 0 }
}

/** Formats a duration with at most two units: `3 h 58 min`, `12 min`, `40 s`. */
export function lasted(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** Returns `10:04`, with the date if it differs from that of `beside`. */
export function clockBeside(at: Instant, beside: Instant): string {
  const day = formatEventDate(at)
  return day === formatEventDate(beside) ? formatClock(at) : `${day.slice(0, -5)} ${formatClock(at)}`
}

/**
 * Returns `method run, 10:04 to 14:02 (3 h 58 min)`, or `…, since 14:02 (20 min so far)` if it lasts beyond the axis.
 */
export function stretchLabel(
  { status, from, to }: StatusStretch,
  { stop, eventAt }: { stop: string; eventAt: number },
) {
  const begun = clockBeside(from, eventAt)
  if (to !== null) return `${status}, ${begun} to ${clockBeside(to, eventAt)} (${lasted(to - from)})`
  return `${status}, since ${begun} (${lasted(Date.parse(stop) - from)} until ${clockBeside(stop, eventAt)})`
}
