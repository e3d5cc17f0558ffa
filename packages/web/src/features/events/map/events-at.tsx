import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { age } from '../../../lib/time/duration.ts'
import { pageCount, pageExtent } from '../../../ui/list/pagination.tsx'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import type { ListedServiceEvent } from '../event-cache.ts'
import { instrumentName } from '../event-text.ts'
import type { EventSearch } from '../events.search.ts'
import type { Narrowing } from '../list/event-list-request.ts'
import { SeverityBadge } from '../status/severity-badge.tsx'
import { EVENTS_AT_ONCE, eventsAtQuery } from './event-map.api.ts'
import styles from './events-at.module.css'
import { IconButton } from './map-canvas.tsx'

/** Events at some positions, in the order of the list, page by page. */
export function EventsAt(props: {
  narrowing: Narrowing
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  positions: [number, number][]
  /** Expected number of events, to reserve their space. */
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

/** One event at a place on the map. */
function EventItem({ row, now }: { row: ListedServiceEvent; now: number }) {
  const { alarm, removed = false } = row
  const instrument = instrumentName(alarm) ?? alarm.instrumentInstalledProductId
  return (
    <li>
      <Link
        to="/events/$eventId"
        params={{ eventId: alarm.eventId }}
        className={styles.item}
        data-removed={removed || undefined}
      >
        <span className={styles.head}>
          <VisuallyHidden>Event details: </VisuallyHidden>
          <SeverityBadge severity={alarm.severity} />
          <span className={styles.id}>{eventName(alarm)}</span>
          <span className={styles.age}>
            <ZonedTime at={alarm.createdAt} siteZone={alarm.siteTimeZone}>
              {age(alarm.createdAt, now)}
            </ZonedTime>
          </span>
          <span className={styles.instrument} title={instrument}>
            {instrument}
          </span>
        </span>
        <span className={styles.description} dir="auto" title={alarm.description}>
          {removed && <VisuallyHidden>deleted: </VisuallyHidden>}
          {alarm.description}
        </span>
      </Link>
    </li>
  )
}

/** Skeleton rows of the final height. */
export function WaitingItems({ rows, isLow = false }: { rows: number; isLow?: boolean }) {
  return (
    <div role="status">
      <span className={styles.itemsHidden}>Loading…</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
        <div key={index} className={styles.bones} data-low={isLow || undefined}>
          <SkeletonLine width={`${80 - (index % 4) * 9}%`} />
          {!isLow && <SkeletonLine width={`${55 - (index % 3) * 8}%`} />}
        </div>
      ))}
    </div>
  )
}
