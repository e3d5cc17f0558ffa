import { CLOCK_TOLERANCE_MS, Fields, type Form, inWords, type Reading } from './form-fields.ts'
import { type LogType, logTypes } from './vocabulary.ts'

/** What the form 'Insert log' of the back office takes: document 2 section 5. Pure, as `backoffice-event-form.ts`. */

export const logFormLabels = {
  message: 'Message',
  logType: 'Log type',
  instrumentInstalledProductId: 'Installed product id',
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

/** A line as the form asks for it. */
export interface LogWish {
  logType: LogType
  message: string
  /** Null: of the computer `hostHostname` at the customer `enterprise`. */
  instrumentInstalledProductId: string | null
  /** The component of an EVENT. */
  module: string | null
  level: string | null
  /** The error code of an EVENT. */
  eventCode: string | null
  userName: string | null
  hostname: string | null
  enterprise: string | null
  timestamp: Date
}

/** What a log of this type needs besides a message. */
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
