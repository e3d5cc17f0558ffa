import { use, useRef } from 'react'
import { IsLive } from '../../../lib/live-handler.ts'
import { formatClock } from '../../../lib/time/dates.ts'
import { MAX_NEW_EVENTS } from './new-events.ts'
import styles from './new-events-bar.module.css'

/**
 * The strip above the table. It is always there, so rows do not move when the first new event arrives: quiet while the
 * list is up to date, a button if there is more to load or the last load failed.
 */
export function NewEventsBar(props: {
  count: number
  loadedAt: number
  /** The time of the last poll when there is no live connection; null when polling is off. */
  polledAt?: number | null
  hasFailed: boolean
  onLoad: () => void
}) {
  const { count, loadedAt, polledAt = null, hasFailed, onLoad } = props
  const since = formatClock(loadedAt)
  const isLive = use(IsLive)
  const bar = useRef<HTMLDivElement>(null)

  /** The button disappears, so focus moves to the strip; the next tab stop is the list below. */
  function load() {
    bar.current?.focus({ preventScroll: true })
    onLoad()
  }

  return (
    <div ref={bar} className={styles.bar} role="status" tabIndex={-1} data-lit={(count > 0 && !hasFailed) || undefined}>
      {hasFailed && (
        <button type="button" className={styles.failed} onClick={load}>
          Could not get events; list as of {since}. Try again
        </button>
      )}
      {!hasFailed && count > 0 && (
        <button type="button" onClick={load}>
          {count >= MAX_NEW_EVENTS ? `${MAX_NEW_EVENTS}+` : count} new {count === 1 ? 'event' : 'events'}
        </button>
      )}
      {!hasFailed && count === 0 && <span>{quietLabel({ loadedAt, polledAt, isLive })}</span>}
    </div>
  )
}

function quietLabel(state: { loadedAt: number; polledAt: number | null; isLive: boolean }): string {
  const { loadedAt, polledAt, isLive } = state
  if (loadedAt === 0) return 'Loading events…'
  if (polledAt !== null) return `Not live: checked every 10 s, no new events at ${formatClock(polledAt)}`
  const since = formatClock(loadedAt)
  return isLive ? `No new events since ${since}` : `Offline: list as of ${since}`
}
