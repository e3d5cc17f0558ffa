import type { Explanation, Notification } from '@benchwatch/contract/notifications'
import {
  alertTypeLabels,
  instrumentTypeLabels,
  type NotificationCategory,
  type NotificationChannel,
  notificationCategories,
  notificationKindLabels,
  type NotificationState as State,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import type { ReactNode } from 'react'
import { formatEventTime } from '../../lib/time/dates.ts'
import { StatusMark, type StatusTone } from '../../ui/text/status-mark.tsx'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import styles from './notification-state.module.css'

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
  instrumentType: instrumentTypeLabels,
  qualifiedSystem: { true: 'Yes', false: 'No' },
}

/** Shows the state of a notification: icon, label, whether it was part of a digest, and why it was not sent. */
export function NotificationState({ notification, children }: { notification: Notification; children?: ReactNode }) {
  const { tone, label } = stateMarks[notification.state]
  const list = listLabel(notification)
  return (
    <span className={styles.state}>
      <StatusMark tone={tone}>
        <span className={styles.word}>{label}</span>
        <span className={styles.beside}>
          {list !== null && ` ${list}`}
          {children}
        </span>
      </StatusMark>
      {notification.reason !== null && <span className={styles.reason}>{notification.reason}</span>}
    </span>
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
export function valueLabel(category: NotificationCategory, value: string): string {
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
    <div className={styles.room}>
      <ul className={styles.lines}>
        {props.notifications.map((notification) => (
          <li key={notification.id}>
            <div className={styles.what}>
              {props.showsWho && <bdi className={styles.who}>{notification.userName}</bdi>}
              <div>
                {channelLabels[notification.channel]} to <bdi>{notification.to}</bdi>
              </div>
              <NotificationState notification={notification}>
                {props.showsKind && ` · ${notificationKindLabels[notification.kind]}`}
              </NotificationState>
            </div>
            <NotificationTime notification={notification} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shows when the message was sent, or when it was queued if it is not sent yet. */
export function NotificationTime({ notification: { sentAt, decidedAt } }: { notification: Notification }) {
  const at = sentAt ?? decidedAt
  return <ZonedTime at={at}>{formatEventTime(at)}</ZonedTime>
}
