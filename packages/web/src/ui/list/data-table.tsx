import type { CSSProperties, ReactNode } from 'react'
import { SkeletonLine } from '../text/skeleton.tsx'
import styles from './data-table.module.css'

export interface TableColumn<Row> {
  key: string
  label: string
  /** Grid track, such as `2fr` or `120px`; default `1fr`. */
  width?: string
  cell: (row: Row) => ReactNode
}

/**
 * A table with fixed columns; on a phone each row becomes a block with labels. The first cell names the row: a link in
 * it covers the whole row. If `rows` is undefined, skeletons in the same layout are shown, so that nothing moves when
 * the data arrive.
 *
 * Uses grid rows with table roles, because an HTML table laid out as blocks loses its roles in some browsers.
 */
export function DataTable<Row>(props: {
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Number of skeleton rows. */
  expectedRows?: number
  isStale?: boolean
}) {
  const { columns, rows } = props
  const tracks = columns.map(({ width = '1fr' }) => (width.endsWith('fr') ? `minmax(0, ${width})` : width)).join(' ')
  return (
    <div
      className={styles.table}
      role="table"
      aria-label={props.label}
      aria-busy={rows === undefined}
      data-stale={props.isStale || undefined}
      style={{ '--tracks': tracks } as CSSProperties}
    >
      <div className={styles.head} role="rowgroup">
        <div className={styles.row} role="row">
          {columns.map(({ key, label }) => (
            <div key={key} role="columnheader">
              {label}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {rows?.map((row) => (
          <div key={props.rowKey(row)} className={styles.row} role="row" data-row={props.rowKey(row)}>
            {columns.map(({ key, label, cell }) => (
              <div key={key} role="cell" data-label={label}>
                {cell(row)}
              </div>
            ))}
          </div>
        ))}
        {rows === undefined && <SkeletonRows columns={columns.length} rows={props.expectedRows ?? 8} />}
      </div>
    </div>
  )
}

function SkeletonRows({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <div key={row} className={styles.row} role="row" data-skeleton>
      {Array.from({ length: columns }, (_cell, column) => (
        <div key={column} role="cell">
          <SkeletonLine width={`${45 + ((row * 17 + column * 29) % 45)}%`} />
        </div>
      ))}
    </div>
  ))
}
