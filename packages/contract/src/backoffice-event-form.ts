import { isCaseUrl } from './case-url.ts'
import { CLOCK_TOLERANCE_MS, Fields, type Form, inWords, type Reading } from './form-fields.ts'
import { TEMPLATE_ID } from './patterns.ts'
import {
  type AlertStatus,
  type AlertType,
  alertSources,
  type CloseReason,
  personCloseReasons,
  type Severity,
  severities,
} from './vocabulary.ts'

/**
 * What the form 'Create event' of the back office takes: document 2 section 5. Pure, so that the console shows what the
 * server would answer.
 */

export const eventFormLabels = {
  componentName: 'Module name',
  description: 'Description',
  userMessage: 'User message',
  severity: 'Severity',
  templateId: 'Template id',
  instrumentInstalledProductId: 'Installed product id',
  alertStatus: 'Alert status',
  alertType: 'Alert type',
  createdAt: 'Created at',
  logGeneratedAt: 'Log generated at',
  alertSource: 'Alert source',
  alertId: 'Alert id',
  claimedBy: 'Owner',
  reasonClosed: 'Reason closed',
  reasonClosedComment: 'Reason comment',
  serviceMaxCaseNumber: 'ServiceMax case number',
  serviceMaxUrl: 'ServiceMax URL',
} as const
export type EventFormField = keyof typeof eventFormLabels
export type EventForm = Form<EventFormField>

/** Without EDGE_ISSUE: that event is about a gateway, and this form about an instrument. */
export const creatableAlertSources = alertSources.filter((source) => source !== 'EDGE_ISSUE')

/** An event as the form asks for it. */
export interface EventWish {
  componentName: string
  description: string
  userMessage: string
  severity: Severity
  templateId: string
  instrumentInstalledProductId: string
  alertStatus: AlertStatus
  alertType: AlertType
  /** Never after `now`. */
  createdAt: Date
  /** `createdAt` where the form has none; never after it. */
  logGeneratedAt: Date
  /** Comma list, with BACKOFFICE in it. */
  alertSource: string
  alertId: string
  claimedBy: string | null
  reasonClosed: CloseReason | null
  reasonClosedComment: string | null
  serviceMaxCaseNumber: string | null
  serviceMaxUrl: string | null
}

/** What case numbers look like and where cases are, as it is configured. */
export interface EventFormRules {
  now: Date
  caseNumberPattern: RegExp
  caseUrlHosts: readonly string[]
}

/** The words of document 1 section 4 and of the wire. */
const statusWords = new Map<string, AlertStatus>([
  ['1_NEW', '1_NEW'],
  ['NEW', '1_NEW'],
  ['2_IN_PROGRESS', '2_IN_PROGRESS'],
  ['IN_PROGRESS', '2_IN_PROGRESS'],
  ['3_CLOSED', '3_CLOSED'],
  ['CLOSED', '3_CLOSED'],
])

const CASE_REASON: CloseReason = 'Service Case Created'
const CLOSING_FIELDS = ['reasonClosed', 'reasonClosedComment', 'serviceMaxCaseNumber', 'serviceMaxUrl'] as const

export function readEventForm(form: EventForm, rules: EventFormRules): Reading<EventWish> {
  const fields = new Fields(form, eventFormLabels)
  const texts = {
    componentName: fields.required('componentName'),
    description: fields.required('description'),
    userMessage: fields.required('userMessage'),
    templateId: fields.matching('templateId', (text) => TEMPLATE_ID.test(text), {
      otherwise: 'must be a module code and an error number, such as P9B-1042',
    }),
    instrumentInstalledProductId: fields.required('instrumentInstalledProductId'),
    alertId: fields.required('alertId'),
  }
  const severity = fields.word('severity', (text) => severities.find((one) => one === text.toLowerCase()), {
    otherwise: 'must be high, medium or low',
  })
  const alertStatus = fields.word('alertStatus', (text) => statusWords.get(text.toUpperCase().replaceAll(' ', '_')), {
    otherwise: 'must be New, In progress or Closed',
  })
  const alertType = fields.word('alertType', (text) => (text === '1' ? 1 : text === '2' ? 2 : undefined), {
    otherwise: 'must be 1 (Alarm) or 2 (Alert)',
  })
  const alertSource = fields.word('alertSource', sourceList, {
    otherwise: `must be ${inWords(creatableAlertSources)}; several with commas between them`,
  })
  const { createdAt, logGeneratedAt } = readTimes(fields, rules.now)
  const closing = readClosing(fields, alertStatus, rules)
  return fields.read(() => ({
    ...(texts as Record<keyof typeof texts, string>),
    ...closing,
    severity: severity as Severity,
    alertStatus: alertStatus as AlertStatus,
    alertType: alertType as AlertType,
    alertSource: alertSource as string,
    createdAt: createdAt as Date,
    logGeneratedAt: logGeneratedAt as Date,
  }))
}

type EventFields = Fields<EventFormField>

function readTimes(fields: EventFields, now: Date): { createdAt: Date | undefined; logGeneratedAt: Date | undefined } {
  const created = fields.instant('createdAt', { isRequired: true })
  const generated = fields.instant('logGeneratedAt', { isRequired: false }) ?? created
  if (created && created.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)
    fields.refuse('createdAt', 'must not be in the future')
  if (created && generated && created < generated)
    fields.refuse('createdAt', 'must be later than or equal to log generated at')
  const notAfterNow = (at: Date | undefined) => at && (at > now ? now : at)
  return { createdAt: notAfterNow(created), logGeneratedAt: notAfterNow(generated) }
}

/** Owner and reason, which depend on the status; where that is not known nothing is said of them. */
function readClosing(fields: EventFields, status: AlertStatus | undefined, rules: EventFormRules) {
  const claimedBy = fields.text('claimedBy')
  const reasonClosed = fields.text('reasonClosed')
  const reasonClosedComment = fields.text('reasonClosedComment')
  const serviceMaxCaseNumber = fields.text('serviceMaxCaseNumber')
  const serviceMaxUrl = fields.text('serviceMaxUrl')
  if (status === '1_NEW' && claimedBy !== null)
    fields.refuse('claimedBy', 'must be empty for a new event: one that has an owner is in progress')
  if (status === '2_IN_PROGRESS' || status === '3_CLOSED') fields.required('claimedBy')
  if (status === '1_NEW' || status === '2_IN_PROGRESS') {
    for (const field of CLOSING_FIELDS)
      if (fields.text(field) !== null) fields.refuse(field, 'must be empty unless the event is closed')
  }
  if (status === '3_CLOSED') {
    fields.required('reasonClosed')
    if (reasonClosed !== null && !personCloseReasons.some((reason) => reason === reasonClosed))
      fields.refuse('reasonClosed', `must be ${inWords(personCloseReasons)}`)
    if (reasonClosed === CASE_REASON) {
      if (reasonClosedComment !== null) fields.refuse('reasonClosedComment', `must be empty for ${CASE_REASON}`)
      fields.matching('serviceMaxCaseNumber', (text) => rules.caseNumberPattern.test(text), {
        otherwise: 'must be as the case management shows it, such as 00012345',
      })
      if (serviceMaxUrl !== null && !isCaseUrl(serviceMaxUrl, rules.caseUrlHosts))
        fields.refuse('serviceMaxUrl', `must be an https address at ${inWords(rules.caseUrlHosts)}`)
    }
  }
  return {
    claimedBy,
    reasonClosed: reasonClosed as CloseReason | null,
    reasonClosedComment,
    serviceMaxCaseNumber,
    serviceMaxUrl,
  }
}

function sourceList(text: string): string | undefined {
  const sources = text
    .split(',')
    .map((source) => source.trim().toUpperCase())
    .filter((source) => source !== '')
  if (sources.some((source) => !creatableAlertSources.some((one) => one === source))) return undefined
  return [...new Set([...sources, 'BACKOFFICE'])].join(',')
}
