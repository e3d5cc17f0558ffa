import type { KpiTable } from '@benchwatch/contract/kpi'
import type { Cell, Column } from './table-rows.ts'

/** Told to programs that would else guess the encoding. */
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'
/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A table as CSV, as every export of the product: 3-decisions 8. Times are seconds, shares go from 0 to 1. */
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
  // A day or an instant begins with its year.
  return quoted(kind === 'text' && FORMULA.test(cell) ? `'${cell}` : cell)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
