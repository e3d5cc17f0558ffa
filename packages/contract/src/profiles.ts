import { z } from 'zod'
import { paths } from './paths.ts'
import { id, instant } from './primitives.ts'
import { route } from './route.ts'

/** Notification preferences: wire 5, 3-decisions 9. */

const head = { id, createdAt: instant, updatedAt: instant, userId: z.string() }
const values = z.array(z.string())

export const notificationProfile = z.object({
  ...head,
  profileType: z.enum(['assign_me_notification', 'new_event_notification']),
  notifyEmail: z.boolean(),
  notifySms: z.boolean(),
  alertType: values,
  severity: values,
  customer: values,
  instrumentType: values,
  region: values,
  country: values,
  siteCity: values,
  componentName: values,
  instrumentStatus: values,
  contractSLA: values,
  qualifiedSystem: values,
})

export const emailProfile = z.object({
  ...head,
  profileType: z.literal('email'),
  notificationEmail: z.string().nullable(),
  useDefaultEmail: z.boolean(),
  useNotificationEmail: z.boolean(),
})

export const listProfiles = route({
  ...paths.listProfiles,
  summary: 'The caller’s three profiles',
  answer: z.array(z.discriminatedUnion('profileType', [notificationProfile, emailProfile])),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})
