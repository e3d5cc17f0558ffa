import type { Explanation, Notification } from '@benchwatch/contract/messages/notifications'
import {
  type NotificationCategory,
  type NotificationKind,
  notificationCategories,
} from '@benchwatch/contract/vocabulary'

/** Returns a notification of one user about a new event, sent by e-mail. */
export function aNotification(overrides: Partial<Notification> = {}): Notification {
  return {
    id: '1',
    kind: 'new_event_notification',
    channel: 'email',
    event: {
      id: '104882',
      eventId: '104882',
      severity: 'high',
      description: 'Pressure above limit, pump B (P9-B).',
      instrumentInstalledProductId: 'IP-20431187',
    },
    userId: '2',
    userName: 'Anna Lind',
    to: 'anna.lind@benchwatch.example',
    state: 'sent',
    decidedAt: '2026-11-20T13:58:24.000Z',
    sentAt: '2026-11-20T13:58:26.000Z',
    attempts: 1,
    reason: null,
    eventsInMessage: 1,
    ...overrides,
  }
}

const found: Record<NotificationCategory, string | null> = {
  alertType: '1',
  severity: 'high',
  customer: 'Helix Biologics',
  instrumentType: 'AKTAPure',
  region: 'Europe',
  country: 'Sweden',
  siteCity: 'Uppsala',
  componentName: 'Pump B (P9-B)',
  instrumentStatus: 'method run',
  contractSLA: 'Platinum 24/7',
  qualifiedSystem: 'true',
}

/** Returns an explanation for an e-mail; with `stoppedBy`, a category with other criteria stops it. */
export function anExplanation(
  kind: NotificationKind,
  { stoppedBy, ...overrides }: Partial<Explanation> & { stoppedBy?: NotificationCategory } = {},
): Explanation {
  return {
    kind,
    isNotified: stoppedBy === undefined,
    decidedBy: stoppedBy ?? null,
    sentence:
      stoppedBy === undefined
        ? 'The profile now accepts this event, by e-mail.'
        : 'The profile now requires something else.',
    checks: notificationCategories.map(({ key }) => ({
      category: key,
      wanted: key === stoppedBy ? ['low'] : [],
      found: found[key],
      passes: key !== stoppedBy,
    })),
    ways: ['email'],
    notifications: stoppedBy === undefined ? [aNotification({ kind })] : [],
    ...overrides,
  }
}
