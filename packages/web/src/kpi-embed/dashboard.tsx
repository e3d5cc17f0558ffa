import type { KpiMeasure } from '@benchwatch/contract/vocabulary'
import { IconPrinter, IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { daysOf, type KpiQuestion } from '../features/kpi/kpi-question.ts'
import { formatInstrumentDate } from '../lib/time/dates.ts'
import { formatSpan } from '../lib/time/duration.ts'
import { SkeletonLine } from '../ui/text/skeleton.tsx'
import choices from './choices.module.css'
import type { ConsoleChannel } from './console-channel.ts'
import { CustomerChoice, customersLabel } from './customer-choice.tsx'
import styles from './dashboard.module.css'
import { Panel } from './panel.tsx'
import { panels } from './panels.tsx'
import { RangeChoice } from './range-choice.tsx'
import { FillPatterns } from './severity-fill.tsx'
import { count, type KpiTableInputs, kpiTableQuery, percent, rowsOf, type TableRow } from './table-rows.ts'

interface Reading {
  value: string
  detail: string
}

const sum = (rows: readonly TableRow[], key: string) => rows.reduce((total, row) => total + row.number(key), 0)

/** Shows all measures for the selected days and customers: docs/kpi.md. */
export function Dashboard({ consoleChannel, initial }: { consoleChannel: ConsoleChannel; initial: KpiQuestion }) {
  const [question, setQuestion] = useState(initial)
  const [isOver, setOver] = useState(false)
  const titleId = useId()

  useEffect(() => consoleChannel.listen({ onQuestion: setQuestion, onEnd: () => setOver(true) }), [consoleChannel])

  function handleQuestion(part: Partial<KpiQuestion>) {
    const next = { ...question, ...part }
    setQuestion(next)
    consoleChannel.ask(next)
  }

  if (isOver) return <Ended />
  const query: KpiTableInputs = { ...daysOf(question.range, new Date()), customers: question.customers }
  return (
    <main className={styles.page} aria-labelledby={titleId}>
      <FillPatterns />
      <header className={styles.head}>
        <div>
          <h1 id={titleId}>Service overview</h1>
          <p className={styles.about}>
            {formatInstrumentDate(query.from)} to {formatInstrumentDate(query.to)}, days in UTC ·{' '}
            <bdi>{customersLabel(question.customers)}</bdi>
          </p>
        </div>
        <div className={styles.controls}>
          <RangeChoice range={question.range} onChange={(range) => handleQuestion({ range })} />
          <CustomerChoice chosen={question.customers} onChange={(customers) => handleQuestion({ customers })} />
          <Refresh />
          <button type="button" className={choices.button} onClick={() => window.print()}>
            <IconPrinter size={15} stroke={1.7} aria-hidden="true" />
            <span className={choices.word}>Print</span>
          </button>
        </div>
      </header>
      <Headline query={query} />
      <div className={styles.panels}>
        {panels.map((definition) => (
          <Panel key={definition.measure} definition={definition} query={query} />
        ))}
      </div>
    </main>
  )
}

function Refresh() {
  const client = useQueryClient()
  const isFetching = useIsFetching() > 0
  return (
    <button
      type="button"
      className={choices.button}
      disabled={isFetching}
      onClick={() => void client.invalidateQueries()}
    >
      <IconRefresh size={15} stroke={1.7} aria-hidden="true" className={isFetching ? styles.turning : undefined} />
      <span className={choices.word}>Refresh</span>
    </button>
  )
}

/** Shown when no token is left: the user's role has changed, or the page was opened outside the console. */
function Ended() {
  return (
    <main className={styles.ended}>
      <div role="alert">
        <h1>Access to this dashboard has expired</h1>
        <p>Open KPI from the side bar again.</p>
      </div>
    </main>
  )
}

/** Headline figures, from the same tables as the panels below. */
function Headline({ query }: { query: KpiTableInputs }) {
  return (
    <section className={choices.figures} aria-label="Headline figures">
      <Figure query={query} measure="event-rate" name="Events" read={readEvents} />
      <Figure query={query} measure="open-by-age" name="Open now" read={readOpen} />
      <Figure query={query} measure="response" name="Median time to acknowledge" read={readAcknowledge} />
      <Figure query={query} measure="sla" name="24-hour contracts met" read={readKept} />
    </section>
  )
}

function Figure(props: {
  query: KpiTableInputs
  measure: KpiMeasure
  name: string
  read: (rows: readonly TableRow[]) => Reading
}) {
  const table = useQuery(kpiTableQuery(props.measure, props.query))
  const reading = table.isError
    ? { value: '–', detail: 'Could not be loaded' }
    : table.data && props.read(rowsOf(table.data))
  return (
    <dl className={choices.figure} data-stale={table.isPlaceholderData || undefined}>
      <dt>{props.name}</dt>
      <dd className={choices.value}>{reading?.value ?? <SkeletonLine width="50%" />}</dd>
      <dd className={choices.detail}>{reading?.detail ?? <SkeletonLine width="80%" />}</dd>
    </dl>
  )
}

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
  return { value: formatSpan(median), detail: `90% within ${formatSpan(p90)}` }
}

function readKept(rows: readonly TableRow[]): Reading {
  const [kept, missed, running] = [sum(rows, 'kept'), sum(rows, 'missed'), sum(rows, 'running')]
  return {
    value: kept + missed === 0 ? '–' : percent(kept / (kept + missed)),
    detail: `${count(missed)} missed of ${count(kept + missed)}${running === 0 ? '' : ` · ${count(running)} running`}`,
  }
}
