import type { UsageHistory } from '@benchwatch/contract/usage'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { ReadingTable } from './reading-table.tsx'
import { formatCount, withUnit } from './usage-judgement.ts'

/** The days of a counter for those who would rather read than look, newest first. */
export function UsageHistoryTable({ history }: { history: UsageHistory }) {
  const { values, resets, metric } = history
  const began = new Set(resets)
  return (
    <ReadingTable
      label={`${metric.metric}, day by day`}
      columns={['Day', metric.metric]}
      rows={values.toReversed().map(({ time, value }) => ({
        key: time,
        name: formatInstrumentDate(time),
        value: withUnit(formatCount(value), metric.unit),
        remark: began.has(time) ? 'Counting began anew' : null,
      }))}
    />
  )
}
