import { runtimeRanges } from '@benchwatch/contract/vocabulary'
import { Box, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { counted } from '../../../lib/folded.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { ChartTable, TableSwitch } from '../../../ui/charts/chart-table.tsx'
import { SegmentedControl } from '../../../ui/form/segmented-control.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { LazyPart } from '../../../ui/layout/lazy-part.tsx'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { dailyRuntimesQuery, USAGE_POLL_MS, useFlags } from '../usage.api.ts'
import { formatHours, hoursLabel, type RuntimeDay, runtimeDays, runtimeTotals, todayAt } from './runtime-axis.ts'

const RuntimeChart = lazy(() => import('./runtime-chart.tsx').then((file) => ({ default: file.RuntimeChart })))

type Range = (typeof runtimeRanges)[number]
const rangeLabels: Record<Range, string> = { 7: 'Last week', 30: 'Last month', 365: 'Last year' }

interface RuntimeCardProps {
  instrument: { id: string; instrumentTimeZone: string }
}

/** Daily run time of an instrument. Without the flag that shows it, the card sends no request. Document 2 section 4. */
export function RuntimeCard({ instrument }: RuntimeCardProps) {
  const isShown = useFlags('FETCH_INSTRUMENT_DAILY_RUNTIMES')
  return isShown ? <DailyRuntimeCard instrument={instrument} /> : null
}

function DailyRuntimeCard({ instrument }: RuntimeCardProps) {
  const { id, instrumentTimeZone } = instrument
  const [range, setRange] = useState<Range>(runtimeRanges[0])
  const [isTable, setIsTable] = useState(false)
  const runtimes = useQuery({ ...dailyRuntimesQuery(id, range), refetchInterval: USAGE_POLL_MS })
  useFailureToast(runtimes, 'Daily run times could not be loaded.')
  const today = todayAt(instrumentTimeZone, useNow())
  const days = runtimes.data && runtimeDays(runtimes.data, { today, numberOfDays: range })

  return (
    <Card
      title="Daily run time"
      end={
        <SegmentedControl
          label="Period"
          value={range}
          options={runtimeRanges.map((days) => ({ value: days, label: rangeLabels[days] }))}
          onChange={setRange}
        />
      }
    >
      {/* As high as the chart and its texts, so that nothing below moves when they load. */}
      <Box mih={268} opacity={runtimes.isPlaceholderData ? 0.55 : undefined}>
        {days === undefined ? (
          runtimes.isPending ? (
            <div role="status" aria-label="Loading daily run times…" />
          ) : (
            <RetryLine onRetry={() => void runtimes.refetch()}>Daily run times could not be loaded.</RetryLine>
          )
        ) : (
          <>
            {isTable ? (
              <ChartTable
                label="Run time of each day"
                columns={[{ label: 'Day', look: 'row' }, { label: 'Run time' }]}
                rows={days.toReversed().map((one) => [formatInstrumentDate(one.day), hoursLabel(one)])}
                height={230}
              />
            ) : (
              <LazyPart onFailure={() => setIsTable(true)} fallback={<Box h={222} />}>
                <RuntimeChart days={days} label="Run time of each day" />
              </LazyPart>
            )}
            <Totals days={days} />
            <Group justify="space-between" gap="0 16px" mt={4} fz="xs" c="dimmed">
              Days in site time ({instrumentTimeZone})
              <TableSwitch isTable={isTable} onChange={setIsTable} />
            </Group>
          </>
        )}
      </Box>
    </Card>
  )
}

/** Shows e.g. `Total 39.2 h · average 6.5 h/day over 6 days · 2 days without data`. */
function Totals({ days }: { days: readonly RuntimeDay[] }) {
  const { sum, mean, wholeDays, absentDays } = runtimeTotals(days)
  const isEmpty = days.every(({ hours }) => hours === null)
  return (
    <Group
      component="ul"
      aria-label="Total and average"
      gap="2px 18px"
      m={0}
      mt={10}
      p={0}
      fz="sm"
      style={{ listStyle: 'none' }}
    >
      {!isEmpty && (
        <li>
          Total <b>{formatHours(sum)}</b>
        </li>
      )}
      {mean !== null && (
        <li>
          average <b>{formatHours(mean)}/day</b> over {counted(wholeDays, 'day')}
        </li>
      )}
      {absentDays > 0 && (
        <li>
          <NoDataKey />
          {counted(absentDays, 'day')} without data
        </li>
      )}
    </Group>
  )
}

/** The hatching of gaps. */
function NoDataKey() {
  return (
    <Box component="svg" w={14} h={10} mr={6} stroke="var(--bw-line-strong)" fill="none" aria-hidden="true">
      <path d="M.5.5h13v9H.5ZM0 5 5 0M0 10 10 0M5 10 14 1M10 10 14 6" strokeWidth="1.2" />
    </Box>
  )
}
