import { type KpiMeasure, kpiMeasureLabels } from '@benchwatch/contract/kpi-vocabulary'
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { utcDay } from '../features/kpi/kpi-question.ts'
import { RetryLine } from '../ui/retry-line.tsx'
import { saveFile } from '../ui/save-file.ts'
import { SkeletonLine } from '../ui/skeleton.tsx'
import { type AskedTables, kpiTableQuery } from './kpi-tables.api.ts'
import styles from './panel.module.css'
import type { PanelDefinition } from './panels.tsx'
import { writeCsv } from './table-file.ts'
import { count, rowsOf } from './table-rows.ts'
import { TableView } from './table-view.tsx'

/** One measure: its chart or its table, its file, and what must be known to read it. */
export function Panel({ definition, asked }: { definition: PanelDefinition; asked: AskedTables }) {
  const { measure, most, chart } = definition
  const [isTable, setTable] = useState(false)
  const titleId = useId()
  const table = useQuery(kpiTableQuery(measure, asked))
  const title = kpiMeasureLabels[measure]
  const rows = table.data === undefined ? [] : rowsOf(table.data)
  const drawn = most === undefined ? rows : rows.slice(0, most)

  function handleExport() {
    if (table.data === undefined) return
    const days = definition.isNow ? utcDay(Date.now()) : `${asked.from}_${asked.to}`
    saveFile(`${measure}_${days}.csv`, 'text/csv;charset=utf-8', writeCsv(table.data))
  }

  return (
    <section className={styles.panel} data-wide={definition.isWide || undefined} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {rows.length > 0 && (
          <div className={styles.actions}>
            <button
              type="button"
              aria-label={`${isTable ? 'Chart' : 'Table'}: ${title}`}
              onClick={() => setTable(!isTable)}
            >
              {isTable ? <IconChartBar {...icon} /> : <IconTable {...icon} />}
              {isTable ? 'Chart' : 'Table'}
            </button>
            <button
              type="button"
              aria-label={`Export: ${title}`}
              disabled={table.isPlaceholderData}
              onClick={handleExport}
            >
              <IconDownload {...icon} />
              Export
            </button>
          </div>
        )}
      </header>
      <div className={styles.body} data-stale={table.isPlaceholderData || undefined} aria-busy={table.isFetching}>
        {table.isError ? (
          <RetryLine onRetry={() => void table.refetch()}>{table.error.message}</RetryLine>
        ) : table.isPending ? (
          <Waiting measure={measure} />
        ) : rows.length === 0 ? (
          <p className={styles.empty}>{definition.empty}</p>
        ) : isTable ? (
          <TableView label={`Table: ${title}`} table={table.data} />
        ) : (
          chart(drawn)
        )}
      </div>
      {table.data !== undefined && (table.data.note !== null || (drawn.length < rows.length && !isTable)) && (
        <footer className={styles.foot}>
          {drawn.length < rows.length && !isTable && (
            <button type="button" onClick={() => setTable(true)}>
              {drawn.length} of {count(rows.length)}: show all
            </button>
          )}
          {table.data.note}
        </footer>
      )}
    </section>
  )
}

const icon = { size: 15, stroke: 1.7, 'aria-hidden': true } as const

function Waiting({ measure }: { measure: KpiMeasure }) {
  return (
    <div className={styles.waiting} role="status" aria-label={`Loading: ${kpiMeasureLabels[measure]}`}>
      {['86%', '72%', '64%', '52%', '43%', '30%'].map((width) => (
        <SkeletonLine key={width} width={width} />
      ))}
    </div>
  )
}
