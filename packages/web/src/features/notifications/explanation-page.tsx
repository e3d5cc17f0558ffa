import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { Explanation } from '@benchwatch/contract/messages/notifications'
import { notificationKindLabels } from '@benchwatch/contract/vocabulary'
import { Anchor, Badge, Box, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isNotFound } from '../../lib/http.ts'
import { useInstrumentTypes } from '../../lib/instrument-type.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Breadcrumb, PageHeader } from '../../ui/layout/page-frame.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { Chevron } from '../../ui/text/chevron.tsx'
import { EmptyState, ErrorState, RetryLine } from '../../ui/text/notice.tsx'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import { detailsQuery } from '../events/events.api.ts'
import { SeverityBadge } from '../events/status/severity-badge.tsx'
import { NotificationLines } from './notification-state.tsx'
import { explanationQuery } from './notifications.api.ts'
import styles from './notifications.module.css'
import { type ChosenUser, PersonChoice, useChosenUser, useUserName } from './person-choice.tsx'
import { type Check, checksIn, deciderLabel, type Outcome, verdictOf } from './verdict.ts'

const shapes: Record<Outcome, ReactNode> = {
  notified: <path d="M5.5 10.4 8.6 13.5 14.6 6.8" />,
  coming: <path d="M10 5.4V10l3 2" />,
  'not-notified': <path d="M6.6 6.6l6.8 6.8M13.4 6.6l-6.8 6.8" />,
  lost: <path d="M10 5.6v5.2M10 13.9v.2" />,
}

/**
 * Explains why a user was or was not notified of an event. `eventId` is the event's digits, `userId` is from the
 * address and null for the viewer; `onPerson` changes it.
 */
export function ExplanationPage(props: {
  eventId: string
  userId: string | null
  onPerson: (userId: string | null) => void
}) {
  const event = useQuery(detailsQuery(props.eventId))
  const chosen = useChosenUser(props.userId)
  const knownName = useUserName(chosen.state === 'known' ? chosen.userId : null)
  const explanation = useQuery({
    ...explanationQuery(props.eventId, chosen.state === 'known' ? chosen.userId : null),
    enabled: chosen.state === 'known',
  })
  const answered = explanation.data
  const isOwn = chosen.state !== 'known' || chosen.userId === null
  const name = isOwn ? null : (knownName ?? answered?.userName ?? null)
  const isMissing = isNotFound(event.error)

  return (
    <Stack gap={12}>
      <PageHeader
        crumbs={
          <Breadcrumb
            link={
              <Link to="/events/$eventId" params={{ eventId: props.eventId }} className={styles.why}>
                <Chevron to="left" /> {eventName(props)}
              </Link>
            }
            current="Notifications"
          />
        }
        title={isOwn ? 'Why did I (not) get this?' : `Why did ${name ?? 'this user'} (not) get this?`}
      />
      {isMissing ? (
        <Card>
          <ErrorState title="Event could not be found.">
            It may have been deleted, or it belongs to a customer that you can’t see. Check the number in the address.
          </ErrorState>
        </Card>
      ) : (
        <>
          <Paper component="section" withBorder shadow="xs" mih={62} p="12px 16px" aria-label="Event">
            <Group justify="space-between" gap="12px 32px">
              {event.data === undefined && event.isError ? (
                <RetryLine onRetry={() => void event.refetch()}>Could not get event.</RetryLine>
              ) : (
                <EventLine event={event.data} />
              )}
              {chosen.state === 'known' && chosen.mayChoose && (
                <PersonChoice userId={chosen.userId} name={name} onChoose={props.onPerson} />
              )}
            </Group>
          </Paper>
          <Answer chosen={chosen} onOwn={() => props.onPerson(null)} explanation={explanation}>
            {answered && (
              <>
                <Verdicts>
                  {answered.explanations.map((one) => (
                    <VerdictCard key={`${answered.userId} ${one.kind}`} explanation={one} name={name} />
                  ))}
                </Verdicts>
                <Text c="dimmed" px={2}>
                  Checked with the current profile, data scope and flags.{' '}
                  {isOwn ? (
                    <>
                      Choose your notifications in the{' '}
                      <Link to="/settings" style={UNDERLINED}>
                        settings
                      </Link>
                      . See also your{' '}
                      <Link to="/notifications" style={UNDERLINED}>
                        notification history
                      </Link>
                      .
                    </>
                  ) : (
                    <Link to="/notifications" search={{ user: answered.userId }} style={UNDERLINED}>
                      Notification history of {name ?? 'this user'}
                    </Link>
                  )}
                </Text>
              </>
            )}
          </Answer>
        </>
      )}
    </Stack>
  )
}

/** Links in a sentence are not marked by colour alone. */
const UNDERLINED = { textDecoration: 'underline', textUnderlineOffset: 2 }

function Verdicts(props: { children: ReactNode; role?: 'status'; 'aria-label'?: string }) {
  return <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={12} style={{ alignItems: 'start' }} {...props} />
}

/** Summarises the event: severity, number, description, instrument and time. */
function EventLine({ event }: { event: ServiceEvent | undefined }) {
  if (event === undefined) return <Text c="dimmed">Loading event…</Text>
  const instrument = event.instrumentProductDescription ?? event.gatewayName
  return (
    <Stack gap={3} flex="1 1 420px" miw={0}>
      <Group gap="2px 10px" align="baseline">
        <SeverityBadge severity={event.severity} />
        <Text span fw={600}>
          <Link to="/events/$eventId" params={{ eventId: event.eventId }}>
            {eventName(event)}
          </Link>
        </Text>
        <Text span flex="1 1 200px" miw={0} fz="md" lineClamp={2} dir="auto" title={event.description}>
          {event.description}
        </Text>
      </Group>
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {instrument !== null && <bdi>{instrument}</bdi>}
        {instrument !== null && ' · '}
        {event.instrumentInstalledProductId} · <bdi>{event.enterpriseName}</bdi> ·{' '}
        <ZonedTime at={event.createdAt} siteZone={event.siteTimeZone}>
          {formatEventTime(event.createdAt)}
        </ZonedTime>
      </Text>
    </Stack>
  )
}

/** Shows the verdicts, or why there are none. */
function Answer(props: {
  chosen: ChosenUser
  onOwn: () => void
  explanation: { error: Error | null; data: unknown; refetch: () => unknown }
  children: ReactNode
}) {
  const { chosen, explanation, children } = props
  const own = { label: 'Show your own', onClick: props.onOwn }
  if (chosen.state === 'refused')
    return (
      <Card>
        <EmptyState title="You can see only your own" action={own}>
          Only support and administrators can see why other users were or were not notified.
        </EmptyState>
      </Card>
    )
  const failure = chosen.state === 'unknown' ? chosen.error : explanation.error
  if (children) return children
  if (failure === null)
    return (
      <Verdicts role="status" aria-label="Loading explanation…">
        <WaitingVerdict title={notificationKindLabels.new_event_notification} checks={16} />
        <WaitingVerdict title={notificationKindLabels.assign_me_notification} checks={18} />
      </Verdicts>
    )
  return (
    <Card>
      {isNotFound(failure) ? (
        <EmptyState title="User not found" action={own}>
          The user in the address does not exist, or you can’t see them.
        </EmptyState>
      ) : (
        <ErrorState
          title="Could not get the explanation"
          onRetry={() => void (chosen.state === 'unknown' ? chosen.retry() : explanation.refetch())}
        >
          {failure.message}
        </ErrorState>
      )}
    </Card>
  )
}

/** The verdict for one profile: result, deciding check, messages and all checks. */
function VerdictCard({ explanation, name }: { explanation: Explanation; name: string | null }) {
  const { outcome, title, sinceThen } = verdictOf(explanation, name)
  const decider = deciderLabel(explanation)
  return (
    <Card title={notificationKindLabels[explanation.kind]}>
      <Group className={styles.verdict} align="flex-start" wrap="nowrap" gap={13} p="14px 15px" data-outcome={outcome}>
        <Mark outcome={outcome} />
        <Stack gap={3} miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Text size="lg" fw={650} lh="28px">
            <bdi>{title}</bdi>
          </Text>
          <Text dir="auto">{explanation.sentence}</Text>
          {sinceThen !== null && <Text c="dimmed">{sinceThen}</Text>}
          {decider !== null && (
            <Text mt={5}>
              Decided by{' '}
              <Badge component="strong" variant="default" fw={620}>
                {decider}
              </Badge>
            </Text>
          )}
        </Stack>
      </Group>
      {explanation.notifications.length > 0 && (
        <>
          <PartTitle>Messages</PartTitle>
          <NotificationLines notifications={explanation.notifications} showsWho={false} showsKind={false} />
        </>
      )}
      <PartTitle>Checks</PartTitle>
      <CheckTable
        label={`Checks: ${notificationKindLabels[explanation.kind]}`}
        checks={checksIn(explanation, useInstrumentTypes())}
      />
    </Card>
  )
}

function PartTitle({ children }: { children: string }) {
  return (
    <Text component="h3" size="xs" fw={570} c="dimmed" mt={16} mb={3}>
      {children}
    </Text>
  )
}

/** An icon for each outcome. The text beside it says the same. */
function Mark({ outcome }: { outcome: Outcome }) {
  return (
    <svg viewBox="0 0 20 20" width="28" height="28" aria-hidden="true">
      <circle cx="10" cy="10" r="9.2" fill="currentColor" />
      <g fill="none" stroke="var(--bw-panel)" strokeWidth="1.9" strokeLinecap="round" strokeLinejoin="round">
        {shapes[outcome]}
      </g>
    </svg>
  )
}

/** The loading state, as high as the verdict. `checks` is the number of rows of its table. */
function WaitingVerdict({ title, checks }: { title: string; checks: number }) {
  return (
    <div aria-hidden="true">
      <Card title={title}>
        <Stack className={styles.verdict} gap={14} p="20px 15px">
          <Skeleton h={10} w={150} />
          <Skeleton h={10} w={280} />
        </Stack>
        {Array.from({ length: checks + 1 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
          <Skeleton key={index} h={10} mt={23} w={`${88 - ((index * 17) % 50)}%`} />
        ))}
      </Card>
    </div>
  )
}

/** Lists every check in order: whether it passes, the profile's values and the event's value. */
function CheckTable({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <Box className={styles.checks}>
      <DataTable
        label={label}
        columns={columns}
        rows={checks}
        rowKey={({ gate }) => gate}
        isShort
        marksOf={({ result, isDecisive }) => ({ 'data-result': result, 'data-decisive': isDecisive || undefined })}
      />
    </Box>
  )
}

const columns: readonly Column<Check>[] = [
  { key: 'check', label: 'Check', grow: 1.6, cell: (check) => <Result check={check} /> },
  {
    key: 'wanted',
    label: 'Profile selects',
    cell: ({ wanted }) => wanted !== null && <SelectedValues values={wanted} />,
  },
  {
    key: 'found',
    label: 'Found',
    cell: ({ wanted, found }) =>
      found === null ? <Quiet>{wanted === null ? 'Not checked' : 'None'}</Quiet> : <bdi>{found}</bdi>,
  },
]

const results = {
  passes: { label: 'Passes', shape: 'M2 6.4 4.8 9.2 10 3' },
  stops: { label: 'Does not pass', shape: 'M2.6 2.6l6.8 6.8M9.4 2.6 2.6 9.4' },
  // The next cell says 'Not checked'.
  'not-checked': { label: '', shape: 'M2.5 6h7' },
} as const

function Result({ check }: { check: Check }) {
  const { label, shape } = results[check.result]
  return (
    <Group component="span" align="baseline" gap="0 9px">
      <svg viewBox="0 0 12 12" width="12" height="12" style={{ alignSelf: 'center' }} aria-hidden="true">
        <path
          d={shape}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <Text span fw={560} flex="1 1 90px">
        {check.label}
      </Text>
      <Text
        span
        size="xs"
        c={check.isDecisive ? 'var(--bw-high-ink)' : 'dimmed'}
        fw={check.isDecisive ? 620 : undefined}
      >
        {check.isDecisive ? 'Decided' : label}
      </Text>
    </Group>
  )
}

/** Further values are hidden; a profile may contain hundreds. */
const FIRST = 3

function SelectedValues({ values }: { values: readonly string[] }) {
  const [showsAll, setShowsAll] = useState(false)
  if (values.length === 0) return <Quiet>Any</Quiet>
  const isCut = values.length > FIRST + 1
  const shown = showsAll || !isCut ? values : values.slice(0, FIRST)
  return (
    <>
      {shown.map((value, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <bdi>{value}</bdi>
        </span>
      ))}
      {isCut && (
        <>
          {' '}
          <Anchor
            component="button"
            type="button"
            inherit
            underline="always"
            py={{ base: 13, md: 4 }}
            my={{ base: -6, md: 0 }}
            aria-expanded={showsAll}
            onClick={() => setShowsAll((shown) => !shown)}
          >
            {showsAll ? 'less' : `and ${values.length - FIRST} more`}
          </Anchor>
        </>
      )}
    </>
  )
}

function Quiet({ children }: { children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}
