import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { LogField, LogHit } from '@benchwatch/contract/instruments/logs'
import { Group, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowsVertical, IconCheck, IconCopy } from '@tabler/icons-react'
import { type CSSProperties, memo, type ReactNode, type RefObject, useCallback } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { formatZone } from '../../../lib/time/dates.ts'
import { useCopied } from '../../../ui/text/copy-button.tsx'
import { fieldLabels, foundElsewhere, LineTime, LogFieldText, LogMessage, useOpenLines } from '../log-line.tsx'
import type { LogPage } from '../log-pages.ts'
import { beginsDay, formatLineDay } from '../log-time.ts'
import styles from './viewer.module.css'

/** Rows of the viewer: lines, a day above its first line, and the moment of the event. */
export type LogRow =
  | { kind: 'day'; at: string }
  | { kind: 'moment'; at: string }
  | { kind: 'line'; hit: LogHit; at: string }

/** `moment` is null if the event lies outside the window. */
export function logRows(page: LogPage, moment: string | null): LogRow[] {
  const rows: LogRow[] = page.lines.map((hit) => ({ kind: 'line', hit, at: hit._source['@timestamp'] }))
  const index = moment === null ? null : indexOfInstant(page, moment)
  // A row of its own, whether or not a line was written at that instant.
  if (moment !== null && index !== null) rows.splice(index, 0, { kind: 'moment', at: moment })
  return rows.flatMap((row, place) =>
    beginsDay(row.at, rows[place - 1]?.at) ? [{ kind: 'day', at: row.at } as const, row] : [row],
  )
}

/**
 * Returns the index of the line before which an instant lies, or `lines.length` after the last. Null if that is
 * unknown because it lies beyond the loaded lines.
 */
export function indexOfInstant({ lines, hasOlder, hasNewer }: LogPage, instant: string): number | null {
  const at = Date.parse(instant)
  const found = lines.findIndex(({ sort }) => sort[0] >= at)
  const index = found === -1 ? lines.length : found
  const isBeyond = (index === 0 && hasOlder) || (index === lines.length && hasNewer)
  return isBeyond ? null : index
}

/** Column widths; the message takes the rest. */
const tracks: Record<LogField, string> = {
  'log.level': '86px',
  module: 'minmax(64px, 116px)',
  'event.code': 'minmax(72px, 104px)',
  'winlog.user.name': 'minmax(80px, 150px)',
  'host.hostname': 'minmax(80px, 150px)',
  message: 'minmax(0, 1fr)',
}

/** Lines as a scrolling table, oldest first, as in a log file. */
export function LogLines(props: {
  name: string
  rows: readonly LogRow[]
  columns: readonly LogField[]
  event: ServiceEvent
  /** The line that the user came from or looks at. */
  markedId: string | null
  isStale: boolean
  /** Shows a line with its neighbours; null if they are shown already. */
  onContext: ((hit: LogHit) => void) | null
  onScroll: () => void
  scroller: RefObject<HTMLDivElement | null>
}) {
  const { rows, columns, event, onContext } = props
  const [open, toggle] = useOpenLines()
  const { copied, copy } = useCopied()
  const copyLine = useCallback((hit: LogHit) => void copy(hit._id, copiedLine(hit, columns)), [copy, columns])
  const grid = { '--log-tracks': ['88px', ...columns.map((field) => tracks[field]), '56px'].join(' ') }
  return (
    <div
      ref={props.scroller}
      className={styles.scroller}
      role="region"
      aria-label={`Lines of ${props.name}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
      tabIndex={0}
      onScroll={props.onScroll}
    >
      <div role="table" aria-label={props.name} style={grid as CSSProperties} data-stale={props.isStale || undefined}>
        <div role="row" className={styles.head}>
          {['Time', ...columns.map((field) => fieldLabels[field])].map((label) => (
            <div key={label} role="columnheader">
              {label}
            </div>
          ))}
          <VisuallyHidden role="columnheader">Actions</VisuallyHidden>
        </div>
        {rows.map((row) => {
          if (row.kind === 'day') return <DayRow key={`day ${row.at}`} at={row.at} />
          if (row.kind === 'moment') return <MomentRow key="moment" event={event} />
          const { hit } = row
          return (
            <LogLine
              key={hit._id}
              hit={hit}
              columns={columns}
              siteZone={event.siteTimeZone}
              isOpen={open.has(hit._id)}
              isMarked={hit._id === props.markedId || hit.sort[0] === Date.parse(event.logGeneratedAt)}
              isCopied={copied === hit._id}
              onToggle={toggle}
              onCopy={copyLine}
              onContext={onContext}
            />
          )
        })}
      </div>
      <VisuallyHidden role="status">{copied !== null && 'Line copied'}</VisuallyHidden>
    </div>
  )
}

/**
 * One line as a table row with the grid of the head (`--log-tracks`). On a phone its fields are above the message.
 * Native buttons, because each of several hundred lines has two.
 */
export const LogLine = memo(function LogLine(props: {
  hit: LogHit
  columns: readonly LogField[]
  siteZone: string | null
  isOpen: boolean
  isMarked: boolean
  isCopied: boolean
  onToggle: (id: string) => void
  onCopy: (hit: LogHit) => void
  onContext: ((hit: LogHit) => void) | null
}) {
  const { hit, columns, isCopied, onContext } = props
  return (
    <div role="row" className={styles.line} data-line={hit._id} data-marked={props.isMarked || undefined}>
      <div role="cell">
        <LineTime at={hit._source['@timestamp']} siteZone={props.siteZone} />
      </div>
      {columns.map((field) =>
        field === 'message' ? (
          <div key={field} role="cell" className={styles.message}>
            <LogMessage hit={hit} isOpen={props.isOpen} onToggle={() => props.onToggle(hit._id)} />
            {foundElsewhere(hit, columns).map((found) => (
              <span key={found}>
                {fieldLabels[found]}: <LogFieldText hit={hit} field={found} />
              </span>
            ))}
          </div>
        ) : (
          <div key={field} role="cell" data-empty={hit._source[field] === null || undefined}>
            <LogFieldText hit={hit} field={field} />
          </div>
        ),
      )}
      <div role="cell" className={styles.actions} data-shown={isCopied || undefined}>
        {onContext !== null && (
          <LineAction name="Show in context" onClick={() => onContext(hit)}>
            <IconArrowsVertical size={14} stroke={1.8} aria-hidden="true" />
          </LineAction>
        )}
        <LineAction name="Copy line" onClick={() => props.onCopy(hit)}>
          {isCopied ? (
            <IconCheck size={14} stroke={2.2} color="var(--bw-success)" aria-hidden="true" />
          ) : (
            <IconCopy size={14} stroke={1.8} aria-hidden="true" />
          )}
        </LineAction>
      </div>
    </div>
  )
})

function LineAction({ name, onClick, children }: { name: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" title={name} aria-label={name} onClick={onClick}>
      {children}
    </button>
  )
}

/** The day and its time zone. */
function DayRow({ at }: { at: string }) {
  return (
    <div role="row" className={styles.day}>
      <Group role="cell" justify="space-between" gap={12} px={14} py={3} bg="var(--bw-ground)">
        <Text size="xs" c="dimmed" fw={560}>
          {formatLineDay(at)}
        </Text>
        <Text size="xs" c="dimmed">
          {formatZone(new Date(at))}
        </Text>
      </Group>
    </div>
  )
}

/** Marks the time of the event, between lines if none was written at that instant. */
function MomentRow({ event }: { event: ServiceEvent }) {
  return (
    <div role="row" className={styles.moment} data-moment>
      <Group role="cell" gap="0 14px" px={14} py={4}>
        <LineTime at={event.logGeneratedAt} siteZone={event.siteTimeZone} />
        <span>{eventName(event)} was generated</span>
      </Group>
    </div>
  )
}

/**
 * Formats a line as text for a ticket or an e-mail: the stored instant, which is unambiguous everywhere, then the log's
 * fields. Separated by blanks and not tabs, because a spreadsheet would take a message that starts with an equals sign
 * for a formula in its own cell.
 */
export function copiedLine({ _source }: LogHit, columns: readonly LogField[]): string {
  return [_source['@timestamp'], ...columns.map((field) => _source[field]?.trim() || '-')].join('  ')
}

export function copiedLines(hits: readonly LogHit[], columns: readonly LogField[]): string {
  return hits.map((hit) => `${copiedLine(hit, columns)}\n`).join('')
}
