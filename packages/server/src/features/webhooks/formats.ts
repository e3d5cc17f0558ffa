import type { ServiceEvent } from '@benchwatch/contract/events/events'
import {
  alertStatusLabels,
  type InstrumentStatus,
  type OrcStatus,
  type Severity,
  severityLabels,
  type WebhookFormat,
  type WebhookOccasion,
  webhookOccasionLabels,
} from '@benchwatch/contract/vocabulary'

/** Bodies of requests, by format. Pure: facts in, JSON text out. */

/** An instrument as of when its connection was lost or came back; customer and place are those of that time. */
export interface InstrumentContent {
  id: string
  instrumentInstalledProductId: string
  instrumentProductDescription: string | null
  instrumentDefinedSystemName: string | null
  instrumentType: string
  instrumentStatus: InstrumentStatus
  orcStatus: OrcStatus
  qualifiedSystem: boolean | null
  enterpriseName: string
  siteCity: string | null
  siteCountry: string | null
  siteRegion: string | null
}

/** Subject of a message. `publicUrl` is the address of the console, for links. */
export type Content = { at: Date; publicUrl: string } & (
  | { occasion: Extract<WebhookOccasion, `event.${string}`>; event: ServiceEvent; version: number }
  | { occasion: Extract<WebhookOccasion, `instrument.${string}`>; instrument: InstrumentContent }
  | { occasion: 'test'; name: string }
)

/** Long enough to recognise an event. Chat systems refuse much longer texts. */
const CHAT_DESCRIPTION = 500
/** PagerDuty's limit of a summary. */
const SUMMARY = 1024
const PAGERDUTY_SEVERITIES: Record<Severity, string> = { high: 'critical', medium: 'warning', low: 'info' }

/** The fields of an event that `plain` sends, with their names in the API. Contacts are left out. */
const eventFields = [
  'id',
  'eventId',
  'templateId',
  'severity',
  'alertType',
  'alertSource',
  'description',
  'userMessage',
  'createdAt',
  'logGeneratedAt',
  'clearedAt',
  'alertStatus',
  'claimedBy',
  'claimedByName',
  'reasonClosed',
  'reasonClosedComment',
  'serviceMaxCaseNumber',
  'serviceMaxUrl',
  'isEdgeIssue',
  'duringMaintenance',
  'fullSupport',
  'latchedCount',
  'componentName',
  'instrumentId',
  'instrumentInstalledProductId',
  'instrumentProductDescription',
  'instrumentDefinedSystemName',
  'instrumentType',
  'instrumentStatusAtEvent',
  'qualifiedSystem',
  'enterpriseName',
  'siteCity',
  'siteCountry',
  'siteRegion',
] as const satisfies readonly (keyof ServiceEvent)[]

export function bodyOf(format: WebhookFormat, content: Content): string {
  return JSON.stringify(formats[format](content))
}

/** A field that the bodies of one format have and those of the others lack. */
const marks: Record<WebhookFormat, string> = {
  plain: 'data',
  slack: 'blocks',
  teams: 'attachments',
  pagerduty: 'event_action',
}

/** Returns true if a body that was written earlier has this format. */
export function isBodyOf(format: WebhookFormat, body: string): boolean {
  return marks[format] in (JSON.parse(body) as object)
}

/** Returns the body with the key of the integration, which the log does not hold. Other formats have none. */
export function withRoutingKey(body: string, routingKey: string | null): string {
  if (routingKey === null) return body
  return JSON.stringify({ routing_key: routingKey, ...(JSON.parse(body) as object) })
}

const formats: Record<WebhookFormat, (content: Content) => object> = {
  plain: plainBody,
  slack: slackBody,
  teams: teamsBody,
  pagerduty: pagerDutyBody,
}

function plainBody(content: Content): object {
  return {
    type: content.occasion,
    timestamp: content.at.toISOString(),
    data: { ...dataOf(content), url: urlOf(content) },
  }
}

function dataOf(content: Content): object {
  if ('event' in content) return { event: { ...picked(content.event), version: content.version } }
  return 'instrument' in content ? { instrument: content.instrument } : { webhook: content.name }
}

function picked(event: ServiceEvent): object {
  return Object.fromEntries(eventFields.map((field) => [field, event[field]]))
}

function urlOf(content: Content): string {
  const { publicUrl } = content
  if ('event' in content) return `${publicUrl}/events/${content.event.eventId}`
  return 'instrument' in content ? `${publicUrl}/instruments/${content.instrument.id}` : publicUrl
}

function slackBody(content: Content): object {
  const { title, text, facts } = textsOf(content)
  const url = urlOf(content)
  const lines = [
    `*<${slackText(url)}|${slackText(title)}>*`,
    ...(text === '' ? [] : [slackText(cut(text, CHAT_DESCRIPTION))]),
    ...facts.map(({ label, value }) => `${label}: ${slackText(value)}`),
  ]
  return {
    text: slackText(title),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: lines.join('\n') } }],
  }
}

/** Slack reads mentions and links in angle brackets. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * Returns the message of a Teams workflow with one Adaptive Card. Text runs are not Markdown, so a description shows no
 * links of its own.
 */
function teamsBody(content: Content): object {
  const { title, text, facts } = textsOf(content)
  const run = (value: string, style: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: value, ...style }],
  })
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: title,
    body: [
      run(title, { size: 'medium', weight: 'bolder' }),
      ...(text === '' ? [] : [run(cut(text, CHAT_DESCRIPTION))]),
      ...(facts.length === 0
        ? []
        : [
            { type: 'FactSet', facts: facts.map(({ label, value }) => ({ title: label, value: markdownText(value) })) },
          ]),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open', url: urlOf(content) }],
  }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  }
}

/** Escapes links and emphasis in the Markdown of a card. */
function markdownText(text: string): string {
  return text.replace(/[\\[\]*_`]/g, '\\$&')
}

const pagerDutyActions: Record<Content['occasion'], 'trigger' | 'acknowledge' | 'resolve'> = {
  'event.raised': 'trigger',
  'event.claimed': 'acknowledge',
  'event.changed': 'acknowledge',
  'event.closed': 'resolve',
  'event.cleared': 'acknowledge',
  'instrument.lost': 'trigger',
  'instrument.back': 'resolve',
  // Resolving an unknown incident is accepted and alerts no one.
  test: 'resolve',
}

function pagerDutyBody(content: Content): object {
  const action = pagerDutyActions[content.occasion]
  const url = urlOf(content)
  const head = {
    event_action: action,
    dedup_key: content.occasion === 'test' ? `${url} test` : url,
    client: 'Benchwatch',
    client_url: url,
  }
  if (action !== 'trigger') return head
  const { title, text } = textsOf(content)
  return {
    ...head,
    payload: {
      summary: cut(text === '' ? title : `${title}: ${text}`, SUMMARY),
      timestamp: content.at.toISOString(),
      custom_details: dataOf(content),
      ...pagerDutyPlace(content),
    },
    links: [{ href: url, text: 'Open in the console' }],
  }
}

function pagerDutyPlace(content: Content): object {
  if ('event' in content) {
    const { event } = content
    return {
      severity: PAGERDUTY_SEVERITIES[event.severity],
      source: event.instrumentInstalledProductId,
      group: event.enterpriseName,
      class: event.templateId,
      ...(event.componentName !== null && { component: event.componentName }),
    }
  }
  const instrument = 'instrument' in content ? content.instrument : null
  return {
    severity: 'warning',
    source: instrument?.instrumentInstalledProductId ?? '',
    group: instrument?.enterpriseName ?? '',
    class: content.occasion,
  }
}

interface Texts {
  title: string
  text: string
  facts: { label: string; value: string }[]
}

function textsOf(content: Content): Texts {
  if ('event' in content) return eventTexts(content.occasion, content.event)
  if ('instrument' in content) return instrumentTexts(content.occasion, content.instrument)
  return { title: `Test of the webhook ${content.name}`, text: 'The webhook works.', facts: [] }
}

function eventTexts(occasion: WebhookOccasion, event: ServiceEvent): Texts {
  const [, what = ''] = webhookOccasionLabels[occasion].split('Event ')
  return {
    title: `${severityLabels[event.severity]} ORC-${event.eventId} ${what}`,
    text: event.description,
    facts: factsOf([
      ['Instrument', [event.instrumentProductDescription, event.instrumentInstalledProductId]],
      ['Customer', [event.enterpriseName, event.siteCity, event.siteCountry]],
      ['Status', [alertStatusLabels[event.alertStatus], event.reasonClosed]],
      ['Owner', [event.claimedByName]],
    ]),
  }
}

function instrumentTexts(occasion: WebhookOccasion, instrument: InstrumentContent): Texts {
  return {
    title: `${webhookOccasionLabels[occasion]}: ${instrument.instrumentInstalledProductId}`,
    text: '',
    facts: factsOf([
      ['Instrument', [instrument.instrumentProductDescription, instrument.instrumentDefinedSystemName]],
      ['Customer', [instrument.enterpriseName, instrument.siteCity, instrument.siteCountry]],
      ['ORC status', [instrument.orcStatus]],
    ]),
  }
}

function factsOf(facts: readonly [label: string, values: readonly (string | null)[]][]): Texts['facts'] {
  return facts
    .map(([label, values]) => ({ label, value: values.filter(Boolean).join(', ') }))
    .filter(({ value }) => value !== '')
}

/** Cuts at a whole character. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}
