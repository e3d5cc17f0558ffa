import type { InstrumentTimeline } from '@benchwatch/contract/instrument-timeline'
import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { useElementSize } from '@mantine/hooks'
import dayjs from 'dayjs'
import { type PointerEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import {
  formatClock,
  formatInstrumentDate,
  formatInstrumentEnd,
  formatInstrumentTime,
  formatInstrumentTimeInZone,
} from '../../../lib/time/dates.ts'
import { formatSpan } from '../../../lib/time/duration.ts'
import { StatusFill, StatusLegend } from '../../connections/instrument-status-dot.tsx'
import { isLost } from '../../connections/monitoring-note.tsx'
import { TimelineEvents } from './timeline-events.tsx'
import {
  connectionStretches,
  drawnStretches,
  type Placed,
  placed,
  type RuntimeDay,
  runtimeDays,
  type Stretch,
  statusStretches,
  stretchAt,
} from './timeline-lanes.ts'
import styles from './timeline-plot.module.css'
import { marked, moved, placeOf, type Span, zoomed } from './timeline-span.ts'

/** A mark on the time axis, at a round time of the viewer's clock. */
interface Tick {
  at: number
  /** Percentage of the axis. */
  left: number
  label: string
  /** True for the first tick of a day (or of a month on an axis of days): it has the date and a stronger line. */
  isMajor: boolean
}

const steps = [
  { unit: 'minute', count: 1 },
  { unit: 'minute', count: 5 },
  { unit: 'minute', count: 15 },
  { unit: 'minute', count: 30 },
  { unit: 'hour', count: 1 },
  { unit: 'hour', count: 3 },
  { unit: 'hour', count: 6 },
  { unit: 'hour', count: 12 },
  { unit: 'day', count: 1 },
  { unit: 'day', count: 2 },
  { unit: 'day', count: 7 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 3 },
] as const

type Step = (typeof steps)[number]

const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000, month: 30 * 86_400_000 } as const

/** A label of six letters with some space. */
const LABEL_PX = 62

/** The read-out of the cross-hair at one instant. */
interface KnownTimeline {
  statuses: readonly Stretch<InstrumentStatus>[]
  connections: readonly Stretch<OrcStatus>[]
  maintenances: InstrumentTimeline['maintenances']
  runtimes: readonly RuntimeDay[]
}

interface Reading {
  /** In the viewer's time zone. */
  time: string
  /** In the site's time zone; null if it is the same. */
  siteTime: string | null
  facts: { name: string; text: string }[]
}

/** The lanes are pictures without controls. The cross-hair and the list give the same information as text. */
const place = ({ left, width }: Placed) => ({ left: `${left}%`, width: `${width}%` })

/** Width until the plot is measured. Ticks get labels only then: labels for another width would overlap. */
const USUAL_WIDTH = 900
/** A press that moves less than this many pixels is a click and selects nothing. */
const LEAST_DRAG_PX = 5

/** Labels that would be cut off at the end are left out. */
const LABEL_ROOM_PX = 44

/** An ongoing pointer gesture: a mouse selects a span to zoom to, a finger pans. */
interface Drag {
  kind: 'mark' | 'move'
  /** Start and current position as fractions of the width. */
  began: number
  share: number
  /** The span at the start of the gesture. */
  span: Span
}

/**
 * The lanes on one axis with a cross-hair and its read-out. The cross-hair is a slider: arrow keys move it, + and −
 * zoom around it, Page up and Page down move by a page.
 */
export function TimelinePlot(props: {
  /** Undefined until the first answer arrives. */
  timeline: InstrumentTimeline | undefined
  span: Span
  now: number
  siteZone: string
  /** True while the drawn data belong to another span and the answer for this one is in flight. */
  isStale: boolean
  /** Receives a span selected in one gesture. */
  onMark: (span: Span) => void
  /** Receives one of many small steps. */
  onMove: (span: Span) => void
}) {
  const { timeline, span, now, siteZone, onMark, onMove } = props
  const { ref, width: measured } = useElementSize()
  const width = measured || USUAL_WIDTH
  const plot = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const known = useKnown(timeline, siteZone)
  const columns = Math.max(60, Math.round(width / 2))
  const drawing = { span, columns, until: Math.max(now, known.latest) }
  const statuses = drawnStretches(known.statuses, drawing)
  const connections = drawnStretches(known.connections, drawing)
  const at = Math.min(span.to, Math.max(span.from, pointed ?? Math.min(now, span.to - 1)))
  const reading = readingAt(at, known, { now, siteZone })

  const zoom = (factor: number, around: number) => onMove(zoomed(span, { factor, around, now }))
  useWheel(plot, {
    zoom: (factor, share) => zoom(factor, span.from + share * (span.to - span.from)),
    move: (share) => onMove(moved(span, { share, now })),
  })

  const shareOf = ({ clientX }: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect()
    return box === undefined ? 0 : Math.min(1, Math.max(0, (clientX - box.left) / box.width))
  }
  const instantOf = (share: number) => span.from + share * (span.to - span.from)

  function press(pointer: PointerEvent) {
    if (pointer.button !== 0 || (pointer.target as Element).closest('a, button') !== null) return
    const share = shareOf(pointer)
    setDrag({ kind: pointer.pointerType === 'mouse' ? 'mark' : 'move', began: share, share, span })
    pointer.currentTarget.setPointerCapture(pointer.pointerId)
  }

  function point(pointer: PointerEvent) {
    const share = shareOf(pointer)
    setPointed(instantOf(share))
    if (drag === null) return
    setDrag({ ...drag, share })
    if (drag.kind === 'move') onMove(moved(drag.span, { share: drag.began - share, now }))
  }

  function release() {
    setDrag(null)
    if (drag?.kind !== 'mark' || Math.abs(drag.share - drag.began) * width < LEAST_DRAG_PX) return
    onMark(marked(instantOf(drag.began), instantOf(drag.share), now))
  }

  const step = (span.to - span.from) / 100
  const keys: Record<string, () => void> = {
    ArrowLeft: () => setPointed(Math.max(span.from, at - step)),
    ArrowRight: () => setPointed(Math.min(span.to, at + step)),
    Home: () => setPointed(span.from),
    End: () => setPointed(span.to),
    PageUp: () => onMove(moved(span, { share: -0.5, now })),
    PageDown: () => onMove(moved(span, { share: 0.5, now })),
    '+': () => zoom(0.5, at),
    '-': () => zoom(2, at),
  }

  return (
    <>
      <div className={styles.frame} data-stale={props.isStale || undefined}>
        <div className={styles.names} aria-hidden="true">
          <span>Maintenance</span>
          <span>Connection</span>
          <span>Status</span>
          <span>Events</span>
          <span className={styles.runtimeName}>
            Run time <span>of 24 h</span>
          </span>
        </div>
        <div
          className={styles.plot}
          ref={plot}
          onPointerDown={press}
          onPointerMove={point}
          onPointerUp={release}
          onPointerCancel={() => setDrag(null)}
          onPointerLeave={() => drag === null && setPointed(null)}
        >
          <div className={styles.measure} ref={ref} />
          <div className={styles.grid} aria-hidden="true">
            {ticksOf(span, width).map((tick) => (
              <span key={tick.at} style={{ left: `${tick.left}%` }} data-major={tick.isMajor || undefined}>
                {(tick.left / 100) * measured < measured - LABEL_ROOM_PX && <b>{tick.label}</b>}
              </span>
            ))}
          </div>
          <MaintenanceLane windows={timeline?.maintenances ?? []} span={span} now={now} />
          <ConnectionLane stretches={connections} />
          <StatusLane stretches={statuses} connections={connections} />
          <TimelineEvents events={timeline?.events ?? []} span={span} width={width} now={now} onZoom={onMark} />
          <RuntimeLane days={known.runtimes} span={span} now={now} />
          {now < span.to && now >= span.from && (
            <span className={styles.now} style={{ left: `${placeOf(now, span)}%` }} aria-hidden="true" />
          )}
          {drag?.kind === 'mark' && (
            <span
              className={styles.marked}
              style={{
                left: `${Math.min(drag.began, drag.share) * 100}%`,
                width: `${Math.abs(drag.share - drag.began) * 100}%`,
              }}
            />
          )}
          {pointed !== null && <span className={styles.hair} style={{ left: `${placeOf(at, span)}%` }} />}
          <div
            className={styles.slider}
            role="slider"
            tabIndex={0}
            aria-label="Point in time"
            aria-valuemin={span.from}
            aria-valuemax={span.to}
            aria-valuenow={Math.round(at)}
            aria-valuetext={`${reading.time}. ${reading.facts.map(({ name, text }) => `${name}: ${text}`).join('. ')}`}
            onFocus={() => setPointed(at)}
            onBlur={() => setPointed(null)}
            onKeyDown={(key) => {
              const act = keys[key.key]
              if (act === undefined || key.ctrlKey || key.metaKey || key.altKey) return
              key.preventDefault()
              act()
            }}
          />
        </div>
      </div>
      <dl className={styles.reading}>
        <div>
          <dt className={styles.hidden}>Time</dt>
          <dd>
            <strong>{reading.time}</strong>
            {reading.siteTime !== null && <span className={styles.quiet}> Site time: {reading.siteTime}</span>}
          </dd>
        </div>
        {timeline !== undefined &&
          reading.facts.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{text}</bdi>
              </dd>
            </div>
          ))}
      </dl>
      <div className={styles.legend}>
        <StatusLegend statuses={statuses.map(({ value }) => value)} />
      </div>
    </>
  )
}

/** Parses the answer once for all spans that it is drawn in. */
function useKnown(timeline: InstrumentTimeline | undefined, siteZone: string) {
  return useMemo(
    () =>
      timeline === undefined
        ? { statuses: [], connections: [], maintenances: [], runtimes: [], latest: 0 }
        : {
            statuses: statusStretches(timeline),
            connections: connectionStretches(timeline),
            maintenances: timeline.maintenances,
            runtimes: runtimeDays(timeline.runtimes, siteZone),
            /** Data newer than the last clock tick are not in the future. */
            latest: Date.parse(timeline.statuses.at(-1)?.from ?? '1970-01-01'),
          },
    [timeline, siteZone],
  )
}

/**
 * Zooms with Ctrl and the wheel, which is also a pinch on a touchpad; pans with a sideways wheel or Shift. A plain
 * wheel scrolls the page. React's passive listener could not stop the page from zooming as well.
 */
function useWheel(
  element: { current: HTMLElement | null },
  act: { zoom: (factor: number, share: number) => void; move: (share: number) => void },
): void {
  const handle = useEffectEvent((wheel: WheelEvent) => {
    const box = element.current?.getBoundingClientRect()
    if (box === undefined) return
    const sideways = wheel.shiftKey && wheel.deltaX === 0 ? wheel.deltaY : wheel.deltaX
    if (wheel.ctrlKey || wheel.metaKey) {
      wheel.preventDefault()
      act.zoom(2 ** (Math.max(-120, Math.min(120, wheel.deltaY)) / 120), (wheel.clientX - box.left) / box.width)
    } else if (Math.abs(sideways) > Math.abs(wheel.shiftKey ? 0 : wheel.deltaY)) {
      wheel.preventDefault()
      act.move(sideways / box.width)
    }
  })
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const listener = (wheel: WheelEvent) => handle(wheel)
    target.addEventListener('wheel', listener, { passive: false })
    return () => target.removeEventListener('wheel', listener)
  }, [element])
}

/** Past, current and planned maintenance windows. */
function MaintenanceLane(props: { windows: InstrumentTimeline['maintenances']; span: Span; now: number }) {
  const { windows, span, now } = props
  return (
    <div className={styles.maintenance} aria-hidden="true">
      {windows.map((window) => {
        const from = Date.parse(window.start)
        // A window without an end lasts until a user ends it, at an unknown time.
        const shown = placed({ from, to: window.end === null ? Math.max(now, from) : Date.parse(window.end) }, span)
        if (shown === null) return null
        return (
          <span
            key={`${window.id} ${window.start}`}
            className={styles.window}
            style={place(shown)}
            data-open={window.end === null || undefined}
            title={windowLabel(window)}
          >
            <bdi>{window.reason}</bdi>
          </span>
        )
      })}
    </div>
  )
}

/** A line while connected, hatched while the connection is lost. */
function ConnectionLane({ stretches }: { stretches: readonly (Placed & { value: OrcStatus })[] }) {
  return (
    <div className={styles.connection} aria-hidden="true">
      {stretches.map((stretch) => (
        <span key={stretch.left} className={styles.connected} style={place(stretch)} data-orc={stretch.value} />
      ))}
    </div>
  )
}

/** Statuses, paler while the connection is lost, because they are then only the last known ones. */
function StatusLane(props: {
  stretches: readonly (Placed & { value: InstrumentStatus })[]
  connections: readonly (Placed & { value: OrcStatus })[]
}) {
  const { stretches, connections } = props
  return (
    <div className={styles.status} aria-hidden="true">
      {stretches.map((stretch) => (
        <StatusFill key={stretch.left} status={stretch.value} className={styles.stretch} style={place(stretch)} />
      ))}
      {connections
        .filter(({ value }) => isLost(value))
        .map((stretch) => (
          <span key={stretch.left} className={styles.veil} style={place(stretch)} />
        ))}
    </div>
  )
}

/** A bar for each day with data; the lane's height is 24 hours. Days without data show the hatched background. */
function RuntimeLane({ days, span, now }: { days: readonly RuntimeDay[]; span: Span; now: number }) {
  const past = placed({ from: span.from, to: now }, span)
  return (
    <div className={styles.runtime} aria-hidden="true">
      {past !== null && <span className={styles.noData} style={place(past)} />}
      {days.map((day) => {
        const shown = placed({ from: day.from, to: Math.min(day.to, Math.max(now, day.from)) }, span)
        if (shown === null) return null
        const hours = day.seconds / 3600
        return (
          <span key={day.day} className={styles.day} style={place(shown)}>
            <span style={{ height: `${Math.min(100, (hours / 24) * 100)}%` }} />
          </span>
        )
      })}
    </div>
  )
}

/** Returns the read-out at an instant. For the future it contains only maintenance. */
export function readingAt(
  at: number,
  { statuses, connections, maintenances, runtimes }: KnownTimeline,
  { now, siteZone }: { now: number; siteZone: string },
): Reading {
  const facts = [maintenanceFact(maintenances, at)]
  if (at <= now) {
    const status = stretchAt(statuses, at)
    const connection = stretchAt(connections, at)
    const day = runtimes.find(({ from, to }) => from <= at && at < to)
    const isOutdated = connection !== undefined && isLost(connection.value)
    facts.unshift(
      {
        name: isOutdated ? 'Last status' : 'Status',
        text: status === undefined ? 'unknown' : stretchLabel(status, now),
      },
      { name: 'Connection', text: connection === undefined ? 'unknown' : stretchLabel(connection, now) },
    )
    facts.push({ name: 'Run time', text: day === undefined ? 'no data' : runtimeLabel(day) })
  }
  const there = formatInstrumentTimeInZone(at, siteZone)
  const isSameClock = there === null || there.includes(` ${formatClock(at)} `)
  return { time: formatInstrumentTime(at), siteTime: isSameClock ? null : there, facts }
}

/** Returns e.g. `method run since 20-Nov-2026 10:04 (3 h 58 min)`, with the total duration, up to now if it lasts. */
function stretchLabel<V extends string>({ value, from, to }: Stretch<V>, now: number): string {
  return `${value} since ${formatInstrumentTime(from)} (${formatSpan(((to ?? now) - from) / 1000)})`
}

function maintenanceFact(maintenances: KnownTimeline['maintenances'], at: number): Reading['facts'][number] {
  const window = maintenances.find(
    ({ start, end }) => Date.parse(start) <= at && (end === null || at < Date.parse(end)),
  )
  return { name: 'Maintenance', text: window === undefined ? 'none' : windowLabel(window) }
}

/** Returns e.g. `20-Nov-2026 10:00 to 20-Nov-2026 14:00: Service visit`. */
export function windowLabel({ start, end, reason }: KnownTimeline['maintenances'][number]): string {
  const span =
    end === null
      ? `since ${formatInstrumentTime(start)}`
      : `${formatInstrumentTime(start)} to ${formatInstrumentEnd(end)}`
  return reason === null ? span : `${span}: ${reason}`
}

/** Returns e.g. `7.5 h on 20-Nov-2026`. */
function runtimeLabel({ day, seconds }: RuntimeDay): string {
  return `${(seconds / 3600).toFixed(1)} h on ${formatInstrumentDate(day)}`
}

/** Returns as many ticks as fit an axis of `width` pixels. Hours stay even across a clock change. */
export function ticksOf(span: Span, width: number): Tick[] {
  const least = ((span.to - span.from) * LABEL_PX) / Math.max(width, LABEL_PX)
  const step = steps.find(({ unit, count }) => lengths[unit] * count >= least) ?? steps[steps.length - 1]
  if (step === undefined) return []
  const ticks: Tick[] = []
  for (let at = firstTick(span.from, step); at.valueOf() < span.to; at = after(at, step)) {
    if (at.valueOf() >= span.from) ticks.push(tickAt(at, { span, step }))
  }
  return ticks
}

function tickAt(at: dayjs.Dayjs, { span, step }: { span: Span; step: Step }): Tick {
  const isMidnight = at.hour() === 0 && at.minute() === 0
  const isMajor = step.unit === 'month' ? at.month() === 0 : step.unit === 'day' ? at.date() === 1 : isMidnight
  return {
    at: at.valueOf(),
    left: placeOf(at.valueOf(), span),
    label: at.format(formatOf(at, { step, isMidnight })),
    isMajor,
  }
}

function formatOf(at: dayjs.Dayjs, { step, isMidnight }: { step: Step; isMidnight: boolean }): string {
  if (step.unit === 'month') return at.month() === 0 ? 'MMM YYYY' : 'MMM'
  if (step.unit === 'day') return 'D MMM'
  return isMidnight ? 'D MMM' : 'HH:mm'
}

function firstTick(from: number, { unit, count }: Step): dayjs.Dayjs {
  const start = dayjs(from)
  switch (unit) {
    case 'minute':
      return start.startOf('hour')
    case 'hour':
      return start.startOf('day')
    // Weeks begin on Monday; pairs of days are counted from the first of the month.
    case 'day':
      return count === 7 ? start.startOf('day').subtract((start.day() + 6) % 7, 'day') : start.startOf('month')
    case 'month':
      return start.startOf('year')
  }
}

/**
 * Steps by the clock, not by length: the third hour after midnight is 03:00 even if an hour was skipped or repeated.
 */
function after(at: dayjs.Dayjs, { unit, count }: Step): dayjs.Dayjs {
  if (unit === 'hour') {
    const hour = at.hour() + count
    const next = hour >= 24 ? at.add(1, 'day').startOf('day') : at.hour(hour)
    return next.valueOf() > at.valueOf() ? next : at.add(count, 'hour')
  }
  if (unit === 'day' && count === 2) {
    const next = at.add(2, 'day')
    // The last day of a month of 31 days would touch the first of the next month.
    return next.date() === 1 || next.add(1, 'day').date() === 1 || next.month() !== at.month()
      ? at.add(1, 'month').startOf('month')
      : next
  }
  return at.add(count, unit)
}
