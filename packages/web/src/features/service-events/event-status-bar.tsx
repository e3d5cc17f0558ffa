import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { agePhrase } from '../../lib/age.ts'
import { formatEventTime } from '../../lib/dates.ts'
import { EmailDropdown } from '../event-emails/email-dropdown.tsx'
import { CloseEventDialog } from './close-event-dialog.tsx'
import styles from './event-details.module.css'
import { mayChangeStatus, type Viewer } from './event-owner.ts'
import { EventTime } from './event-time.tsx'
import { OwnerPicker } from './owner-picker.tsx'
import { StatusMenu } from './status-menu.tsx'
import { useNow } from './use-now.ts'

/** Status and owner as controls, since when it stands, and the way to close it. */
export function EventStatusBar({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const now = useNow()
  return (
    <section className={styles.bar} aria-label="Status and owner">
      <div className={styles.barActions}>
        <StatusMenu event={event} viewer={viewer} />
        <OwnerPicker event={event} viewer={viewer} />
      </div>
      <dl className={styles.barFacts}>
        <BarFact name="Raised">
          <EventTime at={event.createdAt} siteZone={event.siteTimeZone}>
            {formatEventTime(event.createdAt)}
          </EventTime>{' '}
          <span className={styles.quiet}>{agePhrase(event.createdAt, now)}</span>
        </BarFact>
        {event.latchedCount > 0 && (
          <BarFact name="Raised again">{event.latchedCount === 1 ? 'once' : `${event.latchedCount} times`}</BarFact>
        )}
        {event.clearedAt !== null && (
          <BarFact name="Returned to normal">
            <EventTime at={event.clearedAt} siteZone={event.siteTimeZone}>
              {formatEventTime(event.clearedAt)}
            </EventTime>
          </BarFact>
        )}
        {event.fullSupport && (
          <BarFact name="Contract">
            <span className={styles.support}>24 h</span>
          </BarFact>
        )}
      </dl>
      <div className={styles.barActions}>
        {event.automaticEmail !== null && <EmailDropdown event={event} />}
        {event.alertStatus !== '3_CLOSED' && <CloseButton event={event} viewer={viewer} />}
      </div>
    </section>
  )
}

function BarFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function CloseButton({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const [isOpen, setIsOpen] = useState(false)
  const mayClose = mayChangeStatus(event, viewer)
  return (
    <>
      <span
        className={mayClose ? undefined : styles.blocked}
        title={mayClose ? undefined : 'Only the owner may close the event'}
      >
        <Button disabled={!mayClose} onClick={() => setIsOpen(true)}>
          Close event…
        </Button>
      </span>
      {isOpen && <CloseEventDialog event={event} viewer={viewer} onDone={() => setIsOpen(false)} />}
    </>
  )
}
