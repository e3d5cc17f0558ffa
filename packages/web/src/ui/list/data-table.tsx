import type { CSSProperties } from 'react'
import { SkeletonLine } from '../text/skeleton.tsx'
import styles from './data-table.module.css'
import { areaOf, type Column, cardGrid, grows, isAtEnd } from './list-columns.ts'

export interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Number of skeleton rows. */
  expectedRows?: number | undefined
  isStale?: boolean | undefined
  /** The head is only read out, because the values explain themselves. */
  isHeadHidden?: boolean
  /** Stays a table on narrow screens: few columns of short values. */
  isShort?: boolean
  /** Attributes of a row, such as its tone. */
  marksOf?: (row: Row) => Readonly<Record<`data-${string}`, string | boolean | undefined>>
}

/**
 * A table without state of its own; on narrow screens each row becomes a block with labels, or the card that its
 * columns declare. A link in the first cell covers the whole row. If `rows` is undefined, skeletons in the same layout
 * are shown, so that nothing moves when the data arrive.
 *
 * Uses grid rows with table roles, because an HTML table laid out as blocks loses its roles in some browsers.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, expectedRows = 8 } = props
  const isCard = columns.some(({ card }) => card !== undefined)
  const tracks = columns.map((column) => {
    const { width = 0, grow = 1 } = column
    return grows(column) ? `minmax(${width}px, ${grow}fr)` : `${width}px`
  })
  const grids = { '--tracks': tracks.join(' '), '--card': isCard ? cardGrid(columns) : undefined }
  return (
    <div
      className={styles.table}
      role="table"
      aria-label={props.label}
      aria-busy={rows === undefined || props.isStale}
      data-stale={props.isStale || undefined}
      data-card={isCard ? 'own' : props.isShort ? 'none' : undefined}
      style={grids as CSSProperties}
    >
      <div className={styles.head} role="rowgroup" data-hidden={props.isHeadHidden || undefined}>
        <div className={styles.row} role="row">
          {columns.map(({ key, label, isNumber }) => (
            <div key={key} role="columnheader" data-number={isNumber}>
              {label}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {rows?.map((row) => (
          <div
            key={props.rowKey(row)}
            className={styles.row}
            role="row"
            data-row={props.rowKey(row)}
            {...props.marksOf?.(row)}
          >
            {columns.map((column) => (
              <div
                key={column.key}
                role="cell"
                className={column.className}
                data-label={column.label}
                data-quiet={column.isQuiet}
                data-number={column.isNumber}
                data-end={(isCard && isAtEnd(columns, column)) || undefined}
                style={column.card && ({ '--area': areaOf(column.card) } as CSSProperties)}
              >
                {column.cell(row, undefined, false)}
              </div>
            ))}
          </div>
        ))}
        {rows === undefined && <SkeletonRows columns={columns.length} rows={expectedRows} />}
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
