import type { LogField } from '@benchwatch/contract/logs'
import { memo } from 'react'
import { logLabel } from '../log-labels.ts'
import { formatLineTime, lineTimeTitle } from '../log-time.ts'
import { LogFieldText, LogMessage } from '../viewer/log-highlight.tsx'
import { LogLevel } from '../viewer/log-level.tsx'
import { fieldLabels, logColumns } from '../viewer/log-rows.ts'
import type { LineName, LogChoice } from './compare-address.ts'
import { clockDifferenceLabel, type Side } from './compare-clock.ts'
import styles from './compare-line.module.css'
import type { PlacedLine } from './compare-stream.ts'

/** What all lines of one log are drawn with. */
export interface LineDrawing {
  log: LogChoice
  side: Side
  /** IANA zone of the instrument. */
  siteZone: string | null
  /** By how many ms this log's clock is ahead; 0 where it is taken as it is. */
  ahead: number
  /** Lines are chosen that show one moment in both logs. */
  onPick: ((line: PlacedLine) => void) | null
  /** Each line says which log it is from, where both share a column. */
  isTagged: boolean
}

/** A line in half a screen: its time in front, then in one flow of text what its log tells of it and the message. */
export const CompareLine = memo(function CompareLine(props: {
  line: PlacedLine
  drawing: LineDrawing
  isOpen: boolean
  isCurrent: boolean
  isPicked: boolean
  onToggle: (name: LineName) => void
}) {
  const { line, drawing } = props
  const { log, side } = drawing
  const fields = shownFields(line, log)
  return (
    <div
      className={styles.line}
      data-side={side}
      data-current={props.isCurrent || undefined}
      data-picked={props.isPicked || undefined}
    >
      <div className={styles.when}>
        <LineTime line={line} drawing={drawing} isPicked={props.isPicked} />
        {drawing.isTagged && <span className={styles.tag}>{log.computerName ?? logLabel(log)}</span>}
      </div>
      <div className={styles.text}>
        {fields.map((field) => (
          <span key={field} className={styles.field} title={fieldLabels[field]}>
            {field === 'log.level' ? <LogLevel hit={line.hit} /> : <LogFieldText hit={line.hit} field={field} />}
          </span>
        ))}
        <LogMessage hit={line.hit} isOpen={props.isOpen} onToggle={() => props.onToggle({ side, id: line.hit._id })} />
      </div>
    </div>
  )
})

function LineTime({ line, drawing, isPicked }: { line: PlacedLine; drawing: LineDrawing; isPicked: boolean }) {
  const { ahead, siteZone, onPick } = drawing
  const written = line.hit._source['@timestamp']
  const title =
    ahead === 0
      ? lineTimeTitle(line.at, siteZone)
      : `${lineTimeTitle(line.at, siteZone)}\nWritten as ${formatLineTime(written)} by a clock ${clockDifferenceLabel(ahead)}`
  const time = (
    <time dateTime={new Date(line.at).toISOString()} title={title} data-corrected={ahead !== 0 || undefined}>
      {formatLineTime(line.at)}
    </time>
  )
  if (onPick === null) return time
  return (
    <button
      type="button"
      className={styles.pick}
      aria-pressed={isPicked}
      aria-label={`Same moment: ${logLabel(drawing.log)} at ${formatLineTime(line.at)}`}
      onClick={() => onPick(line)}
    >
      {time}
    </button>
  )
}

/** What the line has of its log's columns, and any other field in which the search found something. */
function shownFields({ hit }: PlacedLine, log: LogChoice): LogField[] {
  const columns = logColumns(log.logType).filter((field) => field !== 'message' && (hit._source[field] ?? '') !== '')
  const found = (Object.keys(hit.highlight ?? {}) as LogField[]).filter(
    (field) => field !== 'message' && !columns.includes(field),
  )
  return [...columns, ...found]
}

/** Characters of a line as it is drawn, to guess how high it will be. */
export function lineLength(line: PlacedLine, log: LogChoice | null): number {
  if (log === null) return 0
  const fields = shownFields(line, log).map((field) => (line.hit._source[field]?.length ?? 0) + 2)
  return fields.reduce((sum, length) => sum + length, line.hit._source.message.length)
}
