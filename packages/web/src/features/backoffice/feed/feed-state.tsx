import type { GatewayFeed, ReadReplica } from '@benchwatch/contract/administration/backoffice'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { counted, reasonOf } from '../../../lib/folded.ts'
import { formatTooltipTime } from '../../../lib/time/dates.ts'
import { agePhrase } from '../../../lib/time/duration.ts'
import type { Column } from '../../../ui/list/list-columns.ts'
import { TableCard } from '../../../ui/list/table-card.tsx'
import { showFailure, showSuccess } from '../../../ui/overlay/toasts.ts'
import { TwoLines } from '../../../ui/text/fact.tsx'
import { EmptyState } from '../../../ui/text/notice.tsx'
import { StatusMark, type StatusTone } from '../../../ui/text/status-mark.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { gatewayFeedsQuery, readReplicaQuery, useInjectTests } from '../backoffice.api.ts'
import styles from './feed-state.module.css'

/** Labels of the feed states. The state is never shown by colour alone. */
const feedStateLabels: Record<GatewayFeed['state'], { tone: StatusTone; word: string; means: string }> = {
  heard: { tone: 'good', word: 'Online', means: 'Messages arrive on time.' },
  late: { tone: 'warning', word: 'Late', means: 'No message for a while, or messages arrive late.' },
  silent: { tone: 'lost', word: 'Silent', means: 'No message for so long that the connection counts as lost.' },
  never: { tone: 'waiting', word: 'Never online', means: 'No message received yet.' },
}

type LastTest = NonNullable<GatewayFeed['lastTest']>

const testLabels: Record<LastTest['result'], { tone: StatusTone; word: string }> = {
  arrived: { tone: 'good', word: 'Arrived' },
  late: { tone: 'warning', word: 'Late' },
  missing: { tone: 'lost', word: 'Missing' },
  waiting: { tone: 'waiting', word: 'In progress' },
}

type Link = GatewayFeed['links'][number]

const urgency: Record<GatewayFeed['state'], number> = { silent: 0, late: 1, never: 2, heard: 3 }

/**
 * Shows for each gateway the state of its feed, gaps, duplicates, parked items and the result of the last test, and how
 * far the read replica is behind, if there is one. Polls every 10 seconds.
 */
export function FeedState() {
  const feeds = useQuery(gatewayFeedsQuery())
  const replica = useQuery(readReplicaQuery())
  const inject = useInjectTests()
  const now = useNow()

  async function handleTest() {
    try {
      const { gateways } = await inject.mutateAsync(undefined)
      showSuccess({
        title: gateways === 1 ? 'Test sent through 1 gateway' : `Tests sent through ${gateways} gateways`,
        message: 'Results are shown here.',
      })
    } catch (error) {
      showFailure({ title: 'Could not send a test', message: reasonOf(error) })
    }
  }

  const summary = feeds.data === undefined ? null : feedSummary(feeds.data)
  return (
    <Stack gap={14}>
      <Group justify="space-between" gap="10px 16px">
        <Text c="dimmed">
          {feeds.data === undefined
            ? 'State of each gateway, updated every 10 seconds.'
            : `${counted(feeds.data.length, 'gateway')}: ${summary ?? 'all online'}. Gaps and duplicates of the last 24 hours. Updated every 10 seconds.`}
        </Text>
        <Button loading={inject.isPending} onClick={() => void handleTest()}>
          Run a test now
        </Button>
      </Group>
      {replica.data && <ReplicaState replica={replica.data} />}
      <div className={styles.feed}>
        <TableCard
          label="State of the feed"
          columns={columnsAt(now)}
          rowKey={({ gateway }) => gateway}
          answer={{ ...feeds, data: feeds.data && worstFirst(feeds.data) }}
          failureTitle="Could not get the state of the feed"
          empty={
            <EmptyState title="No gateways">No gateway is registered for the customers that you can see.</EmptyState>
          }
        />
      </div>
    </Stack>
  )
}

/** One link of a gateway; why it is down, and its last faulty message, are below its name. */
function FeedLink({ link }: { link: Link }) {
  const notes = linkNotes(link)
  return (
    <Text component="div" size="xs" title={`Since ${formatTooltipTime(link.since)}`}>
      <StatusMark tone={link.state === 'up' ? 'good' : 'lost'}>
        {link.name === link.kind ? link.name : `${link.name} (${link.kind})`} {link.state}
      </StatusMark>
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </Text>
  )
}

/** Returns the sentences about a link: why it is down, and messages that became no report. */
export function linkNotes({ reason, unmatched, faulty, lastFault }: Link): string[] {
  return [
    ...(reason === null ? [] : [reason]),
    ...(unmatched === 0 ? [] : [`${counted(unmatched, 'message')} matched no rule.`]),
    ...(faulty === 0
      ? []
      : [`${counted(faulty, 'message')} could not be read.${lastFault ? ` Last: ${lastFault}` : ''}`]),
  ]
}

function ReplicaState({ replica }: { replica: ReadReplica }) {
  const { tone, word, text } = replicaLabel(replica) ?? {}
  if (tone === undefined) return null
  return (
    <Group gap="4px 10px">
      <Text fw={500}>Read replica</Text>
      <StatusMark tone={tone}>{word}</StatusMark>
      <Text c="dimmed">{text}</Text>
    </Group>
  )
}

/** Describes the read replica; null if there is none. */
export function replicaLabel({
  state,
  lagSeconds,
  maxLagSeconds,
}: ReadReplica): { tone: StatusTone; word: string; text: string } | null {
  const instead = 'Key figures, reports and exports are read from the primary database.'
  const lag = secondsLabel(lagSeconds ?? 0)
  switch (state) {
    case 'none':
      return null
    case 'used':
      return { tone: 'good', word: 'In use', text: lag === '0 s' ? 'It has all changes.' : `It is ${lag} behind.` }
    case 'behind':
      return {
        tone: 'warning',
        word: 'Behind',
        text: `Lag ${lag}, limit ${secondsLabel(maxLagSeconds ?? 0)}. ${instead}`,
      }
    case 'away':
      return { tone: 'lost', word: 'Not available', text: instead }
  }
}

const count = (number: number) => (
  <Text span inherit c={number === 0 ? 'dimmed' : undefined}>
    {number.toLocaleString('en')}
  </Text>
)

const columnsAt = (now: number): Column<GatewayFeed>[] => [
  {
    key: 'gateway',
    label: 'Gateway',
    grow: 2.3,
    cell: ({ gateway, customer, instruments, links }) => (
      <>
        <TwoLines
          second={
            <>
              <bdi>{customer}</bdi> · {counted(instruments, 'instrument')}
            </>
          }
        >
          <strong>{gateway}</strong>
        </TwoLines>
        {links.map((link) => (
          <FeedLink key={link.name} link={link} />
        ))}
      </>
    ),
  },
  {
    key: 'state',
    label: 'State',
    cell: ({ state }) => (
      <span title={feedStateLabels[state].means}>
        <StatusMark tone={feedStateLabels[state].tone}>{feedStateLabels[state].word}</StatusMark>
      </span>
    ),
  },
  {
    key: 'last',
    label: 'Last message',
    cell: ({ lastMessageAt }) =>
      lastMessageAt === null ? 'Never' : <ZonedTime at={lastMessageAt}>{agePhrase(lastMessageAt, now)}</ZonedTime>,
  },
  {
    key: 'lag',
    label: 'Lag',
    grow: 0.7,
    isNumber: true,
    cell: ({ lagSeconds }) => (lagSeconds === null ? '–' : secondsLabel(lagSeconds)),
  },
  { key: 'gaps', label: 'Gaps', grow: 0.6, isNumber: true, cell: ({ gaps }) => count(gaps) },
  { key: 'duplicates', label: 'Duplicates', grow: 0.7, isNumber: true, cell: ({ duplicates }) => count(duplicates) },
  {
    key: 'parked',
    label: 'Parked',
    grow: 0.6,
    isNumber: true,
    cell: ({ parked, gateway }) =>
      parked === 0 ? (
        count(0)
      ) : (
        <Link
          to="/backoffice"
          search={{ tool: 'parked', gateway }}
          aria-label={`${counted(parked, 'parked item')} of ${gateway}`}
        >
          {parked.toLocaleString('en')}
        </Link>
      ),
  },
  {
    key: 'test',
    label: 'Last test',
    grow: 1.5,
    cell: ({ lastTest }) =>
      lastTest === null ? (
        'None yet'
      ) : (
        <TwoLines
          title={formatTooltipTime(lastTest.at)}
          second={`${lastTest.seconds === null ? '' : `after ${secondsLabel(lastTest.seconds)}, `}${agePhrase(lastTest.at, now)}`}
        >
          <StatusMark tone={testLabels[lastTest.result].tone}>{testLabels[lastTest.result].word}</StatusMark>
        </TwoLines>
      ),
  },
]

/** Formats seconds, e.g. `0.8 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. Negative if the gateway's clock is ahead. */
export function secondsLabel(seconds: number): string {
  const sign = seconds < 0 ? '−' : ''
  const length = Math.abs(seconds)
  if (length < 10) return `${sign}${Math.round(length * 10) / 10} s`
  const whole = Math.round(length)
  if (whole < 60) return `${sign}${whole} s`
  const [size, large, small] = whole < 3600 ? ([60, 'min', 's'] as const) : ([3600, 'h', 'min'] as const)
  const rest = Math.floor((whole % size) / (size / 60))
  return `${sign}${Math.floor(whole / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
}

/** Counts abnormal states of gateways and links, e.g. '2 late, 1 silent, 1 link down'; null if all is well. */
export function feedSummary(feeds: readonly Pick<GatewayFeed, 'state' | 'links'>[]): string | null {
  const counts = (['late', 'silent', 'never'] as const).flatMap((state) => {
    const count = feeds.filter((feed) => feed.state === state).length
    return count === 0 ? [] : [`${count} ${feedStateLabels[state].word.toLowerCase()}`]
  })
  const down = feeds.flatMap(({ links }) => links).filter(({ state }) => state === 'down').length
  if (down > 0) counts.push(`${counted(down, 'link')} down`)
  return counts.length === 0 ? null : counts.join(', ')
}

/** Sorts gateways that need attention first. Keeps the order within a state. */
export function worstFirst<Feed extends Pick<GatewayFeed, 'state' | 'parked' | 'links'>>(
  feeds: readonly Feed[],
): Feed[] {
  const needs = ({ parked, links }: Feed) =>
    Number(parked > 0) + 2 * Number(links.some(({ state }) => state === 'down'))
  return feeds.toSorted((a, b) => urgency[a.state] - urgency[b.state] || needs(b) - needs(a))
}
