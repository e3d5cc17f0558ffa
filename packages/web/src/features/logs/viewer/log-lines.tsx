import type { ServiceEvent } from '@benchwatch/contract/events'
import type { LogField, LogHit } from '@benchwatch/contract/logs'
import { IconArrowsVertical, IconCheck, IconCopy } from '@tabler/icons-react'
import {
  type CSSProperties,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useMemo,
  useState,
} from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { formatZone } from '../../../lib/time/dates.ts'
import { useCopied } from '../../../ui/text/copy-button.tsx'
import { formatLineDay, formatLineTime, lineTimeTitle } from '../log-time.ts'
import { LogFieldText, LogMessage } from './log-highlight.tsx'
import { LogLevel } from './log-level.tsx'
import logLineStyles from './log-line.module.css'
import styles from './log-lines.module.css'
import { fieldLabels, type LogRow } from './log-rows.ts'

/**
 * One line as a table row with the grid of the head (`--log-tracks`). On a phone its fields stand above the message.
 */
export const LogLine = memo(function LogLine(props: {
  hit: LogHit
  columns: readonly LogField[]
  siteZone: string | null
  isOpen: boolean
  onToggle: (id: string) => void
  /** True for the line that the user came from or looks at. */
  isMarked?: boolean
  actions?: ReactNode
  ref?: Ref<HTMLDivElement>
}) {
  const { hit, columns, siteZone, isOpen } = props
  const at = hit._source['@timestamp']
  const hidden = foundElsewhere(hit, columns)
  return (
    <div
      ref={props.ref}
      role="row"
      className={logLineStyles.line}
      data-line={hit._id}
      data-marked={props.isMarked || undefined}
    >
      <div role="cell" className={logLineStyles.time}>
        <time dateTime={at} title={lineTimeTitle(at, siteZone)}>
          {formatLineTime(at)}
        </time>
      </div>
      {columns.map((field) => (
        <div
          key={field}
          role="cell"
          className={logLineStyles[cellOf(field)]}
          data-empty={hit._source[field] === null || undefined}
        >
          {field === 'message' ? (
            <>
              <LogMessage hit={hit} isOpen={isOpen} onToggle={() => props.onToggle(hit._id)} />
              {hidden.map((found) => (
                <span key={found} className={logLineStyles.found}>
                  {fieldLabels[found]}: <LogFieldText hit={hit} field={found} />
                </span>
              ))}
            </>
          ) : field === 'log.level' ? (
            <LogLevel hit={hit} />
          ) : (
            <LogFieldText hit={hit} field={field} />
          )}
        </div>
      ))}
      {props.actions !== undefined && (
        <div role="cell" className={logLineStyles.actions}>
          {props.actions}
        </div>
      )}
    </div>
  )
})

/** A line of the viewer with its actions. Native buttons, because each of several hundred lines has two. */
const ViewerLine = memo(function ViewerLine(props: {
  hit: LogHit
  columns: readonly LogField[]
  siteZone: string | null
  isOpen: boolean
  isMarked: boolean
  isCopied: boolean
  onToggle: (id: string) => void
  onCopy: (hit: LogHit) => void
  /** Shows the line with its neighbours; null if they are shown already. */
  onContext: ((hit: LogHit) => void) | null
}) {
  const { hit, isCopied, onCopy, onContext } = props
  const actions = useMemo(
    () => (
      <span className={styles.actions} data-shown={isCopied || undefined}>
        {onContext !== null && (
          <button type="button" title="Show in context" aria-label="Show in context" onClick={() => onContext(hit)}>
            <IconArrowsVertical size={14} stroke={1.8} aria-hidden="true" />
          </button>
        )}
        <button
          type="button"
          title="Copy line"
          aria-label="Copy line"
          data-copied={isCopied || undefined}
          onClick={() => onCopy(hit)}
        >
          {isCopied ? (
            <IconCheck size={14} stroke={2.2} aria-hidden="true" />
          ) : (
            <IconCopy size={14} stroke={1.8} aria-hidden="true" />
          )}
        </button>
      </span>
    ),
    [hit, isCopied, onCopy, onContext],
  )
  return (
    <LogLine
      hit={hit}
      columns={props.columns}
      siteZone={props.siteZone}
      isOpen={props.isOpen}
      isMarked={props.isMarked}
      onToggle={props.onToggle}
      actions={actions}
    />
  )
})

/** Number of lines that a browser lays out without a pause; above it, only visible lines are laid out. */
const MANY = 200

/** Column widths; the message takes the rest. */
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

/** Lines as a scrolling table, oldest first, as in a log file. */
export function LogLines(props: {
  name: string
  rows: readonly LogRow[]
  columns: readonly LogField[]
  event: ServiceEvent
  /** The line that the user came from or looks at. */
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

/** The day and its time zone. */
function DayRow({ at }: { at: string }) {
  return (
    <div role="row" className={styles.day}>
      <div role="cell">
        <span>{formatLineDay(at)}</span>
        <span className={styles.zone}>{formatZone(new Date(at))}</span>
      </div>
    </div>
  )
}

/** Marks the time of the event, between lines if none was written at that instant. */
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

function cellOf(field: LogField): 'message' | 'level' | 'field' {
  if (field === 'message') return 'message'
  return field === 'log.level' ? 'level' : 'field'
}

/** Returns matching fields without a column: otherwise nothing would explain why the line was found. */
function foundElsewhere({ highlight }: LogHit, columns: readonly LogField[]): LogField[] {
  if (highlight === null) return []
  return (Object.keys(highlight) as LogField[]).filter((field) => !columns.includes(field))
}

/**
 * Copies lines as text for a ticket or an e-mail: the stored instant, which is unambiguous everywhere, then the log's
 * fields. Separated by blanks and not tabs, because a spreadsheet would take a message that starts with an equals sign
 * for a formula in its own cell.
 */
export function copiedLine({ _source }: LogHit, columns: readonly LogField[]): string {
  const fields = columns.map((field) => _source[field]?.trim() || '-')
  return [_source['@timestamp'], ...fields].join('  ')
}

export function copiedLines(hits: readonly LogHit[], columns: readonly LogField[]): string {
  return hits.map((hit) => `${copiedLine(hit, columns)}\n`).join('')
}
