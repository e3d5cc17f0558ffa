import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './chart-table.module.css'

/** The data of a chart as a table that scrolls at the chart's height. */
export function ChartTable(props: {
  label: string
  /** Numbers are aligned at their end, names may take several lines, and `row` is the heading of its row. */
  columns: readonly { label: string; look?: 'number' | 'name' | 'row' }[]
  rows: readonly (readonly ReactNode[])[]
  height: number
}) {
  const { label, columns, rows, height } = props
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
    <section className={styles.frame} style={{ maxHeight: height }} tabIndex={0} aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" data-look={column.look}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a measure have no key, and names repeat.
            <tr key={row}>
              {columns.map((column, place) =>
                column.look === 'row' ? (
                  <th key={column.label} scope="row">
                    {cells[place]}
                  </th>
                ) : (
                  <td key={column.label} data-look={column.look}>
                    {cells[place]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Switches between a chart and its table. */
export function TableSwitch({ isTable, onChange }: { isTable: boolean; onChange: (isTable: boolean) => void }) {
  return (
    // Pressable around its text: 24 px high, 44 px on phones.
    <Anchor
      component="button"
      type="button"
      inherit
      data-controls
      px={6}
      mx={-6}
      py={{ base: 13, md: 4 }}
      my={{ base: -13, md: -4 }}
      onClick={() => onChange(!isTable)}
    >
      {isTable ? 'Show as chart' : 'Show as table'}
    </Anchor>
  )
}
