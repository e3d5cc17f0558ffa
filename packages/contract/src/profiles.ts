import { z } from 'zod'
import { serviceEvent } from './events.ts'
import { MAX_ADDRESS_LENGTH } from './field-rules.ts'
import { paths } from './paths.ts'
import { id, instant, line } from './primitives.ts'
import { route } from './route.ts'
import {
  alertTypes,
  instrumentStatuses,
  instrumentTypes,
  limits,
  notificationGates,
  notificationKinds,
  severities,
} from './vocabulary.ts'

/** Notification preferences: wire 5, 3-decisions 9, document 2 sections 2 and 5. */

const head = { id, createdAt: instant, updatedAt: instant, userId: z.string() }

/** Values of a category; each once. */
const values = z
  .array(line(200).min(1))
  .max(limits.notificationValues)
  .transform((list) => [...new Set(list)])

/** Values of a closed list, in any case; others are refused. */
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

/** What one profile says: by which ways, and of which events. A category without values lets everything through. */
export const notificationSettings = z.strictObject({
  notifyEmail: z.boolean(),
  notifySms: z.boolean(),
  alertType: oneOf(alertTypes.map(String)),
  severity: oneOf(severities),
  customer: values,
  instrumentType: oneOf(instrumentTypes),
  region: values,
  country: values,
  siteCity: values,
  componentName: values,
  instrumentStatus: oneOf(instrumentStatuses),
  contractSLA: values,
  qualifiedSystem: oneOf(['true', 'false']),
})
export type NotificationSettings = z.output<typeof notificationSettings>

/** Where mails go: to the address that one signs in with, to another one of the company, or to both. */
export const emailSettings = z.strictObject({
  notificationEmail: line(MAX_ADDRESS_LENGTH).trim().nullable(),
  useDefaultEmail: z.boolean(),
  useNotificationEmail: z.boolean(),
})
export type EmailSettings = z.output<typeof emailSettings>

const chosen = z.array(z.string())

/** Of which events of one kind somebody is told, and by which ways. */
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

/** Where the mails of these notifications go. */
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
    'Replace a profile of the caller’s: `bad-profile` where the e-mail profile chooses no usable address, or the fields are those of another type',
  params: z.object({ id }),
  body: profileChange,
  answer: profile,
  errors: ['session-expired', 'not-found', 'bad-profile'],
  access: { kind: 'signed-in' },
})

export const previewProfile = route({
  ...paths.previewProfile,
  summary:
    'Which events of the last 7 days a profile would have told of, were it saved as in the body; by the rule that sends',
  params: z.object({ id }),
  body: profileChange,
  answer: z.object({
    days: z.literal(7),
    /** Events that match; as many as would have been told of, each by every way and address that is chosen. */
    sent: z.number().int(),
    /** The newest 20 of them, as in the list of events. */
    values: z.array(z.object({ alarm: serviceEvent })),
    /** What stopped the other events that the caller may see: how many, by the gate that decided, the most first. */
    stopped: z.array(z.object({ gate: z.enum(notificationGates), events: z.number().int() })),
  }),
  errors: ['session-expired', 'not-found', 'bad-profile'],
  access: { kind: 'signed-in' },
})
