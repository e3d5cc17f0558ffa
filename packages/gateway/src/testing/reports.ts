import type { Report } from '../report.ts'

const time = new Date('2026-11-20T14:02:23.000Z')

export function anAlarm(alertId: string): Report {
  return {
    type: 'benchwatch.alarm.raised',
    subject: 'IP-20431187',
    time,
    data: {
      alertId,
      templateId: 'P9B-1042',
      alertType: 1,
      componentName: 'Pump B (P9-B)',
      logGeneratedAt: time.toISOString(),
    },
  }
}

export function aStatus(instrumentStatus: 'ready' | 'method run' = 'ready'): Report {
  return { type: 'benchwatch.status.changed', subject: 'IP-20431187', time, data: { instrumentStatus } }
}

/** Returns a log item with one line; the text identifies the item, `at` is the second of the line. */
export function aLog(message: string, at = 0): Report {
  const timestamp = new Date(time.getTime() + at * 1000).toISOString()
  return {
    type: 'benchwatch.log.appended',
    subject: 'IP-20431187',
    time,
    data: { logType: 'VID', lines: [{ timestamp, message }] },
  }
}
