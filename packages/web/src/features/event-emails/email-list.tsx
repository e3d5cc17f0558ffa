import type { EventEmail } from '@benchwatch/contract/event-emails'
import type { ServiceEvent } from '@benchwatch/contract/events'
import type { EventEmailState, InstrumentType } from '@benchwatch/contract/vocabulary'
import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { useFailureToast } from '../../ui/overlay/toasts.ts'
import { Chevron } from '../../ui/text/chevron.tsx'
import { StatusMark, type StatusTone } from '../../ui/text/status-mark.tsx'
import { featuresQuery } from '../users/users.api.ts'
import styles from './email-list.module.css'
import { eventEmailKeys, eventEmailsQuery } from './event-emails.api.ts'

/** Reads the support e-mail that an error would trigger. Kept out of the event list's bundle. Wire 2. */

/** An error of an instrument type, by which templates are found. */
interface WarningName {
  instrumentType: InstrumentType
  eisCode: string
  errorCode: string
}

/** State of an e-mail that was not sent yet; a sent one shows its time instead. */
const emailStates: Record<EventEmailState, { tone: StatusTone; label: string } | null> = {
  held: { tone: 'waiting', label: 'Held' },
  waiting: { tone: 'waiting', label: 'Waiting to be sent' },
  sent: null,
  failed: { tone: 'warning', label: 'Could not be sent' },
  withdrawn: { tone: 'off', label: 'Not sent' },
}

/**
 * E-mails about an event; a single one is open, of several one opens at a time. Before them, the support e-mail that
 * the system would send.
 */
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
            <StatusMark tone={state.tone}>{state.label}</StatusMark>
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

/** Returns 'Email support message sent: 20-Nov-2026 14:02', as worded in document 1 section 2. */
function emailTitle({ automatic, sentAt, state }: Pick<EventEmail, 'automatic' | 'sentAt' | 'state'>): string {
  const name = automatic ? 'Email support message' : 'Shared by e-mail'
  if (state !== 'sent' || sentAt === null) return name
  return automatic ? `${name} sent: ${formatEventTime(sentAt)}` : `${name}: ${formatEventTime(sentAt)}`
}

/** For an event without a support e-mail: shows the subject of the one that would be sent, if there is a template. */
function AutomaticEmail({ event }: { event: ServiceEvent }) {
  const features = useQuery(featuresQuery())
  const { instrumentType, eisCode, errorCode } = event
  // Gateways have no templates.
  if (instrumentType === null || features.data?.includes('AUTO_EMAIL') !== true) return null
  if (event.reasonClosed === 'Customer unsubscribed')
    return (
      <div className={styles.automatic}>
        <p className={styles.automaticHead}>No support e-mail: the customer has unsubscribed from this warning.</p>
      </div>
    )
  return <Subject error={{ instrumentType, eisCode, errorCode }} />
}

function Subject({ error }: { error: WarningName }) {
  const subject = useQuery(automaticEmailSubjectQuery(error))
  useFailureToast(subject, 'Could not get event automatic email subject')
  if (subject.data === undefined || subject.data === null) return null
  return (
    <div className={styles.automatic}>
      <p className={styles.automaticHead}>Support e-mail for this error (not sent)</p>
      <p className={styles.automaticSubject} dir="auto">
        {subject.data}
      </p>
    </div>
  )
}

/** Reads the subject of the support e-mail for an error, with its placeholders; null if there is none. */
function automaticEmailSubjectQuery(error: WarningName) {
  return queryOptions({
    queryKey: [...eventEmailKeys.all, 'automatic-subject', error],
    queryFn: async ({ signal }) => (await call('getAutomaticEmailSubject', { query: { ...error }, signal })).subject,
    staleTime: 60_000,
  })
}
