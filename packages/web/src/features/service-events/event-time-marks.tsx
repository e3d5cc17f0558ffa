import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { formatTooltipTime } from '../../lib/dates.ts'
import { isDelayed } from './event-delay.ts'
import styles from './event-time-marks.module.css'

/** What is to be known of the time at which an event was generated: told late, or during maintenance. */
export function EventTimeMarks({ event }: { event: ServiceEvent }) {
  return (
    <>
      {isDelayed(event) && (
        <span className={styles.mark} data-tone="warning" title={`Received ${formatTooltipTime(event.createdAt)}`}>
          delayed
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
