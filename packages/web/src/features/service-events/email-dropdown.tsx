import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button, Popover } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatEventTime } from '../../lib/dates.ts'
import styles from './email-dropdown.module.css'
import { detailsQuery } from './service-events.api.ts'

/** What was sent to the customer's contact. Lists leave the body out, so it is read when the dropdown opens. */
export function EmailDropdown({ event }: { event: ServiceEvent }) {
  const [isOpen, setIsOpen] = useState(false)
  const details = useQuery({ ...detailsQuery(event.eventId), enabled: isOpen })
  const email = details.data?.automaticEmail ?? event.automaticEmail
  if (email === null) return null
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      width="min(420px, calc(100vw - 24px))"
      shadow="md"
    >
      <Popover.Target>
        <Button variant="default" onClick={() => setIsOpen(!isOpen)}>
          E-mail ▾
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={styles.email}>
          <p className={styles.title}>
            Email support message sent:{' '}
            {event.automaticEmailSentAt === null ? '–' : formatEventTime(event.automaticEmailSentAt)}
          </p>
          <dl>
            <dt>Sent to</dt>
            <dd>{email.contactName ?? '–'}</dd>
            <dt>E-mail</dt>
            <dd>{email.email}</dd>
            <dt>Subject</dt>
            <dd>{email.subject}</dd>
          </dl>
          <p className={styles.body}>
            {email.body ?? (details.isError ? 'The text could not be read. Close and open this again.' : 'Loading…')}
          </p>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
