import type { emailProfile, notificationProfile } from '@benchwatch/contract/profiles'
import type { z } from 'zod'

type Head = 'id' | 'createdAt' | 'updatedAt' | 'userId' | 'profileType'
export type NotificationSettings = Omit<z.output<typeof notificationProfile>, Head>
export type EmailSettings = Omit<z.output<typeof emailProfile>, Head>

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

const ownAddress: EmailSettings = { notificationEmail: null, useDefaultEmail: true, useNotificationEmail: false }

/** The three profiles that everybody has, in the order in which they are answered. */
export const defaultProfiles = [
  { profileType: 'assign_me_notification', settings: noNotifications },
  { profileType: 'new_event_notification', settings: noNotifications },
  { profileType: 'email', settings: ownAddress },
] as const
