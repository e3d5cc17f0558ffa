import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import type { Webhook, WebhookInput } from '@benchwatch/contract/messages/webhooks'
import {
  notificationCategories,
  occasionsOfFormat,
  pairedOccasions,
  type WebhookFormat,
  type WebhookOccasion,
  webhookFormatLabels,
  webhookOccasions,
} from '@benchwatch/contract/vocabulary'
import type { FieldProblems } from '../../lib/http.ts'

/** The fields of a webhook as they are edited. */
export interface WebhookForm {
  name: string
  url: string
  format: WebhookFormat
  routingKey: string
  occasions: WebhookOccasion[]
  /** Without channels, which are off. */
  filter: NotificationSettings
  isOn: boolean
}

const noFilter = Object.fromEntries(notificationCategories.map(({ key }) => [key, []]))

export const emptyWebhook: WebhookForm = {
  name: '',
  url: '',
  format: 'plain',
  routingKey: '',
  occasions: ['event.raised', 'event.closed'],
  filter: { ...noFilter, notifyEmail: false, notifySms: false } as unknown as NotificationSettings,
  isOn: true,
}

export function webhookForm({ name, url, format, occasions, filter, isOn }: Webhook): WebhookForm {
  return {
    name,
    url: url ?? '',
    format,
    routingKey: '',
    occasions,
    filter: { ...filter, notifyEmail: false, notifySms: false },
    isOn,
  }
}

export function webhookInput({ filter, routingKey, name, url, ...form }: WebhookForm): WebhookInput {
  const { notifyEmail: _email, notifySms: _sms, ...categories } = filter
  const key = routingKey.trim()
  const isNeeded = form.format === 'pagerduty' && key !== ''
  return { ...form, name: name.trim(), url: url.trim(), filter: categories, routingKey: isNeeded ? key : null }
}

/** Returns the occasions to choose after a change of the format: those that the new format can express, with their ends. */
export function occasionsFor(format: WebhookFormat, chosen: readonly WebhookOccasion[]): WebhookOccasion[] {
  const ends = format === 'pagerduty' ? pairedOccasions.filter((pair) => pair.some((one) => chosen.includes(one))) : []
  const wanted = new Set([...chosen, ...ends.flat()])
  return webhookOccasions.filter((occasion) => wanted.has(occasion) && occasionsOfFormat[format].includes(occasion))
}

/** `hasKey`: the key of PagerDuty is stored. */
export function webhookProblems(form: WebhookForm, { hasKey }: { hasKey: boolean }): FieldProblems {
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name.' }),
    ...(!URL.canParse(form.url.trim()) && {
      url: 'Enter the address of the receiver, such as https://example.com/hooks.',
    }),
    ...(form.occasions.length === 0 && { occasions: 'Choose at least one.' }),
    ...(form.format === 'pagerduty' &&
      !hasKey &&
      form.routingKey.trim() === '' && { routingKey: 'Enter the integration key.' }),
  }
}

/** Hints at where users find the address of a receiver. */
export const addressHints: Record<WebhookFormat, string> = {
  plain: 'Requests are signed according to Standard Webhooks.',
  slack: 'The address of an incoming webhook.',
  teams: 'The address of a workflow that starts “When a Teams webhook request is received”.',
  pagerduty: 'Usually https://events.pagerduty.com/v2/enqueue.',
}

export const formatChoices = Object.entries(webhookFormatLabels).map(([value, label]) => ({ value, label }))
