import type { BulkFailure } from '@benchwatch/contract/bulk-changes'
import { useState } from 'react'
import { eventName } from '../../lib/event-name.ts'
import { Notice } from '../../ui/notice.tsx'
import styles from './bulk-dialog.module.css'
import { changedWords, failuresByReason } from './bulk-words.ts'

/** What became of the events: how many changed, and which did not and why, each with the way to it. */
export function BulkOutcome(props: { changed: number; failed: readonly BulkFailure[]; isWhole: boolean }) {
  const { failed } = props
  return (
    <div className={styles.outcome}>
      {!props.isWhole && (
        <Notice tone="warning">The change was stopped before its end. The remaining events are as they were.</Notice>
      )}
      <p className={styles.line} role="status">
        <strong>{changedWords(props.changed)}</strong>
        {failed.length > 0 && (
          <span className={styles.failedSoFar}>{failed.length.toLocaleString('en')} not changed</span>
        )}
      </p>
      {failed.length > 0 && (
        <section className={styles.failures} aria-label="Events that were not changed">
          {failuresByReason(failed).map(({ reason, events }) => (
            <div key={reason}>
              <p className={styles.reason}>{reason}</p>
              <EventLinks events={events} />
            </div>
          ))}
        </section>
      )}
    </div>
  )
}

/** So many links are drawn without being asked for: ten thousand take half a second. */
const SHOWN_LINKS = 200

function EventLinks({ events }: { events: readonly BulkFailure[] }) {
  const [showsAll, setShowsAll] = useState(events.length <= SHOWN_LINKS)
  return (
    <ul className={styles.links}>
      {(showsAll ? events : events.slice(0, SHOWN_LINKS)).map(({ id, eventId }) => (
        <li key={id}>
          {/* In a tab of its own: this list is nowhere else. */}
          <a href={`/events/${eventId}`} target="_blank" rel="noreferrer">
            {eventName({ eventId })}
          </a>
        </li>
      ))}
      {!showsAll && (
        <li>
          <button type="button" className={styles.more} onClick={() => setShowsAll(true)}>
            and {(events.length - SHOWN_LINKS).toLocaleString('en')} more
          </button>
        </li>
      )}
    </ul>
  )
}
