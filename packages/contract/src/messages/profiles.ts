import { z } from 'zod'
import { serviceEvent } from '../events/events.ts'
import { MAX_ADDRESS_LENGTH } from '../field-rules.ts'
import { paths } from '../paths.ts'
import { id, instant, line } from '../primitives.ts'
import { route } from '../route.ts'
import {
  alertTypes,
  instrumentStatuses,
  limits,
  notificationGates,
  notificationKinds,
  severities,
} from '../vocabulary.ts'

/** Notification preferences: wire 5, 3-decisions 9, document 2 sections 2 and 5. */

const head = { id, createdAt: instant, updatedAt: instant, userId: z.string() }

/** Distinct values of a category. */
const values = z
  .array(line(200).min(1))
  .max(limits.notificationValues)
  .transform((list) => [...new Set(list)])

/** Distinct values of a closed list, case-insensitive; other values are refused. */
const oneOf = (list: readonly string[]) =>
  z
    .array(
      z.string().transform((value, context) => {
        const known = list.find((candidate) => candidate.toLowerCase() === value.toLowerCase())
        if (known !== undefined) return known
        context.addIssue({ code: 'custom', message: `must be one of ${list.join(', ')}` })
        return z.NEVER
      }),
    )
    .max(limits.notificationValues)
    .transform((chosen) => [...new Set(chosen)])

/**
 * Settings of one notification profile: its channels and its event filter. A category without values accepts
 * everything.
 */
export const notificationSettings = z.strictObject({
  notifyEmail: z.boolean(),
  notifySms: z.boolean(),
  alertType: oneOf(alertTypes.map(String)),
  severity: oneOf(severities),
  customer: values,
  instrumentType: values,
  region: values,
  country: values,
  siteCity: values,
  componentName: values,
  instrumentStatus: oneOf(instrumentStatuses),
  contractSLA: values,
  qualifiedSystem: oneOf(['true', 'false']),
})
export type NotificationSettings = z.output<typeof notificationSettings>

/** Destination of e-mails: the sign-in address, another company address, or both. */
export const emailSettings = z.strictObject({
  notificationEmail: line(MAX_ADDRESS_LENGTH).trim().nullable(),
  useDefaultEmail: z.boolean(),
  useNotificationEmail: z.boolean(),
})
export type EmailSettings = z.output<typeof emailSettings>

const chosen = z.array(z.string())

/** Profile that selects the events and channels for one kind of notification. */
export const notificationProfile = z.object({
  ...head,
  profileType: z.enum(notificationKinds),
  notifyEmail: z.boolean(),
  notifySms: z.boolean(),
  alertType: chosen,
  severity: chosen,
  customer: chosen,
  instrumentType: chosen,
  region: chosen,
  country: chosen,
  siteCity: chosen,
  componentName: chosen,
  instrumentStatus: chosen,
  contractSLA: chosen,
  qualifiedSystem: chosen,
})
export type NotificationProfile = z.output<typeof notificationProfile>

/** Profile with the destination of notification e-mails. */
export const emailProfile = z.object({
  ...head,
  profileType: z.literal('email'),
  notificationEmail: z.string().nullable(),
  useDefaultEmail: z.boolean(),
  useNotificationEmail: z.boolean(),
})
export type EmailProfile = z.output<typeof emailProfile>

export const profile = z.discriminatedUnion('profileType', [notificationProfile, emailProfile])
export type Profile = z.output<typeof profile>

/** The fields of a profile without id, profileType, createdAt, updatedAt and userId. */
const profileChange = z.union([notificationSettings, emailSettings])

export const listProfiles = route({
  ...paths.listProfiles,
  summary: 'The caller’s three profiles',
  answer: z.array(profile),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

export const updateProfile = route({
  ...paths.updateProfile,
  summary:
    'Replace one of the caller’s profiles; `bad-profile` if the e-mail profile selects no valid address or the fields belong to another type',
  params: z.object({ id }),
  body: profileChange,
  answer: profile,
  errors: ['session-expired', 'not-found', 'bad-profile'],
  access: { kind: 'signed-in' },
})

export const previewProfile = route({
  ...paths.previewProfile,
  summary:
    'Preview the notifications that a profile would have caused in the last 7 days, with the settings in the body',
  params: z.object({ id }),
  body: profileChange,
  answer: z.object({
    days: z.literal(7),
    /** Number of matching events. Each would have caused one notification per selected channel and address. */
    sent: z.number().int(),
    /** The newest 20 of them, in the same form as in the event list. */
    values: z.array(z.object({ alarm: serviceEvent })),
    /** Number of other visible events, grouped by the gate that stopped them; the largest number first. */
    stopped: z.array(z.object({ gate: z.enum(notificationGates), events: z.number().int() })),
  }),
  errors: ['session-expired', 'not-found', 'bad-profile'],
  access: { kind: 'signed-in' },
})
