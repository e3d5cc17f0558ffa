import type { DailyRuntime } from '@benchwatch/contract/usage'
import { counted } from '../../lib/folded.ts'
import { formatHours, runtimeDays, runtimeTotals, todayAt } from '../usage/runtime/runtime-axis.ts'
import type { ReportBlock } from './report-model.ts'

/** Days of run time in a report (document 2 section 9). */
export const REPORT_DAYS = 30

/** Returns the chart with its figures as text; a sentence alone if there are no data. */
export function runtimeBlocks(
  points: readonly DailyRuntime[],
  { timeZone, now }: { timeZone: string; now: number },
): ReportBlock[] {
  const days = runtimeDays(points, { today: todayAt(timeZone, now), numberOfDays: REPORT_DAYS })
  if (days.every(({ hours }) => hours === null))
    return [{ kind: 'text', text: `No run time was reported in the last ${REPORT_DAYS} days.` }]
  const { sum, mean, absentDays } = runtimeTotals(days)
  const figures = [
    `${formatHours(sum)} in all`,
    mean === null ? null : `${formatHours(mean)} a day on average`,
    absentDays === 0 ? null : `no data on ${counted(absentDays, 'day')}`,
  ]
  const label = figures.filter((figure) => figure !== null).join(', ')
  return [
    { kind: 'run-time', days, label: `Hours of running on each day: ${label}` },
    { kind: 'text', text: `${label}. Days at the site (${timeZone}).` },
  ]
}
