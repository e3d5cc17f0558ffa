import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import dayjs from 'dayjs'
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { formatTooltipTime } from '../../lib/time/dates.ts'
import styles from './time-axis.module.css'

/** A period in milliseconds since the epoch, half-open. */
export interface Span {
  from: number
  to: number
}

/** A value over a period of time. `to` is null while it lasts. */
export interface Stretch<V> {
  value: V
  from: number
  to: number | null
}

/** Returns one stretch for each value. A value lasts until the next one; values that lasted no time are left out. */
export function stretchesOf<V>(begins: readonly { value: V; from: number }[]): Stretch<V>[] {
  return begins
    .map(({ value, from }, index) => ({ value, from, to: begins[index + 1]?.from ?? null }))
    .filter(({ from, to }) => to === null || to > from)
}

/** Returns the position of an instant in percent; instants outside the span are placed at its ends. */
export function placeOf(at: number, { from, to }: Span): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from))) * 100
}

/** Returns the position of a period on the axis; null if it lies outside. */
export function placed({ from, to }: { from: number; to: number | null }, span: Span) {
  const end = to ?? span.to
  if (end <= span.from || from >= span.to) return null
  const left = placeOf(from, span)
  return { left: `${left}%`, width: `${placeOf(end, span) - left}%` }
}

/** Limits of a zoomed or moved span. `latest` is the last instant that can be shown. */
export interface Limits {
  shortest: number
  longest: number
  latest: number
}

/** Zooms in (`factor` < 1) or out and keeps `around` in place. */
export function zoomed({ from, to }: Span, factor: number, around: number, limits: Limits): Span {
  const length = Math.min(limits.longest, Math.max(limits.shortest, (to - from) * factor))
  const share = (around - from) / (to - from)
  return within({ from: around - share * length, to: around + (1 - share) * length }, limits)
}

/** Moves the span earlier (`share` < 0) or later by a share of its length. */
export function moved({ from, to }: Span, share: number, limits: Limits): Span {
  const by = (to - from) * share
  return within({ from: from + by, to: to + by }, limits)
}

/** Returns the span selected between two instants, in either direction, not shorter than the minimum. */
export function marked(one: number, other: number, limits: Limits): Span {
  const half = Math.max(limits.shortest, Math.abs(one - other)) / 2
  const middle = (one + other) / 2
  return within({ from: middle - half, to: middle + half }, limits)
}

/** Keeps the length but limits the span to the time from the epoch to `latest`. */
function within({ from, to }: Span, { latest }: Limits): Span {
  const length = to - from
  if (to > latest) return { from: latest - length, to: latest }
  return from < 0 ? { from: 0, to: length } : { from, to }
}

/** The room of a label of six letters, and the part of it that the letters fill. */
const LABEL_PX = 62
const LETTERS_PX = 44

const steps = [
  ...([1, 5, 15, 30] as const).map((count) => ({ unit: 'minute', count, length: 60_000 }) as const),
  ...([1, 2, 3, 6, 12] as const).map((count) => ({ unit: 'hour', count, length: 3_600_000 }) as const),
  ...([1, 2, 7] as const).map((count) => ({ unit: 'day', count, length: 86_400_000 }) as const),
  ...([1, 3] as const).map((count) => ({ unit: 'month', count, length: 30 * 86_400_000 }) as const),
] as const

/**
 * Returns as many ticks as fit an axis of `width` pixels, at round times of the viewer's clock, also across a clock
 * change. Labels that would be cut off at the end, or would touch the label of the line at `line`, are empty.
 */
export function ticksOf(span: Span, width: number, line?: number) {
  const least = ((span.to - span.from) * LABEL_PX) / Math.max(width, LABEL_PX)
  const { unit, count } = steps.find((step) => step.length * step.count >= least) ?? { unit: 'month', count: 3 }
  const ticks: { at: number; left: number; label: string; isMajor: boolean }[] = []
  const linePx = line === undefined ? Number.NaN : (lineLabelLeft(line, span, width) / 100) * width
  const isByClock = unit === 'minute' || unit === 'hour'
  let at = dayjs(span.from).startOf(isByClock ? 'hour' : unit)
  const next = () => (isByClock ? at.add(unit === 'minute' ? count : 1, unit) : at.add(1, unit).startOf(unit))
  for (; at.valueOf() < span.to; at = next()) {
    // A day whose midnight is skipped begins at 1:00.
    const hour = at.isSame(at.startOf('day')) ? 0 : at.hour()
    // Weeks begin on Monday; pairs of days are counted from the first of the month.
    const place = { minute: 0, hour, day: count === 7 ? at.day() + 6 : at.date() - 1, month: at.month() }[unit]
    if (place % count !== 0 || at.valueOf() < span.from) continue
    // The hour that comes twice, and the last day of a month before the first of the next.
    const last = ticks.at(-1)
    if (last !== undefined && at.valueOf() - last.at < (least * LETTERS_PX) / LABEL_PX) ticks.pop()
    const left = placeOf(at.valueOf(), span)
    const px = (left / 100) * width
    const hasRoom = px < width - LETTERS_PX && !(Math.abs(px + LETTERS_PX / 2 - linePx) < LETTERS_PX)
    const isMidnight = hour === 0 && at.minute() === 0
    const isMajor = { minute: isMidnight, hour: isMidnight, day: at.date() === 1, month: at.month() === 0 }[unit]
    const format = unit === 'month' ? (isMajor ? 'MMM YYYY' : 'MMM') : isMidnight ? 'D MMM' : 'HH:mm'
    ticks.push({ at: at.valueOf(), left, label: hasRoom ? at.format(format) : '', isMajor })
  }
  return ticks
}

/** Keeps the centre of the label at a line far enough inside the axis to show the whole label. */
function lineLabelLeft(at: number, span: Span, width: number): number {
  const inset = (LETTERS_PX / 2 / Math.max(width, LABEL_PX)) * 100
  return Math.min(100 - inset, Math.max(inset, placeOf(at, span)))
}

/** Minimum size of a mark's touch target in pixels (WCAG 2.5.8). Targets of closer marks would overlap. */
const MARK_PX = 24

/** One item, or several that are too close together to be drawn apart. */
export interface Mark<T> {
  /** Oldest first. */
  items: [T, ...T[]]
  left: number
  isPinned: boolean
}

/**
 * Groups items into marks that do not overlap on an axis `width` pixels wide. Items close to the pinned one join its
 * mark, which is placed exactly at its time; others join the mark of the first item before them.
 */
export function marksOf<T>(
  items: readonly T[],
  { at, span, width, pinned }: { at: (item: T) => number; span: Span; width: number; pinned?: T | undefined },
): Mark<T>[] {
  const apart = (MARK_PX / Math.max(width, 1)) * 100
  const pinnedLeft = pinned === undefined ? Number.NaN : placeOf(at(pinned), span)
  const marks: Mark<T>[] = []
  for (const item of items.toSorted((one, other) => at(one) - at(other))) {
    const left = placeOf(at(item), span)
    const isPinned = Math.abs(left - pinnedLeft) < apart
    const last = marks.at(-1)
    if (last?.isPinned === isPinned && (isPinned || left - last.left < apart)) last.items.push(item)
    else marks.push({ items: [item], left: isPinned ? pinnedLeft : left, isPinned })
  }
  return marks
}

/** Width until the axis is measured. Ticks get labels only then: labels for another width would overlap. */
const USUAL_WIDTH = 900

const Axis = createContext<{ span: Span; width: number }>({ span: { from: 0, to: 1 }, width: USUAL_WIDTH })

/** The cross-hair of an axis: pointer and keys move it, zoom around it and pan. It is a slider for screen readers. */
export interface CrossHair {
  label: string
  at: number
  /** Everything that held at `at`. */
  text: string
  isShown: boolean
  limits: Limits
  onPoint: (at: number | null) => void
  /** Receives a span selected in one gesture. */
  onSelect: (span: Span) => void
  /** Receives one of many small steps. */
  onMove: (span: Span) => void
}

/**
 * Lanes on one axis of time, with ticks at round times of the viewer's clock. `lines` cross all lanes; a line with a
 * label is dotted and shows it among the ticks.
 */
export function TimeAxis(props: {
  span: Span
  lines: readonly { at: number; color: string; label?: string }[]
  crossHair?: CrossHair
  children: ReactNode
}) {
  const { span, lines, crossHair } = props
  const { ref, width: measured } = useElementSize()
  const width = measured || USUAL_WIDTH
  const plot = useRef<HTMLDivElement>(null)
  const { gestures, layer } = useCrossHair(crossHair, span, plot)
  const labelled = lines.find(({ label }) => label !== undefined)?.at
  return (
    <Axis value={{ span, width }}>
      <div className={styles.axis} data-cross={crossHair && true} {...gestures}>
        <div className={styles.over} ref={ref} aria-hidden="true">
          {ticksOf(span, width, labelled).map((tick) => (
            <span key={tick.at} style={{ left: `${tick.left}%` }} data-major={tick.isMajor || undefined}>
              {measured > 0 && tick.label !== '' && <span>{tick.label}</span>}
            </span>
          ))}
        </div>
        {props.children}
        <div className={styles.over} ref={plot}>
          {lines
            .filter(({ at }) => at >= span.from && at <= span.to)
            .map(({ at, color, label }) => (
              <div key={at} style={{ color }} aria-hidden="true">
                <span className={styles.line} style={{ left: `${placeOf(at, span)}%` }} data-dotted={label && true} />
                {label !== undefined && <strong style={{ left: `${lineLabelLeft(at, span, width)}%` }}>{label}</strong>}
              </div>
            ))}
          {layer}
        </div>
      </div>
    </Axis>
  )
}

/** An ongoing pointer gesture: a mouse selects a span to zoom to, a finger pans. */
interface Drag {
  kind: 'select' | 'pan'
  /** Start and current position as fractions of the width. */
  began: number
  share: number
  /** The span at the start of the gesture. */
  span: Span
}

/** A press that moves less than this many pixels is a click and selects nothing. */
const LEAST_DRAG_PX = 5

/**
 * Arrow keys move the cross-hair, + and − zoom around it, Page up and Page down pan. Ctrl and the wheel, which is also a
 * pinch on a touchpad, zoom; a sideways wheel or Shift pans. A plain wheel scrolls the page.
 */
function useCrossHair(crossHair: CrossHair | undefined, span: Span, plot: { current: HTMLDivElement | null }) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const instantOf = (share: number) => span.from + share * (span.to - span.from)
  /** Returns the place of the pointer as a fraction of the plot's width; negative over the names. */
  const shareOf = ({ clientX }: { clientX: number }) => {
    const { left = 0, width = 1 } = plot.current?.getBoundingClientRect() ?? {}
    return Math.min(1, (clientX - left) / width)
  }
  const zoom = (factor: number, around: number) => crossHair?.onMove(zoomed(span, factor, around, crossHair.limits))
  const pan = (share: number, start = span) => crossHair?.onMove(moved(start, share, crossHair.limits))

  const onWheel = useEffectEvent((wheel: WheelEvent) => {
    const sideways = wheel.shiftKey && wheel.deltaX === 0 ? wheel.deltaY : wheel.deltaX
    if (wheel.ctrlKey || wheel.metaKey) {
      zoom(2 ** (Math.max(-120, Math.min(120, wheel.deltaY)) / 120), instantOf(Math.max(0, shareOf(wheel))))
    } else if (Math.abs(sideways) > Math.abs(wheel.shiftKey ? 0 : wheel.deltaY)) {
      pan(sideways / (plot.current?.clientWidth || 1))
    } else return
    wheel.preventDefault()
  })
  const isOn = crossHair !== undefined
  // React's passive listener could not stop the page from zooming as well.
  useEffect(() => {
    const target = isOn ? plot.current?.parentElement : null
    const listener = (wheel: WheelEvent) => onWheel(wheel)
    target?.addEventListener('wheel', listener, { passive: false })
    return () => target?.removeEventListener('wheel', listener)
  }, [plot, isOn])

  if (crossHair === undefined) return { gestures: {}, layer: null }
  const { at, limits, onPoint, onSelect } = crossHair
  const step = (span.to - span.from) / 100
  const keys: Record<string, () => void> = {
    ArrowLeft: () => onPoint(Math.max(span.from, at - step)),
    ArrowRight: () => onPoint(Math.min(span.to, at + step)),
    Home: () => onPoint(span.from),
    End: () => onPoint(span.to),
    PageUp: () => pan(-0.5),
    PageDown: () => pan(0.5),
    '+': () => zoom(0.5, at),
    '-': () => zoom(2, at),
  }
  const gestures = {
    onPointerDown: (pointer: PointerEvent) => {
      const share = shareOf(pointer)
      if (share < 0 || pointer.button !== 0 || (pointer.target as Element).closest('a, button') !== null) return
      setDrag({ kind: pointer.pointerType === 'mouse' ? 'select' : 'pan', began: share, share, span })
      pointer.currentTarget.setPointerCapture(pointer.pointerId)
    },
    onPointerMove: (pointer: PointerEvent) => {
      const share = shareOf(pointer)
      if (drag === null) return onPoint(share < 0 ? null : instantOf(share))
      const held = Math.max(0, share)
      onPoint(instantOf(held))
      setDrag({ ...drag, share: held })
      if (drag.kind === 'pan') pan(drag.began - held, drag.span)
    },
    onPointerUp: () => {
      setDrag(null)
      const width = plot.current?.clientWidth ?? 0
      if (drag?.kind !== 'select' || Math.abs(drag.share - drag.began) * width < LEAST_DRAG_PX) return
      onSelect(marked(instantOf(drag.began), instantOf(drag.share), limits))
    },
    onPointerCancel: () => setDrag(null),
    onPointerLeave: () => drag === null && onPoint(null),
  }
  const layer = (
    <>
      {drag?.kind === 'select' && (
        <span
          className={styles.selected}
          style={{
            left: `${Math.min(drag.began, drag.share) * 100}%`,
            width: `${Math.abs(drag.share - drag.began) * 100}%`,
          }}
        />
      )}
      {crossHair.isShown && <span className={styles.hair} style={{ left: `${placeOf(at, span)}%` }} />}
      <div
        className={styles.slider}
        role="slider"
        tabIndex={0}
        aria-label={crossHair.label}
        aria-valuemin={span.from}
        aria-valuemax={span.to}
        aria-valuenow={Math.round(at)}
        aria-valuetext={crossHair.text}
        onFocus={() => onPoint(at)}
        onBlur={() => onPoint(null)}
        onKeyDown={(key) => {
          const act = keys[key.key]
          if (act === undefined || key.ctrlKey || key.metaKey || key.altKey) return
          key.preventDefault()
          act()
        }}
      />
    </>
  )
  return { gestures, layer }
}

/** One row of an axis: its name, and its content at the scale of the axis. */
export function Lane(props: { name: ReactNode; height: number; dashed?: boolean; children: ReactNode }) {
  return (
    <>
      <Text component="div" c="dimmed" size="xs" aria-hidden="true">
        {props.name}
      </Text>
      <div className={styles.lane} style={{ height: props.height }} data-dashed={props.dashed || undefined}>
        {props.children}
      </div>
    </>
  )
}

/** Something that lasts, drawn where it lies on the axis; nothing outside the span. */
export function Piece({
  from,
  to,
  className = '',
  style,
  ...others
}: { from: number; to: number | null } & ComponentProps<'span'>) {
  const place = placed({ from, to }, use(Axis).span)
  return place && <span {...others} className={`${styles.piece} ${className}`} style={{ ...style, ...place }} />
}

/** Stretches in a row that can be read one by one. The band is one tab stop; the arrow keys move within it. */
export function Band<V>(props: {
  label: string
  stretches: readonly Stretch<V>[]
  labelOf: (stretch: Stretch<V>) => string
  onRead: (label: string | null) => void
  /** A press opens details of the stretch beside its button. */
  onOpen?: (stretch: Stretch<V>, anchor: HTMLElement) => void
  children: (stretch: Stretch<V>) => ReactNode
}) {
  const { span } = use(Axis)
  const { onOpen } = props
  const [reached, setReached] = useState(0)
  const stretches = props.stretches.flatMap((stretch) => {
    const place = placed(stretch, span)
    return place === null ? [] : { stretch, place, label: props.labelOf(stretch) }
  })
  const reachable = Math.min(reached, stretches.length - 1)

  function move(key: KeyboardEvent<HTMLElement>) {
    const targets: Record<string, number> = {
      ArrowLeft: Math.max(0, reachable - 1),
      ArrowRight: Math.min(stretches.length - 1, reachable + 1),
      Home: 0,
      End: stretches.length - 1,
    }
    const button = key.currentTarget.parentElement?.children[targets[key.key] ?? -1]
    if (!(button instanceof HTMLElement)) return
    key.preventDefault()
    button.focus()
  }

  if (stretches.length === 0) return null
  return (
    <div role="toolbar" aria-label={props.label}>
      {stretches.map(({ stretch, place, label }, index) => (
        <button
          key={stretch.from}
          type="button"
          className={styles.piece}
          style={place}
          aria-label={label}
          aria-haspopup={onOpen && 'dialog'}
          tabIndex={index === reachable ? 0 : -1}
          onClick={({ currentTarget }) => onOpen?.(stretch, currentTarget)}
          onKeyDown={move}
          onPointerEnter={() => props.onRead(label)}
          onPointerLeave={() => props.onRead(null)}
          onFocus={() => {
            setReached(index)
            props.onRead(label)
          }}
          onBlur={() => props.onRead(null)}
        >
          {props.children(stretch)}
        </button>
      ))}
    </div>
  )
}

/** The properties of a mark's element, which is a link, a button or a picture. */
export interface MarkElement {
  className: string | undefined
  style: { color: string }
  'aria-label': string
  title: string
  children: ReactNode
}

/** Items at an instant as marks, grouped where they would overlap. `children` renders the element of a mark. */
export function Marks<T>(props: {
  label: string
  items: readonly T[]
  at: (item: T) => number
  pinned?: T | undefined
  describe: (mark: Mark<T>) => { key: string; label: string; color: string; icon: ReactNode }
  children: (mark: Mark<T>, element: MarkElement) => ReactNode
}) {
  const { span, width } = use(Axis)
  return (
    <ul className={styles.marks} aria-label={props.label}>
      {marksOf(props.items, { at: props.at, span, width, pinned: props.pinned }).map((mark) => {
        const { key, label, color, icon } = props.describe(mark)
        return (
          <li key={key} style={{ left: `${mark.left}%` }} data-pinned={mark.isPinned || undefined}>
            {props.children(mark, {
              className: styles.mark,
              style: { color },
              'aria-label': label,
              title: label,
              children: (
                <>
                  {icon}
                  {/* Decorative: the accessible name already says it. */}
                  {mark.items.length > 1 && <span className={styles.count} data-count={mark.items.length} />}
                </>
              ),
            })}
          </li>
        )
      })}
    </ul>
  )
}

/** An entry of an axis as text. */
export interface AxisEntry {
  key: string
  at: number
  time: string
  icon: ReactNode
  text: ReactNode
}

/** The content of an axis, or of one mark, as a list. */
export function AxisEntries({ label, entries }: { label: string; entries: readonly AxisEntry[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrolled by keys, too
    <ol className={styles.entries} tabIndex={0} aria-label={label}>
      {entries.map(({ key, at, time, icon, text }) => (
        <li key={key}>
          <time dateTime={new Date(at).toISOString()} title={formatTooltipTime(at)}>
            {time}
          </time>
          <span>{icon}</span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}
