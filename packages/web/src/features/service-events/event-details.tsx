import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatClock } from '../../lib/dates.ts'
import { eventName } from '../../lib/event-name.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { DetailsHead, OutdatedNote } from '../../ui/details-head.tsx'
import styles from '../../ui/details-page.module.css'
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { AroundEvent } from './around-event.tsx'
import { ClosingCard } from './closing-card.tsx'
import { CustomerCard } from './customer-card.tsx'
import { EventHistoryCard } from './event-history-card.tsx'
import type { Viewer } from './event-owner.ts'
import { EventShortcuts } from './event-shortcuts.tsx'
import { EventStatusBar } from './event-status-bar.tsx'
import { PriorEvents } from './prior-events.tsx'
import { DETAILS_POLL_MS, detailsQuery } from './service-events.api.ts'
import { ServiceResponseCard } from './service-response-card.tsx'
import { SeverityBadge } from './severity-badge.tsx'
import { SimilarEvents } from './similar-events.tsx'
import { useEventDetailsKeys } from './use-event-details-keys.ts'
import { Advice, WhatHappened } from './what-happened.tsx'

/**
 * One event, whole. `eventId` with or without ORC-; closing leads back to the list at `listAddress`. `sideCard` is what
 * another feature knows of it.
 */
export function EventDetails(props: {
  eventId: string
  viewer: Viewer
  listAddress: Record<string, string>
  sideCard: (event: ServiceEvent) => ReactNode
}) {
  const digits = props.eventId.replace(/^ORC-/i, '')
  const details = useQuery({ ...detailsQuery(digits), refetchInterval: DETAILS_POLL_MS })
  const list = { to: '/events', search: props.listAddress, name: 'Service Events' } as const
  const name = eventName({ eventId: digits })
  const head = { name, list, shortcuts: <EventShortcuts /> }
  const event = details.data
  useEventDetailsKeys({ event, viewer: props.viewer, listAddress: props.listAddress })

  if (event !== undefined && !isNotFound(details.error))
    return (
      <div className={styles.page}>
        <DetailsHead
          {...head}
          note={details.isError && <Outdated details={details} />}
          mark={<SeverityBadge severity={event.severity} />}
        >
          <span dir="auto">{event.description}</span>
        </DetailsHead>
        <EventStatusBar event={event} viewer={props.viewer} />
        <Cards event={event} viewer={props.viewer} sideCard={props.sideCard(event)} />
      </div>
    )
  if (details.isPending)
    return (
      <div className={styles.page} aria-busy="true">
        <DetailsHead {...head}>
          <span role="status" className={styles.loading}>
            Loading event…
          </span>
        </DetailsHead>
        <DetailsSkeleton
          columns={[
            [11, 3, 7],
            [6, 8, 2, 4],
          ]}
        />
      </div>
    )
  return (
    <div className={styles.page}>
      <DetailsHead {...head}>
        <span>Event {name}</span>
      </DetailsHead>
      {isNotFound(details.error) ? (
        <ErrorState title="Event could not be found.">
          {event !== undefined
            ? 'It was deleted, or moved to a customer that you can’t see, while it was open here.'
            : 'It may have been deleted, or it belongs to a customer that you can’t see. Check the number in the address.'}
        </ErrorState>
      ) : (
        <ErrorState title="Could not get event" onRetry={() => void details.refetch()}>
          {details.error?.message}
        </ErrorState>
      )}
    </div>
  )
}

/** About equally high columns, in an order that reads on a phone, too; the table has the whole width below them. */
function Cards({ event, viewer, sideCard }: { event: ServiceEvent; viewer: Viewer; sideCard: ReactNode }) {
  return (
    <>
      <div className={styles.columns}>
        <div className={styles.column}>
          <ClosingCard event={event} viewer={viewer} />
          <WhatHappened event={event} />
          <Advice title="Troubleshooting" html={event.troubleshooting} />
          <Advice title="Remedy" html={event.remedy} />
          <CustomerCard event={event} />
        </div>
        <div className={styles.column}>
          <AroundEvent event={event} />
          <PriorEvents event={event} />
          <ServiceResponseCard event={event} />
          {sideCard}
          <EventHistoryCard event={event} />
        </div>
      </div>
      <SimilarEvents event={event} viewer={viewer} />
    </>
  )
}

function Outdated({ details }: { details: UseQueryResult<ServiceEvent> }) {
  return <OutdatedNote what="event" time={formatClock(details.dataUpdatedAt)} onRetry={() => void details.refetch()} />
}
