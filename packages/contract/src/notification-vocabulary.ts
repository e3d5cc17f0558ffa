/** The closed lists of who is told of what, with the words a person reads. Plain data, as in `vocabulary.ts`. */

/** Filter categories of a notification profile with their labels, in the order of document 2 section 2. */
export const notificationCategories = [
  { key: 'alertType', label: 'Event type' },
  { key: 'severity', label: 'Severity' },
  { key: 'customer', label: 'Customer' },
  { key: 'instrumentType', label: 'Instrument type' },
  { key: 'region', label: 'Region' },
  { key: 'country', label: 'Country' },
  { key: 'siteCity', label: 'City' },
  { key: 'componentName', label: 'Component' },
  { key: 'instrumentStatus', label: 'Instrument status' },
  { key: 'contractSLA', label: 'Contract SLA' },
  { key: 'qualifiedSystem', label: 'Qualified system' },
] as const
export type NotificationCategory = (typeof notificationCategories)[number]['key']

/** What a person is told of: an event somebody assigned to them, and a new event. Also the types of their profiles. */
export const notificationKinds = ['assign_me_notification', 'new_event_notification'] as const
export type NotificationKind = (typeof notificationKinds)[number]
/** The profiles by the names that the settings give them: document 2 section 5. */
export const notificationKindLabels: Record<NotificationKind, string> = {
  new_event_notification: 'All Events',
  assign_me_notification: 'Assigned to me',
}

export const notificationChannels = ['email', 'sms'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/**
 * Where a notification stands. `held`: until the maintenance of its instrument ends. `collected`: above the limit of its
 * recipient, until the next digest. `waiting`: on its way to the mail server or the SMS provider. `failed`: given up.
 * `withdrawn`: its recipient may not see the event any more.
 */
export const notificationStates = ['held', 'collected', 'waiting', 'sent', 'failed', 'withdrawn'] as const
export type NotificationState = (typeof notificationStates)[number]

/**
 * Where a mail about an event stands. `held`: until a maintenance ends, or until its receiver may be mailed again.
 * `waiting`: on its way to the mail server. `failed`: given up. `withdrawn`: not to be sent any more.
 */
export const eventEmailStates = ['held', 'waiting', 'sent', 'failed', 'withdrawn'] as const
export type EventEmailState = (typeof eventEmailStates)[number]

/** What decides whether somebody is told of an event, in the order in which it is looked at; a category by its key. */
export const notificationGates = [
  'not-assigned',
  'own-assignment',
  'disabled',
  'scope',
  'switched-off',
  'alarm-test',
  'under-review',
  ...notificationCategories.map(({ key }) => key),
  'no-address',
] as const
export type NotificationGate = (typeof notificationGates)[number]
