import type { DailyRuntime } from '@benchwatch/contract/instruments/usage'
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
  const { sum, mean, wholeDays, absentDays } = runtimeTotals(days)
  const figures = [
    `Total ${formatHours(sum)}`,
    mean === null ? null : `average ${formatHours(mean)}/day over ${counted(wholeDays, 'day')}`,
    absentDays === 0 ? null : `${counted(absentDays, 'day')} without data`,
  ]
  const label = figures.filter((figure) => figure !== null).join(' · ')
  return [
    { kind: 'run-time', days, label: `Run time of each day: ${label}` },
    { kind: 'text', text: `${label}. Days in site time (${timeZone}).` },
  ]
}
