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

/** Properties shared by all lines of one log. */
export interface LineDrawing {
  log: LogChoice
  side: Side
  /** IANA zone of the instrument. */
  siteZone: string | null
  /** How many ms this log's clock is ahead; 0 if it is not corrected. */
  ahead: number
  /** Set while the user picks two lines of the same moment. */
  onPick: ((line: PlacedLine) => void) | null
  /** True if both logs share a column, so each line names its log. */
  isTagged: boolean
}

/** One line in half of the screen: its time, then its fields and the message as running text. */
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

/** Returns the line's fields in its log's columns, and other fields that contain a match. */
function shownFields({ hit }: PlacedLine, log: LogChoice): LogField[] {
  const columns = logColumns(log.logType).filter((field) => field !== 'message' && (hit._source[field] ?? '') !== '')
  const found = (Object.keys(hit.highlight ?? {}) as LogField[]).filter(
    (field) => field !== 'message' && !columns.includes(field),
  )
  return [...columns, ...found]
}

/** Returns the number of characters drawn, to estimate the line's height. */
export function lineLength(line: PlacedLine, log: LogChoice | null): number {
  if (log === null) return 0
  const fields = shownFields(line, log).map((field) => (line.hit._source[field]?.length ?? 0) + 2)
  return fields.reduce((sum, length) => sum + length, line.hit._source.message.length)
}
