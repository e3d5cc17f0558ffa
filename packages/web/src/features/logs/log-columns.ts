import type { LogField } from '@benchwatch/contract/logs'
import type { LogType } from '@benchwatch/contract/vocabulary'

/** What of a line is shown beside its time, by what that log tells. */

const ofModules = ['log.level', 'module', 'event.code', 'message'] as const

const columns: Record<LogType, readonly LogField[]> = {
  VID: ofModules,
  COMM: ofModules,
  AUDITTRAIL: ['log.level', 'winlog.user.name', 'module', 'event.code', 'message'],
  INSTRUMENTSERVER: ['log.level', 'host.hostname', 'event.code', 'message'],
  // Not the host: the log is that of one computer, which its label names.
  UNICORNCLIENT: ['log.level', 'winlog.user.name', 'event.code', 'message'],
  WINDOWSSYSTEMEVENT: ['log.level', 'event.code', 'winlog.user.name', 'host.hostname', 'message'],
  CONNECTIVITY: ofModules,
  THRESHOLD: ofModules,
  SYSTEMREPORT: ofModules,
  EVENT: ofModules,
}

/** In the order in which they stand; the message is the last one. */
export function logColumns(logType: LogType): readonly LogField[] {
  return columns[logType]
}

/** What the fields of a line are called. */
export const fieldLabels: Record<LogField, string> = {
  'log.level': 'Level',
  module: 'Module',
  'event.code': 'Code',
  'winlog.user.name': 'User',
  'host.hostname': 'Host',
  message: 'Message',
}
