import { use } from 'react'
import { formatClock } from '../../lib/dates.ts'
import { IsLive } from '../../lib/is-live.ts'
import { MAX_NEW_EVENTS } from './new-events.ts'
import styles from './new-events-bar.module.css'

/**
 * The strip above the table. It is always there, so that rows do not jump when the first new event comes: quiet while
 * the list is up to date, a button when there is more to load or when the last load failed.
 */
export function NewEventsBar(props: { count: number; loadedAt: number; hasFailed: boolean; onLoad: () => void }) {
  const { count, loadedAt, hasFailed, onLoad } = props
  const since = formatClock(loadedAt)
  const isLive = use(IsLive)
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
      {!hasFailed && count === 0 && <span>{quietWords({ loadedAt, isLive })}</span>}
    </div>
  )
}

function quietWords({ loadedAt, isLive }: { loadedAt: number; isLive: boolean }): string {
  if (loadedAt === 0) return 'Loading events…'
  const since = formatClock(loadedAt)
  return isLive ? `No new events since ${since}` : `Offline: these are of ${since}, newer ones are not known`
}
