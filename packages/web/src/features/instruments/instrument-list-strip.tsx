import { use } from 'react'
import { counted } from '../../lib/counted.ts'
import { formatClock } from '../../lib/dates.ts'
import { IsLive } from '../../lib/is-live.ts'
import styles from './instrument-list-strip.module.css'

/**
 * The strip above the table. It is always there, so that rows do not jump: how fresh the list is, that the last load failed, or
 * that an address limits the list to some instruments.
 */
export function InstrumentListStrip(props: {
  /** How many instruments the list is limited to; 0 for no limit. */
  limitedTo: number
  loadedAt: number
  hasFailed: boolean
  onRetry: () => void
  onShowAll: () => void
}) {
  const { limitedTo, loadedAt } = props
  const isLive = use(IsLive)
  if (props.hasFailed && loadedAt > 0)
    return (
      <div className={styles.strip} role="status">
        <button type="button" className={styles.failed} onClick={props.onRetry}>
          Could not get instruments; these are of {formatClock(loadedAt)}. Try again
        </button>
      </div>
    )
  return (
    <div className={styles.strip} role="status" data-limited={limitedTo > 0 || undefined}>
      {limitedTo > 0 ? (
        <>
          <span>Limited to {counted(limitedTo, 'instrument')}</span>
          <button type="button" onClick={props.onShowAll}>
            Show all
          </button>
        </>
      ) : (
        <span>{freshness({ loadedAt, isLive })}</span>
      )}
    </div>
  )
}

function freshness({ loadedAt, isLive }: { loadedAt: number; isLive: boolean }): string {
  if (loadedAt === 0) return 'Loading instruments…'
  return isLive ? 'Statuses, maintenance and events follow live' : `Offline: statuses are of ${formatClock(loadedAt)}`
}
