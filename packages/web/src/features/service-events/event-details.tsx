import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertTypeLabels } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatEventTime } from '../../lib/dates.ts'
import { ApiError } from '../../lib/http.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { ClosingCard } from './closing-card.tsx'
import { CustomerCard } from './customer-card.tsx'
import { EmailDropdown } from './email-dropdown.tsx'
import { eventAgePhrase, isDelayed } from './event-age.ts'
import styles from './event-details.module.css'
import { EventHistoryCard } from './event-history-card.tsx'
import type { Viewer } from './event-owner.ts'
import { EventTime } from './event-time.tsx'
import { eventName } from './event-toasts.ts'
import { Fact } from './fact.tsx'
import { InstrumentStatusDot } from './instrument-status-dot.tsx'
import { OwnerPicker } from './owner-picker.tsx'
import { RichText } from './rich-text.tsx'
import { DETAILS_POLL_MS, detailsQuery } from './service-events.api.ts'
import { SeverityBadge } from './severity-badge.tsx'
import { siteAddress } from './site-address.ts'
import { StatusWord } from './status-block.tsx'
import { StatusMenu } from './status-menu.tsx'
import { useNow } from './use-now.ts'

/** One event, whole. `eventId` with or without ORC-; `closeLink` leads back to where the person came from. */
export function EventDetails(props: { eventId: string; viewer: Viewer; closeLink: ReactNode }) {
  const digits = props.eventId.replace(/^ORC-/i, '')
  const details = useQuery({ ...detailsQuery(digits), refetchInterval: DETAILS_POLL_MS })
  const event = details.data

  if (event !== undefined && !isNotFound(details.error))
    return <FoundEvent event={event} viewer={props.viewer} closeLink={props.closeLink} />
  if (details.isPending) return <DetailsSkeleton closeLink={props.closeLink} />
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div />
        {props.closeLink}
      </div>
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

function FoundEvent(props: { event: ServiceEvent; viewer: Viewer; closeLink: ReactNode }) {
  const { event, viewer } = props
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.title}>
          <p className={styles.crumbs}>{eventName(event)}</p>
          <h1>
            <SeverityBadge severity={event.severity} /> <span>{event.description}</span>
          </h1>
        </div>
        {props.closeLink}
      </div>
      <StatusBar event={event} viewer={viewer} />
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

function StatusBar({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const now = useNow()
  return (
    <section className={styles.bar} aria-label="Status and owner">
      <dl className={styles.barFacts}>
        <div>
          <dt>Status</dt>
          <dd>
            <StatusWord status={event.alertStatus} />
          </dd>
        </div>
        <div>
          <dt>Raised</dt>
          <dd>
            <EventTime at={event.createdAt}>{formatEventTime(event.createdAt)}</EventTime>{' '}
            <span className={styles.quiet}>{eventAgePhrase(event.createdAt, now)}</span>
          </dd>
        </div>
        {event.latchedCount > 0 && (
          <div>
            <dt>Raised again</dt>
            <dd>{event.latchedCount} times</dd>
          </div>
        )}
        {event.clearedAt !== null && (
          <div>
            <dt>Returned to normal</dt>
            <dd>
              <EventTime at={event.clearedAt}>{formatEventTime(event.clearedAt)}</EventTime>
            </dd>
          </div>
        )}
        {event.fullSupport && (
          <div>
            <dt>Contract</dt>
            <dd className={styles.support}>24 h</dd>
          </div>
        )}
      </dl>
      <div className={styles.barActions}>
        {event.automaticEmail !== null && <EmailDropdown event={event} />}
        <span className={styles.barLabel}>Owner</span>
        <OwnerPicker event={event} viewer={viewer} />
        <StatusMenu event={event} viewer={viewer} />
      </div>
    </section>
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
          <EventTime at={event.logGeneratedAt}>{formatEventTime(event.logGeneratedAt)}</EventTime>
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

function DetailsSkeleton({ closeLink }: { closeLink: ReactNode }) {
  return (
    <div className={styles.page} aria-busy="true">
      <div className={styles.head}>
        <p role="status" className={styles.quiet}>
          Loading event…
        </p>
        {closeLink}
      </div>
      <div className={styles.boneBar} />
      <div className={styles.columns}>
        <div className={styles.boneCard} />
        <div className={styles.boneCard} />
      </div>
    </div>
  )
}
