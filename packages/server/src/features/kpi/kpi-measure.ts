import type { KpiTable } from '@benchwatch/contract/kpi'
import type { FeatureKey, KpiMeasure } from '@benchwatch/contract/vocabulary'
import type { Db } from '../../db/connect.ts'
import type { KpiQuestion } from './kpi-question.ts'

type Kind = KpiTable['columns'][number]['kind']
type Cell = KpiTable['rows'][number][number]
type Columns = Record<string, readonly [label: string, kind: Kind]>

type Row = Record<string, Cell>

/** The rows of a measure, and how many more there are than fit a table. */
export interface KpiReading<R = Row> {
  rows: R[]
  more: number
}

/** A measure: the labels and types of its columns, by key, and how its rows are read. */
export interface KpiMeasureDefinition {
  columns: Columns
  read(db: Db, question: KpiQuestion): Promise<KpiReading>
  /** Explanation that users need to read it; null if none. */
  note: string | null
  /** Users without all of these flags see no rows. */
  flags: readonly FeatureKey[]
}

type RowOf<C extends Columns> = Record<Extract<keyof C, string>, Cell>

/** Declares a measure; its rows must have exactly its columns. */
export function measure<const C extends Columns>(definition: {
  columns: C
  /** Returns all rows, or the first of them. */
  read(db: Db, question: KpiQuestion): Promise<RowOf<C>[] | KpiReading<RowOf<C>>>
  note?: string
  flags?: readonly FeatureKey[]
}): KpiMeasureDefinition {
  return {
    ...definition,
    note: definition.note ?? null,
    flags: definition.flags ?? [],
    async read(db, question) {
      const found = await definition.read(db, question)
      return Array.isArray(found) ? { rows: found, more: 0 } : found
    },
  }
}

/** Converts a measure to its wire format: cells in the order of the columns. */
export function tableOf(
  name: KpiMeasure,
  { columns: named, note }: Pick<KpiMeasureDefinition, 'columns' | 'note'>,
  { rows, more }: KpiReading,
): KpiTable {
  const columns = Object.entries(named).map(([key, [label, kind]]) => ({ key, label, kind }))
  return {
    measure: name,
    columns,
    rows: rows.map((row) => columns.map(({ key }) => row[key] ?? null)),
    note: more === 0 ? note : [note, `Showing the first ${rows.length}; ${more} more exist.`].filter(Boolean).join(' '),
  }
}
