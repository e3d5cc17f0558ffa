import type { EmailSettings, NotificationSettings } from '@benchwatch/contract/profiles'

/** What the three profiles hold that everybody has, as the table keeps it. */
export interface ProfileSettings {
  assign_me_notification: NotificationSettings
  new_event_notification: NotificationSettings
  email: EmailSettings
}
export type ProfileType = keyof ProfileSettings

/** In the order in which they are answered. */
export const profileTypes = [
  'assign_me_notification',
  'new_event_notification',
  'email',
] as const satisfies readonly ProfileType[]

/** Nothing is sent, and no filter is set: what somebody has who never opened the settings. */
const noNotifications: NotificationSettings = {
  notifyEmail: false,
  notifySms: false,
  alertType: [],
  severity: [],
  customer: [],
  instrumentType: [],
  region: [],
  country: [],
  siteCity: [],
  componentName: [],
  instrumentStatus: [],
  contractSLA: [],
  qualifiedSystem: [],
}

export const defaultSettings: ProfileSettings = {
  assign_me_notification: noNotifications,
  new_event_notification: noNotifications,
  email: { notificationEmail: null, useDefaultEmail: true, useNotificationEmail: false },
}
