import { isCaseUrl } from '../field-rules.ts'
import { TEMPLATE_ID } from '../patterns.ts'
import {
  type AlertStatus,
  type AlertType,
  alertSources,
  type CloseReason,
  type LogType,
  logTypes,
  personCloseReasons,
  type Severity,
  severities,
} from '../vocabulary.ts'

/**
 * Validates the back-office form 'Create event': document 2 section 5. Pure, so the console shows the same errors as
 * the server.
 */

/**
 * Error types of forms that are validated field by field, both in the console and on the server. Each error is one
 * sentence about one field, in the order of the form.
 */
export interface FieldError {
  path: string
  message: string
}

/** Either the value of a valid form or its errors. */
type Reading<T> = { value: T; errors?: never } | { value?: never; errors: FieldError[] }

/** Form fields: absent, null and blank mean the same. */
type Form<Field extends string> = { [F in Field]?: string | number | null | undefined }

/** Clocks of users and server differ: a time up to this far ahead counts as now. */
const CLOCK_TOLERANCE_MS = 60_000

/** Reads a form field by field and collects the errors. Only the first error of a field counts. */
class Fields<Field extends string> {
  readonly #form: Form<Field>
  readonly #labels: Record<Field, string>
  readonly #errors = new Map<Field, string>()

  constructor(form: Form<Field>, labels: Record<Field, string>) {
    this.#form = form
    this.#labels = labels
  }

  refuse(field: Field, what: string): void {
    if (!this.#errors.has(field)) this.#errors.set(field, `${this.#labels[field]} ${what}.`)
  }

  /** Returns the trimmed text, or null if it is empty. */
  text(field: Field): string | null {
    return String(this.#form[field] ?? '').trim() || null
  }

  required(field: Field): string | undefined {
    const text = this.text(field)
    if (text === null) this.refuse(field, 'cannot be empty')
    return text ?? undefined
  }

  matching(field: Field, matches: (text: string) => boolean, { otherwise }: { otherwise: string }) {
    return this.word(field, (text) => (matches(text) ? text : undefined), { otherwise })
  }

  /** Returns the meaning of a required text, or reports an error if it is missing or unknown. */
  word<W>(field: Field, meaning: (text: string) => W | undefined, { otherwise }: { otherwise: string }): W | undefined {
    const text = this.required(field)
    const word = text === undefined ? undefined : meaning(text)
    if (text !== undefined && word === undefined) this.refuse(field, otherwise)
    return word
  }

  instant(field: Field, { isRequired }: { isRequired: boolean }): Date | undefined {
    const text = isRequired ? this.required(field) : (this.text(field) ?? undefined)
    const at = text === undefined ? undefined : instantOf(text)
    if (text !== undefined && at === undefined)
      this.refuse(field, 'must be a date and time with a zone, 1970 or later, such as 2026-11-20T14:02:23Z')
    return at
  }

  read<T>(value: () => T): Reading<T> {
    const errors = (Object.keys(this.#labels) as Field[]).flatMap((path) => {
      const message = this.#errors.get(path)
      return message === undefined ? [] : [{ path, message }]
    })
    return errors.length > 0 ? { errors } : { value: value() }
  }
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Validates the back-office form 'Insert log': document 2 section 5. Pure, like the event form above. */
export const logFormLabels = {
  message: 'Message',
  logType: 'Log type',
  instrumentInstalledProductId: 'Installed product ID',
  module: 'Module',
  componentName: 'Component',
  errorCode: 'Error code',
  logLevel: 'Log level',
  eventCode: 'Event code',
  winlogUserName: 'Winlog user name',
  hostHostname: 'Host hostname',
  enterprise: 'Enterprise',
  timestamp: 'Timestamp',
} as const

export type LogFormField = keyof typeof logFormLabels

export type LogForm = Form<LogFormField>

/** A validated log line. */
export interface LogWish {
  logType: LogType
  message: string
  /** Null for a line of the computer `hostHostname` at the customer `enterprise`. */
  instrumentInstalledProductId: string | null
  /** Component of an EVENT line. */
  module: string | null
  level: string | null
  /** Error code of an EVENT line. */
  eventCode: string | null
  userName: string | null
  hostname: string | null
  enterprise: string | null
  timestamp: Date
}

export const eventFormLabels = {
  componentName: 'Module name',
  description: 'Description',
  userMessage: 'User message',
  severity: 'Severity',
  templateId: 'Template ID',
  instrumentInstalledProductId: 'Installed product ID',
  alertStatus: 'Alert status',
  alertType: 'Alert type',
  createdAt: 'Created at',
  logGeneratedAt: 'Log generated at',
  alertSource: 'Alert source',
  alertId: 'Alert ID',
  claimedBy: 'Owner',
  reasonClosed: 'Reason closed',
  reasonClosedComment: 'Reason comment',
  serviceMaxCaseNumber: 'ServiceMax case number',
  serviceMaxUrl: 'ServiceMax URL',
} as const
export type EventFormField = keyof typeof eventFormLabels
export type EventForm = Form<EventFormField>

/** EDGE_ISSUE is missing because it concerns a gateway, while this form creates events of instruments. */
export const creatableAlertSources = alertSources.filter((source) => source !== 'EDGE_ISSUE')

/** A validated event. */
export interface EventWish {
  componentName: string
  description: string
  userMessage: string
  severity: Severity
  templateId: string
  instrumentInstalledProductId: string
  alertStatus: AlertStatus
  alertType: AlertType
  /** Never later than `now`. */
  createdAt: Date
  /** Equals `createdAt` if the form does not set it; never later than `createdAt`. */
  logGeneratedAt: Date
  /** Comma-separated list that always contains BACKOFFICE. */
  alertSource: string
  alertId: string
  claimedBy: string | null
  reasonClosed: CloseReason | null
  reasonClosedComment: string | null
  serviceMaxCaseNumber: string | null
  serviceMaxUrl: string | null
}

/** The configured case number pattern and case URL hosts. */
export interface EventFormRules {
  now: Date
  caseNumberPattern: RegExp
  caseUrlHosts: readonly string[]
}

/** Maps both the labels of document 1 section 4 and the wire values to a status. */
const statusByLabel = new Map<string, AlertStatus>([
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
  const alertStatus = fields.word('alertStatus', (text) => statusByLabel.get(text.toUpperCase().replaceAll(' ', '_')), {
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

/**
 * Reads owner and closing reason. They depend on the status, so nothing is reported about them while the status is
 * unknown.
 */
function readClosing(fields: EventFields, status: AlertStatus | undefined, rules: EventFormRules) {
  const claimedBy = fields.text('claimedBy')
  const reasonClosed = fields.text('reasonClosed')
  const reasonClosedComment = fields.text('reasonClosedComment')
  const serviceMaxCaseNumber = fields.text('serviceMaxCaseNumber')
  const serviceMaxUrl = fields.text('serviceMaxUrl')
  if (status === '1_NEW' && claimedBy !== null)
    fields.refuse('claimedBy', 'must be empty for a new event: events with an owner are in progress')
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
        otherwise: 'must have the format of your case management, such as 00012345',
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

/** Returns the fields that a log of this type needs besides its message. */
export function requiredLogFields(logType: LogType, hasInstrument: boolean): LogFormField[] {
  switch (logType) {
    case 'VID':
    case 'COMM':
      return ['instrumentInstalledProductId', 'module']
    case 'EVENT':
      return ['instrumentInstalledProductId', 'componentName', 'errorCode']
    case 'WINDOWSSYSTEMEVENT':
      return ['instrumentInstalledProductId', 'logLevel', 'eventCode', 'winlogUserName', 'hostHostname']
    case 'UNICORNCLIENT':
      return hasInstrument ? [] : ['hostHostname', 'enterprise']
    default:
      return ['instrumentInstalledProductId']
  }
}

export function readLogForm(form: LogForm, { now }: { now: Date }): Reading<LogWish> {
  const fields = new Fields(form, logFormLabels)
  const message = fields.required('message')
  const logType = fields.word('logType', (text) => logTypes.find((type) => type === text.toUpperCase()), {
    otherwise: `must be ${inWords(logTypes)}`,
  })
  const instrumentInstalledProductId = fields.text('instrumentInstalledProductId')
  if (logType === undefined) fields.required('instrumentInstalledProductId')
  else for (const field of requiredLogFields(logType, instrumentInstalledProductId !== null)) fields.required(field)
  const timestamp = fields.instant('timestamp', { isRequired: false }) ?? now
  if (timestamp.getTime() > now.getTime() + CLOCK_TOLERANCE_MS) fields.refuse('timestamp', 'must not be in the future')
  const isEvent = logType === 'EVENT'
  const [module, component] = [fields.text('module'), fields.text('componentName')]
  const [eventCode, errorCode] = [fields.text('eventCode'), fields.text('errorCode')]
  return fields.read(() => ({
    logType: logType as LogType,
    message: message as string,
    instrumentInstalledProductId,
    module: isEvent ? component : (module ?? component),
    level: fields.text('logLevel'),
    eventCode: isEvent ? errorCode : (eventCode ?? errorCode),
    userName: fields.text('winlogUserName'),
    hostname: fields.text('hostHostname'),
    enterprise: fields.text('enterprise'),
    timestamp,
  }))
}

/** Parses an ISO 8601 date-time with a zone, or a date, which means midnight UTC. */
function instantOf(text: string): Date | undefined {
  const [, year, month, day] = (INSTANT.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined || year < 1970 || year > 9998) return undefined
  // Date.UTC would turn 30 February into 2 March.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) || at.getTime() < 0 ? undefined : at
}

/** Joins words as `a, b or c`. */
function inWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
