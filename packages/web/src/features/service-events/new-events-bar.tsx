import { formatClock } from '../../lib/dates.ts'
import { MAX_NEW_EVENTS } from './new-events.ts'
import styles from './new-events-bar.module.css'

/**
 * The strip above the table. It is always there, so that rows do not jump when the first new event comes: quiet while
 * the list is up to date, a button when there is more to load or when the last load failed.
 */
export function NewEventsBar(props: { count: number; loadedAt: number; hasFailed: boolean; onLoad: () => void }) {
  const { count, loadedAt, hasFailed, onLoad } = props
  const since = formatClock(loadedAt)
  return (
    <div className={styles.bar} role="status" data-lit={(count > 0 && !hasFailed) || undefined}>
      {hasFailed && (
        <button type="button" className={styles.failed} onClick={onLoad}>
          Could not get events; these are of {since}. Try again
        </button>
      )}
      {!hasFailed && count > 0 && (
        <button type="button" onClick={onLoad}>
          {count >= MAX_NEW_EVENTS ? `${MAX_NEW_EVENTS}+` : count} new {count === 1 ? 'event' : 'events'}
        </button>
      )}
      {!hasFailed && count === 0 && <span>{loadedAt === 0 ? 'Loading events…' : `No new events since ${since}`}</span>}
    </div>
  )
}
