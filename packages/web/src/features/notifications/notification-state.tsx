import type { Explanation, Notification } from '@benchwatch/contract/messages/notifications'
import {
  alertTypeLabels,
  type NotificationCategory,
  type NotificationChannel,
  notificationCategories,
  notificationKindLabels,
  type NotificationState as State,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { Box, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type KnownTypes, typeLabel } from '../../lib/instrument-type.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { StatusMark, type StatusTone } from '../../ui/text/status-mark.tsx'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'

export const channelLabels: Record<NotificationChannel, string> = { email: 'E-mail', sms: 'SMS' }

const stateMarks: Record<State, { tone: StatusTone; label: string }> = {
  held: { tone: 'waiting', label: 'Held' },
  collected: { tone: 'waiting', label: 'Collected' },
  waiting: { tone: 'waiting', label: 'Queued' },
  sent: { tone: 'good', label: 'Sent' },
  failed: { tone: 'warning', label: 'Failed' },
  withdrawn: { tone: 'off', label: 'Withdrawn' },
}

const valueLabels: Partial<Record<NotificationCategory, Readonly<Record<string, string>>>> = {
  alertType: alertTypeLabels,
  severity: severityNames,
  qualifiedSystem: { true: 'Yes', false: 'No' },
}

/** Shows the state of a notification: icon, label, whether it was part of a digest, and why it was not sent. */
export function NotificationState({ notification, children }: { notification: Notification; children?: ReactNode }) {
  const { tone, label } = stateMarks[notification.state]
  const list = listLabel(notification)
  return (
    <div>
      <StatusMark tone={tone}>
        <Text span inherit fw={560}>
          {label}
        </Text>
        <Text span inherit c="dimmed">
          {list !== null && ` ${list}`}
          {children}
        </Text>
      </StatusMark>
      {notification.reason !== null && (
        // Aligned with the label, not with the icon.
        <Text size="xs" c="dimmed" pl={18} style={{ overflowWrap: 'anywhere' }}>
          {notification.reason}
        </Text>
      )}
    </div>
  )
}

/** 'in a list of 12' for a digest; null for a message about one event. */
function listLabel({ eventsInMessage }: Pick<Notification, 'eventsInMessage'>): string | null {
  return eventsInMessage === null || eventsInMessage < 2 ? null : `in a list of ${eventsInMessage.toLocaleString('en')}`
}

/** 'E-mail and SMS' */
export function channelsLabel(ways: Explanation['ways']): string {
  return ways.map((way) => channelLabels[way]).join(' and ')
}

export function categoryLabel(category: NotificationCategory): string {
  return notificationCategories.find(({ key }) => key === category)?.label ?? category
}

/** The label of a value, e.g. 'High' for high. */
export function valueLabel(category: NotificationCategory, value: string, types: KnownTypes): string {
  if (category === 'instrumentType') return typeLabel(types, value)
  return valueLabels[category]?.[value] ?? value
}

/**
 * Lists the notifications of one event: channel, recipient, state and time. `showsWho` is true if they are of several
 * users.
 */
export function NotificationLines(props: {
  notifications: readonly Notification[]
  showsWho: boolean
  showsKind: boolean
}) {
  return (
    <Box component="ul" m={0} p={0} fz="sm" style={{ listStyle: 'none' }}>
      {props.notifications.map((notification, index) => (
        <Group
          component="li"
          key={notification.id}
          justify="space-between"
          align="baseline"
          gap="2px 14px"
          py={7}
          style={{ borderTop: index > 0 ? '1px solid var(--bw-line-faint)' : undefined }}
        >
          <Stack gap={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {props.showsWho && (
              <Text fw={600}>
                <bdi>{notification.userName}</bdi>
              </Text>
            )}
            <div>
              {channelLabels[notification.channel]} to <bdi>{notification.to}</bdi>
            </div>
            <NotificationState notification={notification}>
              {props.showsKind && ` · ${notificationKindLabels[notification.kind]}`}
            </NotificationState>
          </Stack>
          <Text span size="xs" c="dimmed">
            <NotificationTime notification={notification} />
          </Text>
        </Group>
      ))}
    </Box>
  )
}

/** Shows when the message was sent, or when it was queued if it is not sent yet. */
export function NotificationTime({ notification: { sentAt, decidedAt } }: { notification: Notification }) {
  const at = sentAt ?? decidedAt
  return <ZonedTime at={at}>{formatEventTime(at)}</ZonedTime>
}
