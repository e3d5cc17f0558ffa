import type { HistoryEntry } from '@benchwatch/contract/events/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { alertStatuses, alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatEventTime } from '../../../lib/time/dates.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { LongText } from '../../../ui/text/long-text.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { usePrinting } from '../../../ui/use-printing.ts'
import { historyQuery } from '../events.api.ts'
import styles from './event-details.module.css'

/**
 * One history entry after the user's name: "Anna Lind" + "set status to In progress". `quote` is text that a user
 * wrote.
 */
interface HistorySentence {
  text: string
  quote: string | null
}

/**
 * Number of entries shown at first; all others appear on request and in print. A frequently repeated alarm has
 * hundreds.
 */
const LATEST = 20

/** Shows who changed this event and how, newest first. */
export function EventHistoryCard({ event }: { event: ServiceEvent }) {
  const history = useQuery(historyQuery(event))
  const [showsAll, setShowsAll] = useState(false)
  const entries = historyLines(history.data ?? [])
  const isPrinted = usePrinting() !== null
  const shown = showsAll || isPrinted ? entries : entries.slice(0, LATEST)
  return (
    <Card title="History">
      {history.isPending && <WaitingLines />}
      {history.isError && history.data === undefined && (
        <RetryLine onRetry={() => void history.refetch()}>Could not get the history.</RetryLine>
      )}
      {history.isSuccess && entries.length === 0 && <Text c="dimmed">No changes yet.</Text>}
      <Box component="ol" m={0} p={0} fz="sm">
        {shown.map((entry, index) => (
          // New entries are added at the front, so the key counts from the oldest.
          <HistoryLine key={entries.length - index} entry={entry} />
        ))}
      </Box>
      {entries.length > LATEST && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          mt={10}
          display={isPrinted ? 'none' : undefined}
          aria-expanded={showsAll}
          onClick={() => setShowsAll((whether) => !whether)}
        >
          {showsAll ? `Show the latest ${LATEST}` : `Show all ${entries.length}`}
        </Anchor>
      )}
    </Card>
  )
}

/** The time moves below the text where that would otherwise have half the width. */
function HistoryLine({ entry }: { entry: HistoryEntry }) {
  const { text, quote } = historySentence(entry)
  return (
    <Group component="li" align="baseline" gap="2px 14px" className={styles.line}>
      <Text component="div" flex="1 1 250px" miw={0}>
        <Text component="bdi" fw={600}>
          {entry.actorName}
        </Text>{' '}
        {text}
        {quote !== null && (
          <Text
            component="blockquote"
            c="dimmed"
            m="2px 0 0"
            pl={9}
            style={{ borderLeft: '2px solid var(--bw-line-strong)' }}
          >
            <LongText text={quote} />
          </Text>
        )}
      </Text>
      <Text c="dimmed" size="xs">
        <ZonedTime at={entry.at}>{formatEventTime(entry.at)}</ZonedTime>
      </Text>
    </Group>
  )
}

/** Skeleton of three lines, which nearly every event has: delivered, taken, in progress. */
function WaitingLines() {
  return (
    <Stack role="status" aria-label="Loading history…" gap={20} py={6}>
      {['70%', '52%', '61%'].map((width) => (
        <SkeletonLine key={width} width={width} />
      ))}
    </Stack>
  )
}

export function historySentence(entry: HistoryEntry): HistorySentence {
  const value = entry.newValue
  if (entry.action === 'shared')
    return { text: `shared the event${value ? ` with ${value}` : ''}`, quote: entry.reason }
  if (entry.property === 'caseStatus') return { text: changeLabel(entry), quote: entry.reason }
  if (entry.property === 'reasonClosedComment')
    return value ? { text: 'wrote the comment', quote: value } : { text: 'removed the comment', quote: null }
  return { text: changeLabel(entry), quote: null }
}

function changeLabel(entry: HistoryEntry): string {
  // A gateway delivers an event; a user creates one in the back office; the system creates one for a lost connection.
  if (entry.action === 'created') return entry.actorId === null ? 'delivered the event' : 'created the event'
  const value = entry.newValue
  switch (entry.property) {
    case 'alertStatus':
      return `set status to ${statusLabel(value)}${entry.reason ? ` - ${entry.reason}` : ''}`
    case 'claimedBy':
      return ownerLabel(entry)
    case 'reasonClosed':
      return value ? `set the reason to “${value}”` : 'removed the reason'
    case 'serviceMaxCaseNumber':
      return value ? `set the case number to ${value}` : 'removed the case number'
    case 'caseStatus':
      return `set the status of the case to ${value ?? '?'}`
    case 'serviceCase':
      if (value === null) return 'stopped creating the case'
      return value === 'requested' ? 'asked for a case' : `created case ${value}, which the event no longer waited for`
    case 'serviceMaxUrl':
      return value ? `set the case URL to ${value}` : 'removed the case URL'
    case 'latchedCount':
      return `raised it again (${value ?? '?'} repeats)`
    case 'clearedAt':
      return value ? 'returned to normal' : 'raised it again'
    case 'automaticEmailSentAt':
      return 'sent the support e-mail'
    default:
      return entry.property ? `changed ${entry.property}${value ? ` to ${value}` : ''}` : entry.action
  }
}

/** `newValue` is a user id or a name, depending on the entry. If it is the actor, the text is "became owner". */
function ownerLabel({ actorId, actorName, newValue }: HistoryEntry): string {
  if (newValue === null) return 'removed the owner'
  if (newValue === actorId || newValue === actorName) return 'became owner'
  return `set the owner to ${newValue}`
}

function statusLabel(value: string | null): string {
  const status = alertStatuses.find((known) => known === value || known.slice(2) === value)
  return status ? alertStatusLabels[status] : (value ?? 'nothing')
}

/** Returns the lines of a history, newest first. A close reason is shown beside its status and is not repeated. */
export function historyLines(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const saidBeside = (entry: HistoryEntry) =>
    entry.property === 'reasonClosed' &&
    entries.some(
      ({ at, property, reason }) => property === 'alertStatus' && at === entry.at && reason === entry.newValue,
    )
  return entries.filter((entry) => !saidBeside(entry)).reverse()
}
