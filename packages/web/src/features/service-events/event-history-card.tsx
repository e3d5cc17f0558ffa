import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { formatEventTime } from '../../lib/dates.ts'
import styles from './event-details.module.css'
import { historyLines, historySentence } from './event-history.ts'
import { EventTime } from './event-time.tsx'
import { historyQuery } from './service-events.api.ts'

/** Who did what to this event, newest first. */
export function EventHistoryCard({ event }: { event: ServiceEvent }) {
  const history = useQuery(historyQuery(event.id))
  const entries = historyLines(history.data ?? [])
  return (
    <section className={styles.card} aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {history.isPending && <p className={styles.quiet}>Loading…</p>}
      {history.isError && (
        <p className={styles.quiet}>
          Could not get the history.{' '}
          <button type="button" className={styles.link} onClick={() => void history.refetch()}>
            Try again
          </button>
        </p>
      )}
      {history.isSuccess && entries.length === 0 && <p className={styles.quiet}>Nothing is recorded yet.</p>}
      <ol className={styles.history}>
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.property} ${entry.newValue}`}>
            <span>
              <strong>{entry.actorName}</strong> {historySentence(entry)}
            </span>
            <EventTime at={entry.at}>{formatEventTime(entry.at)}</EventTime>
          </li>
        ))}
      </ol>
    </section>
  )
}
