import type { EventEmail } from '@benchwatch/contract/event-emails'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatEventTime } from '../../lib/dates.ts'
import { Chevron } from '../../ui/chevron.tsx'
import styles from './email-list.module.css'
import { eventEmailsQuery } from './event-emails.api.ts'

/** Mails about an event; one alone is open, of several one at a time. */
export function EmailList({ event }: { event: ServiceEvent }) {
  const { data: emails, isError, refetch } = useQuery(eventEmailsQuery(event))
  if (emails === undefined && isError)
    return (
      <div className={styles.message} role="alert">
        <p>Could not get e-mails.</p>
        <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  if (emails === undefined) return <div className={styles.loading} role="status" aria-label="Loading" />
  if (emails.length === 0) return <p className={styles.message}>No e-mails were sent about this event</p>
  const listed = [...emails].sort((a, b) => Number(b.automatic) - Number(a.automatic))
  return (
    <div className={styles.list}>
      {listed.map((email, index) => (
        // Mails have no id; two may be alike in all they show.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
        <details key={index} name="event-emails" className={styles.email} open={listed.length === 1}>
          <summary className={styles.summary}>
            <Chevron to="right" className={styles.arrow} />
            <span className={styles.title}>{emailTitle(email)}</span>
            {!email.automatic && <bdi className={styles.receiver}>{email.contactName ?? email.to ?? '–'}</bdi>}
          </summary>
          <dl className={styles.facts}>
            <dt>Sent to</dt>
            <dd>
              <bdi>{email.contactName ?? '–'}</bdi>
            </dd>
            <dt>E-mail</dt>
            <dd>{email.to ?? '–'}</dd>
            <dt>Subject</dt>
            <dd dir="auto">{email.subject}</dd>
          </dl>
          <p className={styles.body} dir="auto">
            {email.body}
          </p>
        </details>
      ))}
    </div>
  )
}

/** 'Email support message sent: 20-Nov-2026 14:02', as document 1 section 2 words it. */
export function emailTitle({ automatic, sentAt }: Pick<EventEmail, 'automatic' | 'sentAt'>): string {
  const when = sentAt === null ? 'not yet' : formatEventTime(sentAt)
  return automatic ? `Email support message sent: ${when}` : `Shared by mail: ${when}`
}
