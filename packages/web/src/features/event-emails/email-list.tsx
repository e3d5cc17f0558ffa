import type { EventEmail } from '@benchwatch/contract/events/event-emails'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { EventEmailState } from '@benchwatch/contract/vocabulary'
import { Button, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { PanelLoading } from '../../ui/overlay/dropdown.tsx'
import { useFailureToast } from '../../ui/overlay/toasts.ts'
import { Chevron } from '../../ui/text/chevron.tsx'
import { Fact, FactList, Named } from '../../ui/text/fact.tsx'
import { StatusMark, type StatusTone } from '../../ui/text/status-mark.tsx'
import { featuresQuery } from '../users/users.api.ts'
import styles from './email-list.module.css'
import { eventEmailKeys, eventEmailsQuery } from './event-emails.api.ts'

/** An error of an instrument type, by which templates are found. */
interface WarningName {
  instrumentType: string
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
      <Stack align="center" justify="center" gap={8} mih={96} c="dimmed" role="alert">
        <p>Could not get e-mails.</p>
        <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </Stack>
    )
  if (emails === undefined) return <PanelLoading height={96} />
  const hasAutomatic = emails.some(({ automatic }) => automatic)
  const listed = [...emails].sort((a, b) => Number(b.automatic) - Number(a.automatic))
  return (
    <>
      {emails.length === 0 && (
        <Text c="dimmed" ta="center" py={36}>
          No e-mails were sent about this event
        </Text>
      )}
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
    <details name="event-emails" open={isOpen}>
      <summary>
        <Chevron to="right" />
        <Text span fw={570} flex="none">
          {emailTitle(email)}
        </Text>
        {state !== null && (
          <Text span size="xs" flex="none">
            <StatusMark tone={state.tone}>{state.label}</StatusMark>
          </Text>
        )}
        {!email.automatic && (
          <Text span c="dimmed" ml="auto" truncate="end">
            <bdi>{email.contactName ?? email.to ?? '–'}</bdi>
          </Text>
        )}
      </summary>
      <Stack gap={8} p="2px 12px 12px 28px">
        {email.reason !== null && <Text c="dimmed">{email.reason}</Text>}
        <FactList>
          <Fact name={email.state === 'sent' ? 'Sent to' : 'Contact'}>
            <Named>{email.contactName}</Named>
          </Fact>
          <Fact name="E-mail">{email.to}</Fact>
          <Fact name="Subject">
            <span dir="auto">{email.subject}</span>
          </Fact>
        </FactList>
        <Text
          pt={10}
          dir="auto"
          style={{ borderTop: '1px solid var(--bw-line-faint)', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {email.body}
        </Text>
      </Stack>
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
      <Text c="dimmed" p="10px 4px">
        No support e-mail: the customer has unsubscribed from this warning.
      </Text>
    )
  return <Subject error={{ instrumentType, eisCode, errorCode }} />
}

function Subject({ error }: { error: WarningName }) {
  const subject = useQuery(automaticEmailSubjectQuery(error))
  useFailureToast(subject, 'Could not get event automatic email subject')
  if (subject.data === undefined || subject.data === null) return null
  return (
    <Stack gap={2} p="10px 4px">
      <Text c="dimmed">Support e-mail for this error (not sent)</Text>
      <Text fw={570} dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {subject.data}
      </Text>
    </Stack>
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
