import type { InstrumentTimeline } from '@benchwatch/contract/instrument-timeline'
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { StatusLegend } from '../connections/status-fill.tsx'
import { TimelineEvents } from './timeline-events.tsx'
import { connectionStretches, drawnStretches, runtimeDays, statusStretches } from './timeline-lanes.ts'
import { readingAt } from './timeline-moment.ts'
import styles from './timeline-plot.module.css'
import { ConnectionLane, MaintenanceLane, RuntimeLane, StatusLane } from './timeline-rows.tsx'
import { marked, moved, placeOf, type Span, zoomed } from './timeline-span.ts'
import { ticksOf } from './timeline-ticks.ts'

/** Before the first measurement. */
const USUAL_WIDTH = 900
/** A press that moves less than this is a click and marks nothing, in pixels. */
const LEAST_DRAG_PX = 5

/** A label that would be cut off at the end is left out. */
const LABEL_ROOM_PX = 44

/** What a pointer is doing: a mouse marks out a span to zoom to, a finger moves the picture. */
interface Drag {
  kind: 'mark' | 'move'
  /** Where it began, and where it is, in shares of the width. */
  began: number
  share: number
  /** The span as it was. */
  span: Span
}

/**
 * The lanes on one axis, with a cross-hair and what it reads. The cross-hair is a slider: arrow keys move it, + and − zoom
 * around it, Page up and Page down turn over.
 */
export function TimelinePlot(props: {
  /** Undefined while the first answer is on its way. */
  timeline: InstrumentTimeline | undefined
  span: Span
  now: number
  siteZone: string
  /** What is drawn is of another span, the answer for this one is on its way. */
  isStale: boolean
  /** A span that was chosen in one go. */
  onMark: (span: Span) => void
  /** A step among many. */
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
                {(tick.left / 100) * width < width - LABEL_ROOM_PX && <b>{tick.label}</b>}
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
            aria-label="Moment"
            aria-valuemin={span.from}
            aria-valuemax={span.to}
            aria-valuenow={Math.round(at)}
            aria-valuetext={`${reading.time}. ${reading.facts.map(({ name, words }) => `${name}: ${words}`).join('. ')}`}
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
            {reading.siteTime !== null && <span className={styles.quiet}> At the site: {reading.siteTime}</span>}
          </dd>
        </div>
        {timeline !== undefined &&
          reading.facts.map(({ name, words }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{words}</bdi>
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

/** What the answer tells, read once for all spans that it is drawn in. */
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
            /** What was told since the last tick of the clock is not in the future. */
            latest: Date.parse(timeline.statuses.at(-1)?.from ?? '1970-01-01'),
          },
    [timeline, siteZone],
  )
}

/**
 * The wheel with Ctrl, which is also two fingers on a touchpad, zooms; sideways, or with Shift, it moves. Plainly it scrolls the
 * page. React listens passively and could not keep the page from zooming along.
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
