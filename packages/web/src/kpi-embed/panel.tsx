import type { KpiTable } from '@benchwatch/contract/kpi'
import { type KpiMeasure, kpiMeasureLabels } from '@benchwatch/contract/vocabulary'
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { utcDay } from '../features/kpi/kpi-question.ts'
import { saveFile } from '../ui/save-file.ts'
import { RetryLine } from '../ui/text/notice.tsx'
import { SkeletonLine } from '../ui/text/skeleton.tsx'
import styles from './panel.module.css'
import type { PanelDefinition } from './panels.tsx'
import { type Cell, type Column, count, formatCell, type KpiTableInputs, kpiTableQuery, rowsOf } from './table-rows.ts'

/** Makes programs read the file as UTF-8 instead of guessing. */
const BYTE_ORDER_MARK = '\uFEFF'

const LINE_END = '\r\n'

/** Characters that a spreadsheet takes for the start of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Shows one measure as chart or table, with its CSV download and notes. */
export function Panel({ definition, query }: { definition: PanelDefinition; query: KpiTableInputs }) {
  const { measure, most, chart } = definition
  const [isTable, setTable] = useState(false)
  const titleId = useId()
  const table = useQuery(kpiTableQuery(measure, query))
  const title = kpiMeasureLabels[measure]
  const rows = table.data === undefined ? [] : rowsOf(table.data)
  const drawn = most === undefined ? rows : rows.slice(0, most)

  function handleExport() {
    if (table.data === undefined) return
    const days = definition.isNow ? utcDay(Date.now()) : `${query.from}_${query.to}`
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

/**
 * Writes a table as CSV, like every export of the product: 3-decisions 8. Durations are in seconds, shares from 0 to
 * 1.
 */
export function writeCsv({ columns, rows }: Pick<KpiTable, 'columns' | 'rows'>): string {
  const lines = [
    columns.map(({ label, kind }) => quoted(kind === 'seconds' ? `${label} (s)` : label)),
    ...rows.map((cells) => columns.map((column, index) => writeCell(column, cells[index] ?? null))),
  ]
  return BYTE_ORDER_MARK + lines.map((line) => line.join(',') + LINE_END).join('')
}

function writeCell({ kind }: Column, cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // Dates begin with the year and need no guard.
  return quoted(kind === 'text' && FORMULA.test(cell) ? `'${cell}` : cell)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Shows all rows and columns of a measure. */
function TableView({ label, table }: { label: string; table: KpiTable }) {
  const { columns, rows } = table
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-kind={column.kind}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {columns.map(({ key, kind }, index) => (
                <td key={key} data-kind={kind}>
                  {kind === 'text' ? (
                    <bdi>{formatCell(kind, cells[index] ?? null)}</bdi>
                  ) : (
                    formatCell(kind, cells[index] ?? null)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
