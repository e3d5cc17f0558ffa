import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertTypeLabels } from '@benchwatch/contract/vocabulary'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatEventTime } from '../../lib/dates.ts'
import { ApiError } from '../../lib/http.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { ClosingCard } from './closing-card.tsx'
import { CustomerCard } from './customer-card.tsx'
import { isDelayed } from './event-delay.ts'
import styles from './event-details.module.css'
import { EventHistoryCard } from './event-history-card.tsx'
import type { Viewer } from './event-owner.ts'
import { EventStatusBar } from './event-status-bar.tsx'
import { EventTime } from './event-time.tsx'
import { eventName } from './event-toasts.ts'
import { Fact } from './fact.tsx'
import { InstrumentStatusDot } from './instrument-status-dot.tsx'
import { DETAILS_POLL_MS, detailsQuery } from './service-events.api.ts'
import { SeverityBadge } from './severity-badge.tsx'
import { siteAddress } from './site-address.ts'

/** Parameters of the list as the person left it. */
type ListAddress = Record<string, string>

/** One event, whole. `eventId` with or without ORC-; closing leads back to the list at `listAddress`. */
export function EventDetails(props: { eventId: string; viewer: Viewer; listAddress: ListAddress }) {
  const digits = props.eventId.replace(/^ORC-/i, '')
  const details = useQuery({ ...detailsQuery(digits), refetchInterval: DETAILS_POLL_MS })
  const event = details.data

  if (event !== undefined && !isNotFound(details.error))
    return <FoundEvent event={event} viewer={props.viewer} listAddress={props.listAddress} />
  if (details.isPending) return <DetailsSkeleton name={`ORC-${digits}`} listAddress={props.listAddress} />
  return (
    <div className={styles.page}>
      <DetailsHead name={`ORC-${digits}`} listAddress={props.listAddress}>
        <span>Event ORC-{digits}</span>
      </DetailsHead>
      {isNotFound(details.error) ? (
        <ErrorState title="Event could not be found.">
          It may have been deleted, or it belongs to a customer that you can’t see. Check the number in the address.
        </ErrorState>
      ) : (
        <ErrorState title="Could not get event" onRetry={() => void details.refetch()}>
          {details.error?.message}
        </ErrorState>
      )}
    </div>
  )
}

/** 404, and 400 for what is no event id at all: to a person both are an event that does not exist. */
function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

function FoundEvent(props: { event: ServiceEvent; viewer: Viewer; listAddress: ListAddress }) {
  const { event, viewer } = props
  return (
    <div className={styles.page}>
      <DetailsHead name={eventName(event)} listAddress={props.listAddress}>
        <SeverityBadge severity={event.severity} /> <span>{event.description}</span>
      </DetailsHead>
      <EventStatusBar event={event} viewer={viewer} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <WhatHappened event={event} />
          <Advice title="Troubleshooting" html={event.troubleshooting} />
          <Advice title="Remedy" html={event.remedy} />
        </div>
        <div className={styles.column}>
          <ClosingCard event={event} viewer={viewer} />
          <CustomerCard event={event} />
          <EventHistoryCard event={event} />
        </div>
      </div>
    </div>
  )
}

function WhatHappened({ event }: { event: ServiceEvent }) {
  return (
    <section className={styles.card} aria-labelledby="what-title">
      <h2 id="what-title">What happened</h2>
      <dl className={styles.facts}>
        <Fact name="Description">{event.description}</Fact>
        {event.userMessage !== null && <Fact name="Message to the user">{event.userMessage}</Fact>}
        <Fact name="Error id">{event.templateId}</Fact>
        <Fact name="Event type">{alertTypeLabels[event.alertType]}</Fact>
        <Fact name="Date generated">
          <EventTime at={event.logGeneratedAt} siteZone={event.siteTimeZone}>
            {formatEventTime(event.logGeneratedAt)}
          </EventTime>
          {isDelayed(event) && <span className={styles.mark}>delayed</span>}
        </Fact>
        {event.isEdgeIssue ? (
          <Fact name="Gateway">{event.gatewayName}</Fact>
        ) : (
          <Fact name="Component">{event.componentName}</Fact>
        )}
        <Fact name="Instrument">
          <span className={styles.instrument}>
            <InstrumentStatusDot status={event.instrumentStatus} />
            {event.instrumentProductDescription ?? '–'}
          </span>
          <InstrumentStatusWords event={event} />
        </Fact>
        <Fact name="System name">{event.instrumentDefinedSystemName}</Fact>
        <Fact name="Product ID">{event.instrumentInstalledProductId}</Fact>
        <Fact name="Qualified system">{qualified(event.qualifiedSystem)}</Fact>
        <Fact name="Location">
          {siteAddress(event).map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Fact>
      </dl>
    </section>
  )
}

function InstrumentStatusWords({ event }: { event: ServiceEvent }) {
  const words = [
    event.instrumentStatusAtEvent === null ? null : `${event.instrumentStatusAtEvent} at the event`,
    event.instrumentStatus === null ? null : `${event.instrumentStatus} now`,
  ].filter(Boolean)
  return words.length > 0 ? <span className={styles.quiet}> · {words.join(', ')}</span> : null
}

function qualified(value: boolean | null): string | null {
  if (value === null) return null
  return value ? 'Yes' : 'No'
}

function Advice({ title, html }: { title: string; html: string | null | undefined }) {
  if (html === null || html === undefined || html.trim() === '') return null
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      <RichText html={html} className={styles.advice} />
    </section>
  )
}

function DetailsSkeleton({ name, listAddress }: { name: string; listAddress: ListAddress }) {
  return (
    <div className={styles.page} aria-busy="true">
      <DetailsHead name={name} listAddress={listAddress}>
        <span role="status" className={styles.loading}>
          Loading event…
        </span>
      </DetailsHead>
      <div className={styles.boneBar} />
      <div className={styles.columns}>
        <div className={styles.boneCard} />
        <div className={styles.boneCard} />
      </div>
    </div>
  )
}

function DetailsHead(props: { name: string; listAddress: ListAddress; children: ReactNode }) {
  const { name, listAddress } = props
  return (
    <div className={styles.head}>
      <div className={styles.title}>
        <nav className={styles.crumbs} aria-label="Breadcrumb">
          <Link to="/events" search={listAddress}>
            Service Events
          </Link>{' '}
          / <span aria-current="page">{name}</span>
        </nav>
        <h1>{props.children}</h1>
      </div>
      <Link to="/events" search={listAddress} className={styles.close}>
        <IconX size={15} stroke={1.8} aria-hidden="true" /> Close
      </Link>
    </div>
  )
}
