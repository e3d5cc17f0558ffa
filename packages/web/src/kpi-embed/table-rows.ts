import type { KpiTable } from '@benchwatch/contract/kpi'
import type { KpiMeasure } from '@benchwatch/contract/vocabulary'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { KpiDays } from '../features/kpi/kpi-question.ts'
import { call } from '../lib/http.ts'
import { formatInstrumentDate, formatInstrumentTime } from '../lib/time/dates.ts'
import { formatSpan } from '../lib/time/duration.ts'

/** Reads tables from the wire by column name and formats their values. */

/** Figures may be a few minutes old, because a table may count a year of events. */
const FRESH_MS = 5 * 60_000

export interface KpiTableInputs extends KpiDays {
  /** Empty: the whole data scope. */
  customers: readonly string[]
}

export type Column = KpiTable['columns'][number]
export type Cell = KpiTable['rows'][number][number]

/** A row whose cells are read by column key. */
export class TableRow {
  readonly #cells: ReadonlyMap<string, Cell>

  constructor(columns: readonly Column[], cells: readonly Cell[]) {
    this.#cells = new Map(columns.map(({ key }, index) => [key, cells[index] ?? null]))
  }

  /** Returns 0 for an empty cell. */
  number(key: string): number {
    return Number(this.#cells.get(key) ?? 0)
  }

  numberOrNull(key: string): number | null {
    const cell = this.#cells.get(key) ?? null
    return cell === null ? null : Number(cell)
  }

  /** Returns '' for an empty cell. */
  text(key: string): string {
    return String(this.#cells.get(key) ?? '')
  }
}

export function rowsOf({ columns, rows }: Pick<KpiTable, 'columns' | 'rows'>): TableRow[] {
  return rows.map((cells) => new TableRow(columns, cells))
}

const NONE = '–'

export function formatCell(kind: Column['kind'], cell: Cell): string {
  if (cell === null || cell === '') return NONE
  switch (kind) {
    case 'number':
      return count(Number(cell))
    case 'seconds':
      return formatSpan(Number(cell))
    case 'share':
      return percent(Number(cell))
    case 'day':
      return formatInstrumentDate(String(cell))
    case 'instant':
      return formatInstrumentTime(String(cell))
    case 'text':
      return String(cell)
  }
}

/** Formats a count, e.g. '12,345'. */
export function count(value: number): string {
  return value.toLocaleString('en')
}

/** Returns e.g. '94.5%' or '95.0%'. Only all is '100.0%' and only nothing is '0.0%'. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return '< 0.1%'
  if (share < 1 && share >= 0.9995) return '> 99.9%'
  return `${(share * 100).toFixed(1)}%`
}

/** Formats a count with its noun, e.g. '1 event', '12 events'. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

export function kpiTableQuery(measure: KpiMeasure, { from, to, customers }: KpiTableInputs) {
  return queryOptions({
    queryKey: ['kpi-table', measure, from, to, customers] as const,
    queryFn: ({ signal }) => {
      const narrowed = customers.length > 0 && { customers: JSON.stringify(customers) }
      return call('getKpiTable', { params: { measure }, query: { from, to, ...narrowed }, signal })
    },
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  })
}

export function kpiCustomersQuery() {
  return queryOptions({
    queryKey: ['kpi-customers'] as const,
    queryFn: ({ signal }) => call('listKpiCustomers', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
