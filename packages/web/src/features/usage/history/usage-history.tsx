import type { UsageHistory as History } from '@benchwatch/contract/usage'
import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../lib/folded.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { daysBetween } from '../../../lib/time/zone-clock.ts'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ReadingTable, TableSwitch } from '../reading-table.tsx'
import { usageHistoryQuery } from '../usage.api.ts'
import { UsageIcon } from '../usage-bar.tsx'
import { formatCount, judgementLabel, limitOf, usageAmount, usageVerdict, withUnit } from '../usage-judgement.ts'
import styles from './usage-history.module.css'
import { UsageHistoryChart } from './usage-history-chart.tsx'

/** A dialog about one counter: its history, its forecast, and how the forecast was made. */
export function UsageHistory(props: {
  of: { id: string; componentName: string; metric: string }
  isOpen: boolean
  onClose: () => void
}) {
  const { of, isOpen, onClose } = props
  const history = useQuery({ ...usageHistoryQuery(of), enabled: isOpen })
  return (
    <Modal opened={isOpen} onClose={onClose} size={780} title={`${of.metric} · ${of.componentName}`}>
      <div className={styles.body}>
        {history.data !== undefined ? (
          <HistoryStory history={history.data} />
        ) : history.isError ? (
          <RetryLine onRetry={() => void history.refetch()}>The history could not be loaded.</RetryLine>
        ) : (
          <div role="status" aria-label="Loading history…" />
        )}
      </div>
    </Modal>
  )
}

function HistoryStory({ history }: { history: History }) {
  const [isTable, setIsTable] = useState(false)
  // Days of the history are UTC days.
  const today = new Date(useNow()).toISOString().slice(0, 10)
  const { metric, values } = history
  const pace = paceSentence(history)
  return (
    <>
      <p className={styles.now}>
        <UsageIcon color={metric.usageColor} />
        <strong>{judgementLabel(metric)}</strong>
        <span className={styles.amount}>{usageAmount(metric)}</span>
        <span className={styles.verdict}>{usageVerdict(metric)}</span>
      </p>
      <p className={styles.forecast}>{forecastSentence(history, today)}</p>
      {pace !== null && <p className={styles.pace}>{pace}</p>}
      {values.length === 0 ? (
        <p className={styles.pace}>No values yet.</p>
      ) : isTable ? (
        <UsageHistoryTable history={history} />
      ) : (
        <UsageHistoryChart history={history} today={today} />
      )}
      <p className={styles.end}>
        Last value of each day, in UTC
        {values.length > 0 && <TableSwitch isTable={isTable} onChange={setIsTable} />}
      </p>
    </>
  )
}

/** The days of a counter as a table, newest first. */
function UsageHistoryTable({ history }: { history: History }) {
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
        remark: began.has(time) ? 'Counter reset' : null,
      }))}
    />
  )
}

/** Sentences about a forecast and its basis (3-decisions 9, docs/instruments.md). Pure. */

/** Returns when the counter will reach its limit, or why there is no forecast. `today` is the UTC day, YYYY-MM-DD. */
export function forecastSentence({ metric, trend, values }: History, today: string): string {
  const { forecastDate, unit } = metric
  const limit = limitOf(metric)
  if (limit === null) return 'No forecast: this counter has no known limit.'
  const value = values.at(-1)?.value ?? metric.value
  if (value !== null && (limit.climbs ? value >= limit.value : value <= limit.value))
    return limit.climbs ? 'It has reached its maximum.' : 'It is due for a change.'
  if (trend === null) return 'No forecast yet: it needs five measured days over at least a week.'
  if (forecastDate === null)
    return (limit.climbs ? trend.perDay > 0 : trend.perDay < 0)
      ? 'At this pace, the limit is more than five years away.'
      : 'It is not approaching its limit.'
  const what = limit.climbs
    ? `reaches its maximum of ${withUnit(formatCount(limit.value), unit)}`
    : 'is due for a change'
  return `At this pace, it ${what} on ${formatInstrumentDate(forecastDate)}, ${untilLabel(daysBetween(today, forecastDate))}.`
}

/**
 * Returns e.g. `Rises by 38 strokes a day: the median pace of 37 measured days since 03-Oct-2026.` Null without a
 * trend.
 */
export function paceSentence({ metric, trend }: History): string | null {
  if (trend === null) return null
  const data = `the median pace of ${trend.days} measured days since ${formatInstrumentDate(trend.from)}`
  if (trend.perDay === 0) return `No change: ${data}.`
  const amount = Math.abs(trend.perDay).toLocaleString('en', { maximumSignificantDigits: 3 })
  // '1 days a day' would only confuse.
  const perDay = metric.unit === 'days' ? amount : withUnit(amount, metric.unit)
  return `${trend.perDay > 0 ? 'Rises' : 'Falls'} by ${perDay} a day: ${data}.`
}

function untilLabel(days: number): string {
  if (days <= 0) return 'today'
  return days === 1 ? 'tomorrow' : `in ${counted(days, 'day')}`
}
