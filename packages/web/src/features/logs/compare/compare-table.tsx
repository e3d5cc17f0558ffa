import { severityLabels } from '@benchwatch/contract/vocabulary'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { formatSpan } from '../../../lib/time/duration.ts'
import { formatLineDay, formatLineTime, lineTimeTitle } from '../log-time.ts'
import {
  type ComparedEvent,
  type Destination,
  type Direction,
  type LineName,
  lineKey,
  type Sight,
} from './compare-address.ts'
import { type Side, sides } from './compare-clock.ts'
import { CompareLine, type LineDrawing, lineLength } from './compare-line.tsx'
import { CompareOverview } from './compare-overview.tsx'
import { type CompareRow, type LinesRow, rowAt } from './compare-rows.ts'
import type { PlacedLine } from './compare-stream.ts'
import styles from './compare-table.module.css'

/** Loads more when fewer rows than this are left beyond the visible part. */
const NEAR_END_ROWS = 40
/** Milliseconds without scrolling before the address follows. */
const SETTLED_MS = 300
/** Space above and below all rows for the texts at the ends. */
const END_PX = 46
const PHONE_PX = 720
const noRows: readonly CompareRow[] = []
/** Events that mean the user scrolls, not the page. */
const movements = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** Rows of both logs in one scroll area; only visible rows are drawn. */
export function CompareTable(props: {
  rows: readonly CompareRow[]
  drawing: Readonly<Record<Side, LineDrawing | null>>
  event: ComparedEvent | null
  /** IANA zone of the instrument. */
  siteZone: string | null
  isInterleaved: boolean
  /** Null if there are no lines. */
  overview: { lines: readonly PlacedLine[]; eventAt: number | null } | null
  destination: Destination
  current: LineName | null
  picked: LineName | null
  /** Instructions on what to do with the lines. */
  request: ReactNode
  head: ReactNode
  ends: Readonly<Record<Direction, ReactNode>>
  /** Shown instead of lines if there are none. */
  instead: ReactNode
  onNearEnd: (direction: Direction) => void
  onSight: (sight: Sight) => void
  /** Called when the user has scrolled. */
  onSettled: (at: number) => void
  onMoment: (at: number) => void
}) {
  const { drawing, destination } = props
  // Hidden rows have no height, and measurements are kept.
  const rows = props.instead === null ? props.rows : noRows
  const scroller = useRef<HTMLDivElement>(null)
  const [openLines, setOpenLines] = useState<ReadonlySet<string>>(new Set())
  const isMoved = useRef(false)
  const settling = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled to keep what it once answered
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) =>
      guessedHeight(rows[index], {
        drawing,
        width: scroller.current?.clientWidth ?? 1200,
        isInterleaved: props.isInterleaved,
      }),
    overscan: 12,
    paddingStart: END_PX,
    paddingEnd: END_PX,
    // Older lines push nothing down: the row at the top edge stays in place, found by its key.
    anchorTo: 'end',
  })

  function sightNow(): Sight | null {
    const element = scroller.current
    if (element === null || rows.length === 0) return null
    const at = (offset: number) => rows[virtualizer.getVirtualItemForOffset(offset)?.index ?? 0]?.at ?? 0
    const top = element.scrollTop
    // Until the user scrolls, the place is the destination: for a moment, new rows lie under the old scroll position.
    const middle = isMoved.current ? at(top + element.clientHeight / 2) : destination.at
    return { from: at(top), to: at(top + element.clientHeight), middle }
  }

  // Until the user scrolls, the destination stays in the middle, whatever loads above it and however high rows turn
  // out to be. The library's own method goes by the row's number, which changes with older lines.
  const brought = useRef<Destination | null>(null)
  const index = useMemo(() => rowAt(rows, destination), [rows, destination])
  useLayoutEffect(() => {
    if (brought.current !== destination) isMoved.current = false
    const offset = isMoved.current || index === null ? undefined : virtualizer.getOffsetForIndex(index, 'center')?.[0]
    if (offset === undefined || scroller.current === null) return
    brought.current = destination
    if (Math.abs(scroller.current.scrollTop - offset) > 1) scroller.current.scrollTop = offset
  })

  const sight = sightNow()
  const range = virtualizer.range
  const reportSight = useEffectEvent(() => {
    const now = sightNow()
    if (now !== null) props.onSight(now)
    if (range === null) return
    if (range.startIndex < NEAR_END_ROWS) props.onNearEnd('older')
    if (range.endIndex > rows.length - NEAR_END_ROWS) props.onNearEnd('newer')
  })
  useEffect(() => reportSight(), [sight?.from, sight?.to, range?.startIndex, range?.endIndex, rows, destination])

  const settle = useEffectEvent(() => {
    const now = sightNow()
    if (isMoved.current && now !== null) props.onSettled(now.middle)
  })
  useEffect(() => {
    const element = scroller.current
    const onMove = () => {
      isMoved.current = true
    }
    const onScroll = () => {
      clearTimeout(settling.current)
      settling.current = setTimeout(() => settle(), SETTLED_MS)
    }
    element?.addEventListener('scroll', onScroll, { passive: true })
    for (const kind of movements) element?.addEventListener(kind, onMove, { passive: true })
    return () => {
      element?.removeEventListener('scroll', onScroll)
      for (const kind of movements) element?.removeEventListener(kind, onMove)
      clearTimeout(settling.current)
    }
  }, [])

  const toggle = useCallback((name: LineName) => {
    setOpenLines((open) => {
      const next = new Set(open)
      if (!next.delete(lineKey(name))) next.add(lineKey(name))
      return next
    })
  }, [])

  function cell(row: LinesRow, side: Side) {
    const line = row[side]
    const how = drawing[side]
    if (line === null || how === null) return <SilentCell side={side} silence={row.silence} />
    const name = { side, id: line.hit._id }
    return (
      <CompareLine
        line={line}
        drawing={how}
        isOpen={openLines.has(lineKey(name))}
        isCurrent={isLine(props.current, name)}
        isPicked={isLine(props.picked, name)}
        onToggle={toggle}
      />
    )
  }

  return (
    <div className={styles.panel}>
      {props.request}
      {props.overview !== null && (
        <CompareOverview
          {...props.overview}
          inSight={sight}
          middle={sight?.middle ?? destination.at}
          onMoment={props.onMoment}
        />
      )}
      <div
        role="table"
        aria-label="Both logs by time"
        className={styles.table}
        data-interleaved={props.isInterleaved || undefined}
      >
        <div role="rowgroup" className={styles.head}>
          {props.head}
        </div>
        <div
          ref={scroller}
          role="rowgroup"
          aria-label="Lines"
          className={styles.scroller}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
          tabIndex={0}
        >
          {props.instead !== null && (
            <div role="row" className={styles.instead}>
              <div role="cell">{props.instead}</div>
            </div>
          )}
          <div
            className={styles.rows}
            style={{ height: virtualizer.getTotalSize() }}
            data-empty={rows.length === 0 || undefined}
          >
            <div role="row" className={styles.older}>
              <div role="cell">{props.ends.older}</div>
            </div>
            {virtualizer.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index]
              return row === undefined ? null : (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  role="row"
                  data-index={index}
                  data-kind={row.kind}
                  className={styles.row}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {row.kind === 'gap' && <GapRow length={row.length} />}
                  {row.kind === 'day' && <DayRow at={row.at} />}
                  {row.kind === 'event' && props.event !== null && (
                    <CompareEventRow event={props.event} siteZone={props.siteZone} />
                  )}
                  {row.kind === 'lines' &&
                    (props.isInterleaved ? (
                      <div role="cell">{cell(row, row.first === null ? 'second' : 'first')}</div>
                    ) : (
                      <>
                        <div role="cell">{cell(row, 'first')}</div>
                        <div role="cell">{cell(row, 'second')}</div>
                      </>
                    ))}
                </div>
              )
            })}
            <div role="row" className={styles.newer}>
              <div role="cell">{props.ends.newer}</div>
            </div>
          </div>
        </div>
      </div>
    </div>
  )
}

function isLine(one: LineName | null, other: LineName): boolean {
  return one?.side === other.side && one.id === other.id
}

/** Heights are measured once rows are drawn; a good estimate keeps the scroll bar steady until then. */
function guessedHeight(
  row: CompareRow | undefined,
  {
    drawing,
    width,
    isInterleaved,
  }: { drawing: Readonly<Record<Side, LineDrawing | null>>; width: number; isInterleaved: boolean },
): number {
  if (row === undefined || row.kind !== 'lines') return row?.kind === 'gap' ? 24 : 34
  const isPhone = width < PHONE_PX
  const room = (isInterleaved ? width : width / 2) - (isPhone ? 24 : 120)
  const lines = sides.map((side) => {
    const line = row[side]
    if (line === null) return 1
    const characters = Math.min(400, lineLength(line, drawing[side]?.log ?? null))
    return Math.min(8, Math.ceil((characters * 6.5) / Math.max(120, room)))
  })
  return Math.max(...lines) * 19 + (isPhone ? 32 : 9)
}

/** Rows between lines: silence, a new day, the moment of the event. */
function GapRow({ length }: { length: number }) {
  return (
    <div role="cell" className={styles.gap}>
      <span>{formatSpan(length / 1000)} without lines</span>
    </div>
  )
}

function DayRow({ at }: { at: number }) {
  return (
    <div role="cell" className={styles.day}>
      {formatLineDay(at)}
    </div>
  )
}

function CompareEventRow({ event, siteZone }: { event: ComparedEvent; siteZone: string | null }) {
  return (
    <div role="cell" className={styles.event} data-severity={event.severity}>
      <span>
        <time dateTime={new Date(event.at).toISOString()} title={lineTimeTitle(event.at, siteZone)}>
          {formatLineTime(event.at)}
        </time>{' '}
        {eventName(event)} was generated · {severityLabels[event.severity]}
      </span>
    </div>
  )
}

/** Cell of the silent log; `silence` in ms where it begins. */
function SilentCell({ side, silence }: { side: Side; silence: number | null }) {
  return (
    <div className={styles.silent} data-side={side}>
      {silence !== null && <span>{formatSpan(silence / 1000)} without lines</span>}
    </div>
  )
}
