import type { KpiMeasure } from '@benchwatch/contract/kpi-vocabulary'
import { useQuery } from '@tanstack/react-query'
import { formatSpan } from '../lib/duration.ts'
import { SkeletonLine } from '../ui/skeleton.tsx'
import styles from './headline.module.css'
import { type AskedTables, kpiTableQuery } from './kpi-tables.api.ts'
import { count, percent, rowsOf, type TableRow } from './table-rows.ts'

/** What people look for first, of the same tables as the panels below. */
export function Headline({ asked }: { asked: AskedTables }) {
  return (
    <section className={styles.figures} aria-label="Headline figures">
      <Figure asked={asked} measure="event-rate" name="Events" read={readEvents} />
      <Figure asked={asked} measure="open-by-age" name="Open now" read={readOpen} />
      <Figure asked={asked} measure="response" name="Median time to acknowledge" read={readAcknowledge} />
      <Figure asked={asked} measure="sla" name="24-hour contracts kept" read={readKept} />
    </section>
  )
}

interface Reading {
  value: string
  detail: string
}

function Figure(props: {
  asked: AskedTables
  measure: KpiMeasure
  name: string
  read: (rows: readonly TableRow[]) => Reading
}) {
  const table = useQuery(kpiTableQuery(props.measure, props.asked))
  const reading = table.isError
    ? { value: '–', detail: 'Could not be loaded' }
    : table.data && props.read(rowsOf(table.data))
  return (
    <dl className={styles.figure} data-stale={table.isPlaceholderData || undefined}>
      <dt>{props.name}</dt>
      <dd className={styles.value}>{reading?.value ?? <SkeletonLine width="50%" />}</dd>
      <dd className={styles.detail}>{reading?.detail ?? <SkeletonLine width="80%" />}</dd>
    </dl>
  )
}

const sum = (rows: readonly TableRow[], key: string) => rows.reduce((total, row) => total + row.number(key), 0)

function readEvents(rows: readonly TableRow[]): Reading {
  const [high, medium, low] = ['high', 'medium', 'low'].map((key) => count(sum(rows, key)))
  return { value: count(sum(rows, 'total')), detail: `${high} high · ${medium} medium · ${low} low` }
}

function readOpen(rows: readonly TableRow[]): Reading {
  const oldest = rows.at(-1)
  return {
    value: count(sum(rows, 'total')),
    detail: `${count(sum(rows, 'high'))} high · ${count(oldest?.number('total') ?? 0)} older than 30 days`,
  }
}

function readAcknowledge([row]: readonly TableRow[]): Reading {
  const [median, p90] = [row?.numberOrNull('acknowledgeMedian') ?? null, row?.numberOrNull('acknowledgeP90') ?? null]
  if (median === null || p90 === null) return { value: '–', detail: 'None acknowledged' }
  return { value: formatSpan(median), detail: `90 % within ${formatSpan(p90)}` }
}

function readKept(rows: readonly TableRow[]): Reading {
  const [kept, missed, running] = [sum(rows, 'kept'), sum(rows, 'missed'), sum(rows, 'running')]
  return {
    value: kept + missed === 0 ? '–' : percent(kept / (kept + missed)),
    detail: `${count(missed)} missed of ${count(kept + missed)}${running === 0 ? '' : ` · ${count(running)} running`}`,
  }
}
