import type { EmailSettings, NotificationSettings } from '@benchwatch/contract/messages/profiles'

/** The settings of a user's three profiles, as stored. */
export interface ProfileSettings {
  assign_me_notification: NotificationSettings
  new_event_notification: NotificationSettings
  email: EmailSettings
}
export type ProfileType = keyof ProfileSettings

/** In the order of the API answer. */
export const profileTypes = [
  'assign_me_notification',
  'new_event_notification',
  'email',
] as const satisfies readonly ProfileType[]

/** Accepts every event. */
export const noFilter: Omit<NotificationSettings, 'notifyEmail' | 'notifySms'> = {
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

/** Default of users who never opened the settings: nothing is sent, and no filter is set. */
const noNotifications: NotificationSettings = { notifyEmail: false, notifySms: false, ...noFilter }

export const defaultSettings: ProfileSettings = {
  assign_me_notification: noNotifications,
  new_event_notification: noNotifications,
  email: { notificationEmail: null, useDefaultEmail: true, useNotificationEmail: false },
}
