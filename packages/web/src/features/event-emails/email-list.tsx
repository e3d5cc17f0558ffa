import type { EventEmail } from '@benchwatch/contract/event-emails'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Chevron } from '../../ui/chevron.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { AutomaticEmail } from './automatic-email.tsx'
import styles from './email-list.module.css'
import { emailStates, emailTitle } from './email-words.ts'
import { eventEmailsQuery } from './event-emails.api.ts'

/** Mails about an event; one alone is open, of several one at a time. Before them what the system would send by itself. */
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
  const hasAutomatic = emails.some(({ automatic }) => automatic)
  const listed = [...emails].sort((a, b) => Number(b.automatic) - Number(a.automatic))
  return (
    <>
      {emails.length === 0 && <p className={styles.message}>No e-mails were sent about this event</p>}
      {!hasAutomatic && <AutomaticEmail event={event} />}
      {listed.length > 0 && (
        <div className={styles.list}>
          {listed.map((email, index) => (
            // Mails have no id; two may be alike in all they show.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
            <Email key={index} email={email} isOpen={listed.length === 1} />
          ))}
        </div>
      )}
    </>
  )
}

function Email({ email, isOpen }: { email: EventEmail; isOpen: boolean }) {
  const state = emailStates[email.state]
  return (
    <details name="event-emails" className={styles.email} open={isOpen}>
      <summary className={styles.summary}>
        <Chevron to="right" className={styles.arrow} />
        <span className={styles.title}>{emailTitle(email)}</span>
        {state !== null && (
          <span className={styles.state}>
            <StatusMark tone={state.tone}>{state.words}</StatusMark>
          </span>
        )}
        {!email.automatic && <bdi className={styles.receiver}>{email.contactName ?? email.to ?? '–'}</bdi>}
      </summary>
      {email.reason !== null && <p className={styles.reason}>{email.reason}</p>}
      <dl className={styles.facts}>
        <dt>{email.state === 'sent' ? 'Sent to' : 'Contact'}</dt>
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
  )
}
