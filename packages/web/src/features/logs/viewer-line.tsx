import type { LogField, LogHit } from '@benchwatch/contract/logs'
import { IconArrowsVertical, IconCheck, IconCopy } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import { LogLine } from './log-line.tsx'
import styles from './viewer-line.module.css'

/** A line of the viewer with what can be done with it. Native buttons: there are two in each of some hundred lines. */
export const ViewerLine = memo(function ViewerLine(props: {
  hit: LogHit
  columns: readonly LogField[]
  siteZone: string | null
  isOpen: boolean
  isMarked: boolean
  isCopied: boolean
  onToggle: (id: string) => void
  onCopy: (hit: LogHit) => void
  /** Shows the line among its neighbours; null where it stands among them. */
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
