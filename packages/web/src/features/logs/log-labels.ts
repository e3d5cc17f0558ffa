import type { LogType } from '@benchwatch/contract/vocabulary'

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

/** Returns `VID Service`; client logs include the computer: `Client Log – PC-012`. */
export function logLabel({ logType, computerName }: { logType: LogType; computerName: string | null }): string {
  return computerName === null ? labels[logType] : `${labels[logType]} – ${computerName}`
}
