import type { NotificationSettings, previewProfile } from '@benchwatch/contract/messages/profiles'
import type { RouteTypes } from '@benchwatch/contract/route'
import { type NotificationGate, type NotificationKind, notificationCategories } from '@benchwatch/contract/vocabulary'
import { Box, Button, Paper, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { counted } from '../../lib/folded.ts'
import { Chevron } from '../../ui/text/chevron.tsx'
import { RetryLine } from '../../ui/text/notice.tsx'
import { ShortEventTable } from '../events/details/short-event-table.tsx'
import { useViewer } from '../events/owner/use-viewer.ts'
import { previewQuery } from './profiles.api.ts'

type PreviewAnswer = RouteTypes<typeof previewProfile>['answer']

const otherGates: Partial<Record<NotificationGate, { label: string; hint: string }>> = {
  'own-assignment': {
    label: 'your own assignment',
    hint: 'You are only notified about events that others assign to you.',
  },
  'alarm-test': {
    label: 'the alarm chain test',
    hint: 'Tests send no notifications. A missing test does.',
  },
  'under-review': {
    label: 'the review of their e-mail template',
    hint: 'Notifications start when the review is finished.',
  },
  'no-address': {
    label: 'a missing address or number',
    hint: 'Select an address above, or ask an administrator to add your mobile number.',
  },
}

/** "What would this have sent?" Loads when opened and then follows the edits. */
export function ProfilePreview(props: {
  profileId: string
  kind: NotificationKind
  settings: NotificationSettings
  isNotifying: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <Box mt={14}>
      <Button
        variant="subtle"
        px={6}
        ml={-6}
        leftSection={<Chevron to={isOpen ? 'down' : 'right'} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        What would this have sent?
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Preview {...props} />}
      </div>
    </Box>
  )
}

/** The debounce for edits. */
const PAUSE_MS = 500

function Preview(props: {
  profileId: string
  kind: NotificationKind
  settings: NotificationSettings
  isNotifying: boolean
}) {
  const viewer = useViewer()
  // Debounces the JSON text, because an equal but new object is not a change.
  const [debounced] = useDebouncedValue(JSON.stringify(props.settings), PAUSE_MS)
  const preview = useQuery(previewQuery(props.profileId, JSON.parse(debounced) as NotificationSettings))
  const found = preview.data
  const isStale = debounced !== JSON.stringify(props.settings) || preview.isPlaceholderData
  if (preview.isError && !preview.isFetching)
    return (
      <RetryLine onRetry={() => void preview.refetch()}>Could not get the preview. {preview.error.message}</RetryLine>
    )
  return (
    <>
      <Text fw={560} pt={6} pb={8} role="status">
        {found === undefined ? 'Checking the last 7 days…' : sentLabel(found)}
        {found !== undefined && isStale && (
          <Text span c="dimmed">
            {' '}
            Updating…
          </Text>
        )}
      </Text>
      {found?.sent === 0 ? (
        <Text c="dimmed">{emptyLabel(found, props)}</Text>
      ) : (
        // Scrolls, so that a long list does not push the rest of the form away.
        <Paper withBorder radius={8} mah={384} style={{ overflowY: 'auto' }}>
          <ShortEventTable rows={found?.values} viewer={viewer} showsInstrument isStale={isStale} />
        </Paper>
      )}
    </>
  )
}

/** '31 events in the last 7 days, the newest 20:' */
export function sentLabel({ sent, days, values }: Pick<PreviewAnswer, 'sent' | 'days' | 'values'>): string {
  const events = counted(sent, 'event')
  const newest = sent > values.length && values.length > 0 ? `, the newest ${values.length} of them:` : ''
  return `${events} in the last ${days} days${newest}`
}

/** Explains why nothing would have been sent: what excluded most events, and what to do. */
export function emptyLabel(
  { days, stopped }: Pick<PreviewAnswer, 'days' | 'stopped'>,
  { kind, isNotifying }: { kind: NotificationKind; isNotifying: boolean },
): string {
  if (!isNotifying) return 'No channel is on, so nothing would have been sent.'
  const all = stopped.reduce((sum, { events }) => sum + events, 0)
  const most = stopped[0]
  if (most === undefined)
    return kind === 'assign_me_notification'
      ? `No event was assigned to you in the last ${days} days.`
      : `No event that you can see was raised in the last ${days} days.`
  return `${stopLabel(most.gate, { events: most.events, all })} ${gateHint(most.gate)}`
}

function stopLabel(gate: NotificationGate, { events, all }: { events: number; all: number }): string {
  const share =
    events === all
      ? all === 1
        ? 'The only event was'
        : `All ${counted(all, 'event')} were`
      : `${events.toLocaleString('en')} of ${counted(all, 'event')} were`
  return `${share} excluded by ${gateLabel(gate)}.`
}

/** The name of a gate within a sentence. */
function gateLabel(gate: NotificationGate): string {
  const category = notificationCategories.find(({ key }) => key === gate)
  if (category !== undefined) return `the filter ${category.label}`
  return otherGates[gate]?.label ?? 'your access'
}

function gateHint(gate: NotificationGate): string {
  return otherGates[gate]?.hint ?? 'Select more values, or none, to include them.'
}
