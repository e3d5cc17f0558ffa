import type { KpiTable } from '@benchwatch/contract/kpi'
import { cellWords } from './table-rows.ts'
import styles from './table-view.module.css'

/** A measure with all of its rows and columns. */
export function TableView({ label, table }: { label: string; table: KpiTable }) {
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
                    <bdi>{cellWords(kind, cells[index] ?? null)}</bdi>
                  ) : (
                    cellWords(kind, cells[index] ?? null)
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
