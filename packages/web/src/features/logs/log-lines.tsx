import type { LogField, LogHit } from '@benchwatch/contract/logs'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { type CSSProperties, type RefObject, useCallback, useState } from 'react'
import { zoneLabel } from '../../lib/dates.ts'
import { eventName } from '../../lib/event-name.ts'
import { useCopied } from '../../ui/use-copied.ts'
import { fieldLabels } from './log-columns.ts'
import { copiedLine } from './log-copy.ts'
import styles from './log-lines.module.css'
import type { LogRow } from './log-rows.ts'
import { formatLineDay, formatLineTime, lineTimeTitle } from './log-time.ts'
import { ViewerLine } from './viewer-line.tsx'

/** So many lines a browser lays out at once without a pause; from there on only those that are seen. */
const MANY = 200

/** Width of each column; the message has the rest. */
const tracks: Record<LogField, string> = {
  'log.level': '86px',
  module: 'minmax(64px, 116px)',
  'event.code': 'minmax(72px, 104px)',
  'winlog.user.name': 'minmax(80px, 150px)',
  'host.hostname': 'minmax(80px, 150px)',
  message: 'minmax(0, 1fr)',
}
const TIME_TRACK = '88px'
const ACTIONS_TRACK = '56px'

/** Lines as a table that scrolls in itself, the oldest first, as in a log file. */
export function LogLines(props: {
  name: string
  rows: readonly LogRow[]
  columns: readonly LogField[]
  event: ServiceEvent
  /** The line that the person came from or looks at. */
  markedId: string | null
  isStale: boolean
  onContext: ((hit: LogHit) => void) | null
  scroller: RefObject<HTMLDivElement | null>
}) {
  const { rows, columns, event, onContext } = props
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const { copied, copy } = useCopied()
  const moment = Date.parse(event.logGeneratedAt)

  const toggle = useCallback((id: string) => {
    setOpenIds((ids) => {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])

  const copyLine = useCallback((hit: LogHit) => void copy(hit._id, copiedLine(hit, columns)), [copy, columns])

  const grid = { '--log-tracks': [TIME_TRACK, ...columns.map((field) => tracks[field]), ACTIONS_TRACK].join(' ') }
  return (
    <div
      ref={props.scroller}
      className={styles.scroller}
      role="region"
      aria-label={`Lines of ${props.name}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
      tabIndex={0}
    >
      <div
        role="table"
        aria-label={props.name}
        className={styles.table}
        style={grid as CSSProperties}
        data-stale={props.isStale || undefined}
        data-many={rows.length > MANY || undefined}
      >
        <div role="row" className={styles.head}>
          <div role="columnheader">Time</div>
          {columns.map((field) => (
            <div key={field} role="columnheader">
              {fieldLabels[field]}
            </div>
          ))}
          <div role="columnheader">
            <span className={styles.unseen}>Actions</span>
          </div>
        </div>
        {rows.map((row) => {
          if (row.kind === 'day') return <DayRow key={`day ${row.at}`} at={row.at} />
          if (row.kind === 'moment') return <MomentRow key="moment" event={event} />
          const { hit } = row
          return (
            <ViewerLine
              key={hit._id}
              hit={hit}
              columns={columns}
              siteZone={event.siteTimeZone}
              isOpen={openIds.has(hit._id)}
              isMarked={hit._id === props.markedId || hit.sort[0] === moment}
              isCopied={copied === hit._id}
              onToggle={toggle}
              onCopy={copyLine}
              onContext={onContext}
            />
          )
        })}
      </div>
      <span role="status" className={styles.unseen}>
        {copied !== null && 'Line copied'}
      </span>
    </div>
  )
}

/** The day, and by whose clocks. */
function DayRow({ at }: { at: string }) {
  return (
    <div role="row" className={styles.day}>
      <div role="cell">
        <span>{formatLineDay(at)}</span>
        <span className={styles.zone}>{zoneLabel(new Date(at))}</span>
      </div>
    </div>
  )
}

/** Where the event lies, between two lines where none was written at that very instant. */
function MomentRow({ event }: { event: ServiceEvent }) {
  const at = event.logGeneratedAt
  return (
    <div role="row" className={styles.moment} data-moment>
      <div role="cell">
        <time dateTime={at} title={lineTimeTitle(at, event.siteTimeZone)}>
          {formatLineTime(at)}
        </time>
        <span>{eventName(event)} was generated</span>
      </div>
    </div>
  )
}
