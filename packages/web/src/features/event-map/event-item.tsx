import { Link } from '@tanstack/react-router'
import { age } from '../../lib/age.ts'
import { eventName } from '../../lib/event-name.ts'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import { instrumentName } from '../service-events/event-text.ts'
import type { ListedServiceEvent } from '../service-events/service-event-cache.ts'
import { SeverityBadge } from '../service-events/severity-badge.tsx'
import styles from './event-item.module.css'

/** One event at a place of the map. */
export function EventItem({ row, now }: { row: ListedServiceEvent; now: number }) {
  const { alarm, removed = false } = row
  const name = eventName(alarm)
  const instrument = instrumentName(alarm) ?? alarm.instrumentInstalledProductId
  return (
    <li className={styles.item} data-removed={removed || undefined}>
      <span className={styles.head}>
        <SeverityBadge severity={alarm.severity} />
        <span className={styles.id}>{name}</span>
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
        {removed && <span className={styles.hidden}>deleted: </span>}
        {alarm.description}
      </span>
      <Link
        to="/events/$eventId"
        params={{ eventId: alarm.eventId }}
        className={styles.details}
        aria-label={`Event details of ${name}`}
      >
        Event details
      </Link>
    </li>
  )
}
