import type { LogField, LogHit } from '@benchwatch/contract/logs'
import { memo, type ReactNode, type Ref } from 'react'
import { fieldLabels } from './log-columns.ts'
import { LogFieldText, LogMessage } from './log-highlight.tsx'
import { LogLevel } from './log-level.tsx'
import styles from './log-line.module.css'
import { formatLineTime, lineTimeTitle } from './log-time.ts'

/** One line as a row of a table; its grid is that of the head (`--log-tracks`). On a phone its fields stand above the message. */
export const LogLine = memo(function LogLine(props: {
  hit: LogHit
  columns: readonly LogField[]
  siteZone: string | null
  isOpen: boolean
  onToggle: (id: string) => void
  /** The line that the person came from or looks at. */
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
      className={styles.line}
      data-line={hit._id}
      data-marked={props.isMarked || undefined}
    >
      <div role="cell" className={styles.time}>
        <time dateTime={at} title={lineTimeTitle(at, siteZone)}>
          {formatLineTime(at)}
        </time>
      </div>
      {columns.map((field) => (
        <div
          key={field}
          role="cell"
          className={styles[cellOf(field)]}
          data-empty={hit._source[field] === null || undefined}
        >
          {field === 'message' ? (
            <>
              <LogMessage hit={hit} isOpen={isOpen} onToggle={() => props.onToggle(hit._id)} />
              {hidden.map((found) => (
                <span key={found} className={styles.found}>
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
        <div role="cell" className={styles.actions}>
          {props.actions}
        </div>
      )}
    </div>
  )
})

function cellOf(field: LogField): 'message' | 'level' | 'field' {
  if (field === 'message') return 'message'
  return field === 'log.level' ? 'level' : 'field'
}

/** Fields without a column in which the search found something: without them nobody could see why the line is there. */
function foundElsewhere({ highlight }: LogHit, columns: readonly LogField[]): LogField[] {
  if (highlight === null) return []
  return (Object.keys(highlight) as LogField[]).filter((field) => !columns.includes(field))
}
