import type { HistoryEntry } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatEventTime } from '../../lib/dates.ts'
import { Card } from '../../ui/card.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import { historyLines, historySentence } from './event-history.ts'
import styles from './event-history-card.module.css'
import { historyQuery } from './service-events.api.ts'

/** So many are shown; the others on request. An alarm that is raised again and again makes hundreds. */
const LATEST = 20

/** Who did what to this event, newest first. */
export function EventHistoryCard({ event }: { event: ServiceEvent }) {
  const history = useQuery(historyQuery(event))
  const [showsAll, setShowsAll] = useState(false)
  const entries = historyLines(history.data ?? [])
  const shown = showsAll ? entries : entries.slice(0, LATEST)
  return (
    <Card title="History">
      {history.isPending && <WaitingLines />}
      {history.isError && history.data === undefined && (
        <RetryLine onRetry={() => void history.refetch()}>Could not get the history.</RetryLine>
      )}
      {history.isSuccess && entries.length === 0 && <p className={styles.quiet}>Nothing is recorded yet.</p>}
      <div className={styles.room}>
        <ol className={styles.history}>
          {shown.map((entry, index) => (
            // What comes later stands before it, so an entry is known by its distance from the first one.
            <HistoryLine key={entries.length - index} entry={entry} />
          ))}
        </ol>
      </div>
      {entries.length > LATEST && (
        <button
          type="button"
          className={styles.all}
          aria-expanded={showsAll}
          onClick={() => setShowsAll((whether) => !whether)}
        >
          {showsAll ? `Show the latest ${LATEST}` : `Show all ${entries.length}`}
        </button>
      )}
    </Card>
  )
}

function HistoryLine({ entry }: { entry: HistoryEntry }) {
  const { words, quote } = historySentence(entry)
  return (
    <li>
      <div className={styles.what}>
        <bdi className={styles.actor}>{entry.actorName}</bdi> {words}
        {quote !== null && (
          <blockquote className={styles.quote}>
            <LongText text={quote} />
          </blockquote>
        )}
      </div>
      <ZonedTime at={entry.at}>{formatEventTime(entry.at)}</ZonedTime>
    </li>
  )
}

/** As many as nearly every event has: delivered, taken, in progress. */
function WaitingLines() {
  return (
    <div role="status" aria-label="Loading history…" className={styles.waiting}>
      {['70%', '52%', '61%'].map((width) => (
        <div key={width} className={styles.bone}>
          <SkeletonLine width={width} />
        </div>
      ))}
    </div>
  )
}
