import { IconPrinter, IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { daysOf, type KpiQuestion } from '../features/kpi/kpi-question.ts'
import { formatInstrumentDate } from '../lib/dates.ts'
import choices from './choices.module.css'
import type { ConsoleDoor } from './console-door.ts'
import { CustomerChoice, customersWords } from './customer-choice.tsx'
import styles from './dashboard.module.css'
import { Headline } from './headline.tsx'
import type { AskedTables } from './kpi-tables.api.ts'
import { Panel } from './panel.tsx'
import { panels } from './panels.tsx'
import { RangeChoice } from './range-choice.tsx'
import { FillPatterns } from './severity-fill.tsx'

/** All measures of the product for some days and customers: docs/kpi.md. */
export function Dashboard({ consoleDoor, initial }: { consoleDoor: ConsoleDoor; initial: KpiQuestion }) {
  const [question, setQuestion] = useState(initial)
  const [isOver, setOver] = useState(false)
  const titleId = useId()

  useEffect(() => consoleDoor.listen({ onQuestion: setQuestion, onEnd: () => setOver(true) }), [consoleDoor])

  function handleQuestion(part: Partial<KpiQuestion>) {
    const next = { ...question, ...part }
    setQuestion(next)
    consoleDoor.ask(next)
  }

  if (isOver) return <Ended />
  const asked: AskedTables = { ...daysOf(question.range, new Date()), customers: question.customers }
  return (
    <main className={styles.page} aria-labelledby={titleId}>
      <FillPatterns />
      <header className={styles.head}>
        <div>
          <h1 id={titleId}>Service overview</h1>
          <p className={styles.about}>
            {formatInstrumentDate(asked.from)} to {formatInstrumentDate(asked.to)}, days in UTC ·{' '}
            <bdi>{customersWords(question.customers)}</bdi>
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
      <Headline asked={asked} />
      <div className={styles.panels}>
        {panels.map((definition) => (
          <Panel key={definition.measure} definition={definition} asked={asked} />
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

/** No token of this dashboard is left: another role by now, or a page that was opened by itself. */
function Ended() {
  return (
    <main className={styles.ended}>
      <div role="alert">
        <h1>These key figures are closed</h1>
        <p>Open KPI from the side bar of the console again.</p>
      </div>
    </main>
  )
}
