import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button } from '@mantine/core'
import { EmailDropdown } from '../event-emails/email-dropdown.tsx'
import type { Viewer } from './event-owner.ts'
import styles from './event-row-details.module.css'
import { OwnerPicker } from './owner-picker.tsx'
import { siteAddress } from './site-address.ts'
import { StatusMenu } from './status-menu.tsx'

/** The expanded row: what happened, where, to whom, and what can be done about it. */
export function EventRowDetails(props: { event: ServiceEvent; viewer: Viewer; onOpen: (eventId: string) => void }) {
  const { event, viewer } = props
  const contract = [event.cpSLATerm, event.tierOne ? 'Tier 1' : null].filter(Boolean).join(' · ')
  return (
    <div className={styles.panel}>
      <dl className={styles.facts}>
        <div className={styles.wide}>
          <dt>Description</dt>
          <dd>{event.description}</dd>
          {event.clearedAt !== null && <dd className={styles.quiet}>Returned to normal</dd>}
          {event.userMessage !== null && <dd className={styles.quiet}>{event.userMessage}</dd>}
        </div>
        <div>
          <dt>Component</dt>
          <dd>{event.componentName ?? '–'}</dd>
        </div>
        <div>
          <dt>Product ID</dt>
          <dd>{event.instrumentInstalledProductId}</dd>
          {event.instrumentDefinedSystemName !== null && (
            <dd className={styles.quiet}>{event.instrumentDefinedSystemName}</dd>
          )}
        </div>
        <div>
          <dt>Location</dt>
          {siteAddress(event).map((line) => (
            <dd key={line}>{line}</dd>
          ))}
        </div>
        <div>
          <dt>Customer</dt>
          <dd>{event.enterpriseName}</dd>
          {contract !== '' && <dd className={styles.quiet}>{contract}</dd>}
        </div>
      </dl>
      <div className={styles.actions}>
        {event.automaticEmail !== null && <EmailDropdown event={event} />}
        <OwnerPicker event={event} viewer={viewer} />
        <StatusMenu event={event} viewer={viewer} />
        <Button
          component="a"
          className={styles.open}
          href={`/events/${event.eventId}`}
          onClick={(click) => {
            if (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return
            click.preventDefault()
            props.onOpen(event.eventId)
          }}
        >
          Event details
        </Button>
      </div>
    </div>
  )
}
