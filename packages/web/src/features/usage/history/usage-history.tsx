import type { UsageHistory as History } from '@benchwatch/contract/instruments/usage'
import { Box, Group, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../lib/folded.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { daysBetween } from '../../../lib/time/zone-clock.ts'
import { ChartTable, TableSwitch } from '../../../ui/charts/chart-table.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { usageHistoryQuery } from '../usage.api.ts'
import { UsageIcon } from '../usage-bar.tsx'
import { formatCount, judgementLabel, limitOf, usageAmount, usageVerdict, withUnit } from '../usage-judgement.ts'
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
      {/* As high as the chart and its texts, so that the dialog does not grow when they load. */}
      <Box mih={430} fz="sm">
        {history.data !== undefined ? (
          <HistoryStory history={history.data} />
        ) : history.isError ? (
          <RetryLine onRetry={() => void history.refetch()}>The history could not be loaded.</RetryLine>
        ) : (
          <div role="status" aria-label="Loading history…" />
        )}
      </Box>
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
      <Group gap="3px 8px">
        <UsageIcon color={metric.usageColor} />
        <b>{judgementLabel(metric)}</b>
        <span>{usageAmount(metric)}</span>
        <Text span size="xs" c="dimmed" ml="auto">
          {usageVerdict(metric)}
        </Text>
      </Group>
      <Text mt={10} fw={550}>
        {forecastSentence(history, today)}
      </Text>
      {pace !== null && (
        <Text mt={2} c="dimmed">
          {pace}
        </Text>
      )}
      {values.length === 0 ? (
        <Text mt={2} c="dimmed">
          No values yet.
        </Text>
      ) : isTable ? (
        <UsageHistoryTable history={history} />
      ) : (
        <UsageHistoryChart history={history} today={today} />
      )}
      <Group justify="space-between" gap="0 16px" mt={10} fz="xs" c="dimmed">
        Last value of each day, in UTC
        {values.length > 0 && <TableSwitch isTable={isTable} onChange={setIsTable} />}
      </Group>
    </>
  )
}

/** The days of a counter as a table, newest first. */
function UsageHistoryTable({ history }: { history: History }) {
  const { values, resets, metric } = history
  const began = new Set(resets)
  return (
    <Box mt={10}>
      <ChartTable
        label={`${metric.metric}, day by day`}
        columns={[{ label: 'Day', look: 'row' }, { label: metric.metric }]}
        rows={values.toReversed().map(({ time, value }) => [
          formatInstrumentDate(time),
          <>
            {withUnit(formatCount(value), metric.unit)}
            {began.has(time) && (
              <Text span size="xs" c="dimmed">
                {' Counter reset'}
              </Text>
            )}
          </>,
        ])}
        height={270}
      />
    </Box>
  )
}

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
