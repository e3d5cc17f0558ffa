import type { EventEmail } from '@benchwatch/contract/event-emails'
import { Button } from '@mantine/core'
import { formatEventTime } from '../../lib/dates.ts'
import styles from './email-list.module.css'

/** Mails about an event, one of them open at a time. `emails` undefined: not read yet. */
export function EmailList(props: { emails: EventEmail[] | undefined; hasFailed: boolean; onRetry: () => void }) {
  const { emails } = props
  if (emails === undefined && props.hasFailed)
    return (
      <div className={styles.message} role="alert">
        <p>Could not get e-mails.</p>
        <Button variant="default" size="compact-sm" onClick={props.onRetry}>
          Try again
        </Button>
      </div>
    )
  if (emails === undefined) return <div className={styles.loading} role="status" aria-label="Loading" />
  if (emails.length === 0)
    return (
      // Focusable, because the popover takes the focus and nothing else in it could.
      <p className={styles.message} tabIndex={-1} data-autofocus>
        No e-mails were sent about this event
      </p>
    )
  const listed = [...emails].sort((a, b) => Number(b.automatic) - Number(a.automatic))
  return (
    <div className={styles.list}>
      {listed.map((email, index) => (
        // Mails have no id; two may be alike in all they show.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
        <details key={index} name="event-emails" className={styles.email} open={index === 0}>
          <summary className={styles.summary}>
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
