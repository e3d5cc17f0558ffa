import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { type AlertStatus, alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { formatTooltipTime } from '../../../lib/time/dates.ts'
import { isAhead, isDelayed } from '../event-text.ts'
import styles from './status-block.module.css'

const letters: Record<AlertStatus, string> = { '1_NEW': 'N', '2_IN_PROGRESS': 'P', '3_CLOSED': 'C' }

/**
 * N, P or C in a small block. Drawn in CSS, so assistive technology gets only the word. A closed event may show its
 * `reason` as well.
 */
export function StatusBlock({ status, reason = null }: { status: AlertStatus; reason?: string | null }) {
  const label = reason === null ? alertStatusLabels[status] : `${alertStatusLabels[status]} - ${reason}`
  return (
    <span
      className={styles.block}
      data-status={status}
      data-letter={letters[status]}
      role="img"
      aria-label={label}
      title={label}
    />
  )
}

/** Inline SVG, because up to a hundred rows show it. Without a `label`, the caller shows the word beside it. */
export function MailIcon({ label }: { label?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="15"
      height="15"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {label !== undefined && <title>{label}</title>}
      <path
        d="M2 4.2h12v8H2ZM2.4 4.6 8 8.9l5.6-4.3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** Marks for the time of an event: delayed, by a clock that is ahead, or during maintenance. */
export function EventTimeMarks({ event }: { event: ServiceEvent }) {
  return (
    <>
      {isDelayed(event) && (
        <span className={styles.mark} data-tone="warning" title={`Received ${formatTooltipTime(event.createdAt)}`}>
          delayed
        </span>
      )}
      {isAhead(event) && (
        <span
          className={styles.mark}
          data-tone="warning"
          title={`The clock of the instrument is ahead: received ${formatTooltipTime(event.createdAt)}`}
        >
          clock ahead
        </span>
      )}
      {event.duringMaintenance && (
        <span className={styles.mark} title="The instrument was in maintenance">
          During maintenance
        </span>
      )}
    </>
  )
}
