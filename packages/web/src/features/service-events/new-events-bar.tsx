import { formatClock } from '../../lib/dates.ts'
import { MAX_NEW_EVENTS } from './new-events.ts'
import styles from './new-events-bar.module.css'

/**
 * The strip above the table. It is always there, so that rows do not jump when the first new event comes: quiet while
 * the list is up to date, a button when it is not.
 */
export function NewEventsBar(props: { count: number; loadedAt: number; onLoad: () => void }) {
  const { count, loadedAt, onLoad } = props
  const label = `${count >= MAX_NEW_EVENTS ? `${MAX_NEW_EVENTS}+` : count} new ${count === 1 ? 'event' : 'events'}`
  return (
    <div className={styles.bar} role="status" data-lit={count > 0 || undefined}>
      {count > 0 ? (
        <button type="button" onClick={onLoad}>
          {label}
        </button>
      ) : (
        <span>{loadedAt === 0 ? 'Loading events…' : `No new events since ${formatClock(loadedAt)}`}</span>
      )}
    </div>
  )
}
