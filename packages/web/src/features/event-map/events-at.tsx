import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Chevron } from '../../ui/chevron.tsx'
import { pageCount, pageExtent } from '../../ui/pagination-model.ts'
import { RetryLine } from '../../ui/retry-line.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { Narrowing } from '../service-events/event-list-request.ts'
import type { EventSearch } from '../service-events/service-events.search.ts'
import { EventItem } from './event-item.tsx'
import { EVENTS_AT_ONCE, eventsAtQuery } from './event-map.api.ts'
import styles from './events-at.module.css'
import { IconButton } from './icon-button.tsx'
import { WaitingItems } from './waiting-items.tsx'

/** The events at some positions, in the order of the list, by pages. */
export function EventsAt(props: {
  narrowing: Narrowing
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  positions: [number, number][]
  /** How many they are as far as is known, for the room they will take. */
  expected: number
}) {
  const { narrowing, sort, positions } = props
  const [page, setPage] = useState(1)
  const now = useNow()
  const events = useQuery(eventsAtQuery({ narrowing, sort, positions, page }))
  if (events.data === undefined) {
    return events.isError ? (
      <div className={styles.problem}>
        <RetryLine onRetry={() => void events.refetch()}>Could not get events</RetryLine>
      </div>
    ) : (
      <WaitingItems rows={Math.min(props.expected, 10)} />
    )
  }
  const { values, total } = events.data
  const pages = pageCount(total.events, EVENTS_AT_ONCE)
  return (
    <>
      <ul className={styles.items} aria-label="Events" aria-busy={events.isPlaceholderData}>
        {values.map((row) => (
          <EventItem key={row.alarm.id} row={row} now={now} />
        ))}
      </ul>
      {values.length === 0 && <p className={styles.none}>No events here any more.</p>}
      {pages > 1 && (
        <nav className={styles.pages} aria-label="Pages of events">
          <span>{pageExtent(page, EVENTS_AT_ONCE, total.events)}</span>
          <IconButton label="Previous events" disabled={page === 1} onClick={() => setPage(page - 1)}>
            <Chevron to="left" />
          </IconButton>
          <IconButton label="Next events" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            <Chevron to="right" />
          </IconButton>
        </nav>
      )}
    </>
  )
}
