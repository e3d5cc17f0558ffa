import { memo } from 'react'
import { age } from '../../lib/age.ts'
import { isDelayed } from './event-delay.ts'
import { ownerLabel, type Viewer } from './event-owner.ts'
import styles from './event-table.module.css'
import { EventTime } from './event-time.tsx'
import { eventName } from './event-toasts.ts'
import { InstrumentStatusDot } from './instrument-status-dot.tsx'
import { MailIcon } from './mail-icon.tsx'
import type { ListedServiceEvent } from './service-event-cache.ts'
import { SeverityBadge } from './severity-badge.tsx'
import { StatusBlock } from './status-block.tsx'

/**
 * One event in the list. Native elements only: a hundred rows of component-library cells cost three times the time to
 * paint. The table handles clicks and keys for all rows; the marks it looks for are `data-row` and `data-action`.
 */
export const EventRow = memo(function EventRow(props: {
  row: ListedServiceEvent
  viewer: Viewer
  now: number
  isExpanded: boolean
  isCurrent: boolean
}) {
  const { row, viewer, now, isExpanded, isCurrent } = props
  const event = row.alarm
  const name = eventName(event)
  const owner = ownerLabel(event, viewer)
  const place = [event.siteCity, event.siteCountry].filter(Boolean).join(', ')
  return (
    <tr
      className={styles.row}
      data-row={event.id}
      data-expanded={isExpanded || undefined}
      data-current={isCurrent || undefined}
      data-removed={row.removed || undefined}
    >
      <td className={styles.expand}>
        <button
          type="button"
          className={styles.arrow}
          data-action="expand"
          aria-expanded={isExpanded}
          aria-label={`${isExpanded ? 'Collapse' : 'Expand'} ${name}`}
        >
          <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
            <path d="M3 1.5 7 5 3 8.5Z" fill="currentColor" />
          </svg>
        </button>
      </td>
      <td className={styles.severity}>
        <SeverityBadge severity={event.severity} />
      </td>
      <td className={styles.age}>
        <EventTime at={event.createdAt} siteZone={event.siteTimeZone}>
          {age(event.createdAt, now)}
        </EventTime>
      </td>
      <td className={styles.eventId}>
        <a href={`/events/${event.eventId}`} data-action="open">
          {name}
        </a>
      </td>
      <td className={styles.description}>
        <div className={styles.flow}>
          <span className={styles.text} title={event.description}>
            {event.description}
          </span>
          <EventMarks row={row} />
        </div>
      </td>
      <td className={styles.instrumentStatus}>
        <InstrumentStatusDot status={event.instrumentStatus} />
      </td>
      <td className={styles.instrument}>
        <span className={styles.text} title={event.instrumentProductDescription ?? undefined}>
          {event.instrumentProductDescription ?? event.gatewayName ?? '–'}
        </span>
      </td>
      <td className={styles.productId}>
        <span className={styles.text}>{event.instrumentInstalledProductId}</span>
      </td>
      <td className={styles.location}>
        <span className={styles.text} title={place}>
          {place || '–'}
        </span>
      </td>
      <td className={styles.customer}>
        <div className={styles.flow}>
          <span className={styles.text} title={event.enterpriseName}>
            {event.enterpriseName}
          </span>
          {event.fullSupport && (
            <span className={styles.support} title="24-hour contract">
              24 h
            </span>
          )}
        </div>
      </td>
      <td className={styles.owner}>
        <span className={styles.text} data-none={event.claimedBy === null || undefined} title={owner}>
          {owner}
        </span>
      </td>
      <td className={styles.status}>
        <StatusBlock status={event.alertStatus} />
      </td>
      <td className={styles.email}>{event.automaticEmailSentAt !== null && <MailIcon />}</td>
    </tr>
  )
})

/** What deserves a word beside the description. */
function EventMarks({ row: { alarm: event, removed } }: { row: ListedServiceEvent }) {
  return (
    <>
      {removed && <span className={styles.mark}>deleted</span>}
      {isDelayed(event) && (
        <span className={styles.mark} data-tone="warning" title="Stored at least 1 hour after the instrument logged it">
          delayed
        </span>
      )}
      {event.latchedCount > 0 && (
        <span className={styles.mark} title={`Raised ${event.latchedCount + 1} times`}>
          ×{event.latchedCount + 1}
        </span>
      )}
      {event.clearedAt !== null && (
        <span className={styles.mark} title="The instrument returned to normal">
          <span className={styles.hidden}>returned to </span>normal
        </span>
      )}
    </>
  )
}
