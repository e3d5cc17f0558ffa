import { z } from 'zod'
import { paths } from '../paths.ts'
import { givenName, id, instant, line, paging } from '../primitives.ts'
import { route } from '../route.ts'
import {
  limits,
  occasionsOfFormat,
  pairedOccasions,
  webhookDeliveryStates,
  webhookFormats,
  webhookOccasions,
  webhookStates,
} from '../vocabulary.ts'
import { notificationSettings } from './profiles.ts'

/**
 * Webhooks: requests to other systems about events and instruments, signed as Standard Webhooks describe
 * (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A webhook sends what its owner may see.
 */

/** The filter of a notification profile, without its channels. Instruments are not filtered by properties of events. */
const webhookFilter = notificationSettings.omit({ notifyEmail: true, notifySms: true })
export type WebhookFilter = z.output<typeof webhookFilter>

export const webhookInput = z
  .strictObject({
    name: givenName(limits.webhookName),
    /** An https address without credentials; http only to networks that the operator allows (`WEBHOOK_NETWORKS`). */
    url: line(limits.webhookUrl),
    format: z.enum(webhookFormats),
    /** The integration key of PagerDuty. Null keeps the present one; other formats have none. */
    routingKey: line(100).nullable().default(null),
    occasions: z
      .array(z.enum(webhookOccasions))
      .min(1)
      .transform((chosen) => webhookOccasions.filter((occasion) => chosen.includes(occasion))),
    filter: webhookFilter,
    isOn: z.boolean(),
  })
  .superRefine(({ format, occasions }, context) => {
    const complain = (message: string) => context.addIssue({ code: 'custom', path: ['occasions'], message })
    const unknown = occasions.filter((occasion) => !occasionsOfFormat[format].includes(occasion))
    if (unknown.length > 0) complain(`must not contain ${unknown.join(', ')}, which the format ${format} can't express`)
    if (format !== 'pagerduty') return
    for (const [begin, end] of pairedOccasions)
      if (occasions.includes(begin) !== occasions.includes(end))
        complain(`must contain ${begin} and ${end} together, or PagerDuty never resolves the incident`)
  })
export type WebhookInput = z.output<typeof webhookInput>

/** A webhook without its secrets. */
export const webhook = z.object({
  id,
  name: z.string(),
  /** Null for the webhook of another user, because addresses of chat systems are secrets. */
  url: z.string().nullable(),
  host: z.string(),
  format: z.enum(webhookFormats),
  hasRoutingKey: z.boolean(),
  occasions: z.array(z.enum(webhookOccasions)),
  filter: webhookFilter,
  /** Also false after the receiver has ended it. */
  isOn: z.boolean(),
  state: z.enum(webhookStates),
  /** The next attempt while `state` is `paused`. */
  pausedUntil: instant.nullable(),
  /** Number of deliveries that wait, and of those parked within the kept log. */
  waiting: z.number().int(),
  parked: z.number().int(),
  lastSentAt: instant.nullable(),
  /** Until when requests are also signed with the secret before the last one. */
  previousSecretUntil: instant.nullable(),
  createdAt: instant,
  isOwn: z.boolean(),
  ownerName: z.string(),
})
export type Webhook = z.output<typeof webhook>

const attempt = z.object({
  at: instant,
  milliseconds: z.number().int(),
  /** HTTP status; null if there was no answer. */
  status: z.number().int().nullable(),
  /** The first 1,000 characters of the answer. */
  answer: z.string().nullable(),
  /** Why the attempt failed, as a sentence; null if it succeeded. */
  error: z.string().nullable(),
})
export type WebhookAttempt = z.output<typeof attempt>

/** One message to the receiver, with the request and the answer to each attempt, oldest first. */
export const webhookDelivery = z.object({
  id,
  /** Header `webhook-id`; the same for each attempt, so that receivers can recognise repeats. */
  messageId: z.string(),
  occasion: z.enum([...webhookOccasions, 'test']),
  /** The event that it is about; null for instruments and tests. */
  eventId: id.nullable(),
  /** Body of the request. */
  body: z.string(),
  state: z.enum(webhookDeliveryStates),
  createdAt: instant,
  finishedAt: instant.nullable(),
  /** The next attempt of a waiting delivery. */
  nextAt: instant.nullable(),
  attempts: z.array(attempt),
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

const access = { kind: 'signed-in' } as const
const params = z.object({ id })
const secret = z.string()

export const listWebhooks = route({
  ...paths.listWebhooks,
  summary: 'The caller’s webhooks by name; administrators also get those of the users whom they may know',
  answer: z.object({ values: z.array(webhook) }),
  errors: ['session-expired'],
  access,
})

export const createWebhook = route({
  ...paths.createWebhook,
  summary: 'Create a webhook; its secret is shown only once',
  body: webhookInput,
  answer: webhook.extend({ secret }),
  success: [201],
  errors: ['session-expired', 'bad-change', 'too-many-webhooks'],
  access,
})

export const updateWebhook = route({
  ...paths.updateWebhook,
  summary: 'Replace one of the caller’s webhooks',
  params,
  body: webhookInput,
  answer: webhook,
  errors: ['session-expired', 'not-found', 'bad-change'],
  access,
})

export const deleteWebhook = route({
  ...paths.deleteWebhook,
  summary: 'Delete a webhook with its log and unsent messages; administrators may delete those of others',
  params,
  success: [204],
  errors: ['session-expired', 'not-found'],
  access,
})

export const rotateWebhookSecret = route({
  ...paths.rotateWebhookSecret,
  summary: 'Replace the secret; for a day, requests are signed with the old one as well',
  params,
  answer: z.object({ secret, previousSecretUntil: instant }),
  errors: ['session-expired', 'not-found'],
  access,
})

export const testWebhook = route({
  ...paths.testWebhook,
  summary: 'Queue a test message, also for a webhook that is switched off',
  params,
  success: [204],
  errors: ['session-expired', 'not-found'],
  access,
})

export const listWebhookDeliveries = route({
  ...paths.listWebhookDeliveries,
  summary: 'One page of the deliveries of one of the caller’s webhooks, newest first',
  params,
  query: z.strictObject(paging),
  answer: z.object({ values: z.array(webhookDelivery), total: z.number().int() }),
  errors: ['session-expired', 'not-found'],
  access,
})

export const resendWebhookDelivery = route({
  ...paths.resendWebhookDelivery,
  summary: 'Send a finished delivery again, with the same message id',
  params: z.object({ id, deliveryId: id }),
  success: [204],
  errors: ['session-expired', 'not-found', 'status-conflict'],
  access,
})
