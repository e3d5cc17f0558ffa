import { type LogType, logTypes } from '@benchwatch/contract/vocabulary'

/** Names of logs: 3-decisions 4 ("Logs"). */
const labels: Record<LogType, string> = {
  VID: 'VID Service',
  COMM: 'VID Com',
  AUDITTRAIL: 'System Audit Trail',
  INSTRUMENTSERVER: 'Instr. Server Call Log',
  UNICORNCLIENT: 'Client Log',
  WINDOWSSYSTEMEVENT: 'System Event Log',
  EVENT: 'Event Log',
  CONNECTIVITY: 'Connectivity',
  THRESHOLD: 'Threshold',
  SYSTEMREPORT: 'System Report',
}

/** One log of the instrument. `computerName` is null except for client logs. */
export interface LogChoice {
  logType: LogType
  computerName: string | null
}

/** Returns `VID Service`; client logs include the computer: `Client Log – PC-012`. */
export function logLabel({ logType, computerName }: LogChoice): string {
  return computerName === null ? labels[logType] : `${labels[logType]} – ${computerName}`
}

/** Returns `VID`, `UNICORNCLIENT:PC-012`: the log in addresses and in lists of choices. */
export function writeLog({ logType, computerName }: LogChoice): string {
  return computerName === null ? logType : `${logType}:${computerName}`
}

/** Reads a log's name. A computer is allowed for client logs only. */
export function readLog(text: string): LogChoice | null {
  const [name = '', ...rest] = text.split(':')
  const logType = logTypes.find((type: LogType) => type === name.toUpperCase())
  // A computer's name may contain a colon, like an IPv6 address.
  const computerName = rest.join(':').trim()
  if (logType === undefined || computerName.length > 200) return null
  if (computerName === '') return { logType, computerName: null }
  return logType === 'UNICORNCLIENT' ? { logType, computerName } : null
}

/** Explains why two logs cannot be compared; null if they can. The first text is literal in the specification. */
export function pairProblem(first: LogChoice, second: LogChoice): string | null {
  if (first.logType === 'UNICORNCLIENT' && second.logType === 'UNICORNCLIENT')
    return 'Cannot view two separate client logs side by side'
  return first.logType === second.logType ? 'Choose two different logs.' : null
}
