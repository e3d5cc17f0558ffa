import { runtimeRanges } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../lib/folded.ts'
import { SegmentedControl } from '../../../ui/form/segmented-control.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { TableSwitch } from '../reading-table.tsx'
import { dailyRuntimesQuery, USAGE_POLL_MS, useFlags } from '../usage.api.ts'
import { formatHours, type RuntimeDay, runtimeDays, runtimeTotals, todayAt } from './runtime-axis.ts'
import styles from './runtime-card.module.css'
import { RuntimeChart, RuntimeTable } from './runtime-chart.tsx'

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
          value={`${range}`}
          options={runtimeRanges.map((days) => ({ value: `${days}`, label: rangeLabels[days] }))}
          onChange={(value) => setRange(runtimeRanges.find((days) => `${days}` === value) ?? 7)}
        />
      }
    >
      <div className={styles.body} data-stale={runtimes.isPlaceholderData || undefined}>
        {days === undefined ? (
          runtimes.isPending ? (
            <div role="status" aria-label="Loading daily run times…" className={styles.waiting} />
          ) : (
            <RetryLine onRetry={() => void runtimes.refetch()}>Daily run times could not be loaded.</RetryLine>
          )
        ) : (
          <>
            {isTable ? <RuntimeTable days={days} /> : <RuntimeChart days={days} label="Run time of each day" />}
            <Totals days={days} />
            <p className={styles.zone}>
              Days in site time ({instrumentTimeZone})
              <TableSwitch isTable={isTable} onChange={setIsTable} />
            </p>
          </>
        )}
      </div>
    </Card>
  )
}

/** Shows e.g. `Total 39.2 h · average 6.5 h/day over 6 days · 2 days without data`. */
function Totals({ days }: { days: readonly RuntimeDay[] }) {
  const { sum, mean, wholeDays, absentDays } = runtimeTotals(days)
  const isEmpty = days.every(({ hours }) => hours === null)
  return (
    <ul className={styles.totals} aria-label="Total and average">
      {!isEmpty && (
        <li>
          Total <strong>{formatHours(sum)}</strong>
        </li>
      )}
      {mean !== null && (
        <li>
          average <strong>{formatHours(mean)}/day</strong> over {counted(wholeDays, 'day')}
        </li>
      )}
      {absentDays > 0 && <li data-absent>{counted(absentDays, 'day')} without data</li>}
    </ul>
  )
}
