import {
  type NotificationCategory,
  type NotificationChannel,
  type NotificationState,
  notificationCategories,
} from '@benchwatch/contract/notification-vocabulary'
import type { Explanation, Notification } from '@benchwatch/contract/notifications'
import { alertTypeLabels, instrumentTypeLabels, severityNames } from '@benchwatch/contract/vocabulary'
import type { StatusTone } from '../../ui/status-mark.tsx'

/** What is told of notifications, in words. */

export const channelLabels: Record<NotificationChannel, string> = { email: 'E-mail', sms: 'SMS' }

export const stateMarks: Record<NotificationState, { tone: StatusTone; words: string }> = {
  held: { tone: 'waiting', words: 'Held' },
  collected: { tone: 'waiting', words: 'Collected' },
  waiting: { tone: 'waiting', words: 'On its way' },
  sent: { tone: 'good', words: 'Sent' },
  failed: { tone: 'warning', words: 'Failed' },
  withdrawn: { tone: 'off', words: 'Withdrawn' },
}

/** 'in a list of 12' for what went out with others; null for a message of its own. */
export function listWords({ eventsInMessage }: Pick<Notification, 'eventsInMessage'>): string | null {
  return eventsInMessage === null || eventsInMessage < 2 ? null : `in a list of ${eventsInMessage.toLocaleString('en')}`
}

/** 'E-mail and SMS' */
export function waysWords(ways: Explanation['ways']): string {
  return ways.map((way) => channelLabels[way]).join(' and ')
}

export function categoryLabel(category: NotificationCategory): string {
  return notificationCategories.find(({ key }) => key === category)?.label ?? category
}

const words: Partial<Record<NotificationCategory, Readonly<Record<string, string>>>> = {
  alertType: alertTypeLabels,
  severity: severityNames,
  instrumentType: instrumentTypeLabels,
  qualifiedSystem: { true: 'Yes', false: 'No' },
}

/** A value of a category as people read it: 'High' for high. */
export function valueLabel(category: NotificationCategory, value: string): string {
  return words[category]?.[value] ?? value
}
