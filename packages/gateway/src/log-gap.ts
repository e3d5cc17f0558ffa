import { z } from 'zod'
import type { Report } from './report.ts'

/** Log lines of one log that were dropped because the outbox was full. */
export interface LogGap {
  subject: string
  logType: LogReport['data']['logType']
  lines: number
  /** Times of the first and last dropped line, as the source wrote them. */
  from: string
  to: string
}

type LogReport = Extract<Report, { type: 'benchwatch.log.appended' }>

/** Marks the one line that tells of a gap, so that a gap whose own line is dropped is counted on. */
const GAP_CODE = 'GATEWAY-GAP'

const storedLog = z.object({
  subject: z.string(),
  data: z.object({
    logType: z.string(),
    lines: z.array(z.object({ timestamp: z.string(), message: z.string(), eventCode: z.string().nullish() })),
  }),
})

/** Adds a dropped log item (its stored JSON text) to the gap of its log. */
export function widenGap(gaps: Map<string, LogGap>, stored: string): string {
  const { subject, data } = storedLog.parse(JSON.parse(stored))
  const name = `${subject}/${data.logType}`
  const gap = gaps.get(name)
  const times = data.lines.map(({ timestamp }) => timestamp).sort()
  const first = times[0] ?? ''
  const last = times.at(-1) ?? first
  gaps.set(name, {
    subject,
    logType: data.logType as LogGap['logType'],
    lines: (gap?.lines ?? 0) + data.lines.reduce((sum, line) => sum + linesOf(line), 0),
    from: gap && gap.from < first ? gap.from : first,
    to: gap && gap.to > last ? gap.to : last,
  })
  return name
}

function linesOf({ eventCode, message }: { eventCode?: string | null | undefined; message: string }): number {
  return eventCode === GAP_CODE ? Number.parseInt(message, 10) || 1 : 1
}

/** The gap as a line of the log in which the lines are missing. */
export function gapReport(gap: LogGap): LogReport {
  const message = `${gap.lines} log ${gap.lines === 1 ? 'line' : 'lines'} from ${gap.from} to ${gap.to} could not be kept: the gateway's disk limit was reached before they were sent.`
  const line = { timestamp: gap.to, message, module: 'GATEWAY', level: 'WARNING', eventCode: GAP_CODE }
  return {
    type: 'benchwatch.log.appended',
    subject: gap.subject,
    time: new Date(gap.to),
    data: { logType: gap.logType, lines: [line] },
  }
}
