import type { KpiTable } from '@benchwatch/contract/kpi'
import type { KpiMeasure } from '@benchwatch/contract/kpi-vocabulary'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import type { Db } from '../../db/connect.ts'
import type { KpiQuestion } from './kpi-question.ts'

type Kind = KpiTable['columns'][number]['kind']
type Cell = KpiTable['rows'][number][number]
type Columns = Record<string, readonly [label: string, kind: Kind]>

/** A measure: what its columns are called and hold, by key, and how its rows are read. */
export interface KpiMeasureDefinition {
  columns: Columns
  read(db: Db, question: KpiQuestion): Promise<Record<string, Cell>[]>
  /** What must be known to read it; null where nothing. */
  note: string | null
  /** Whoever has not all of these on sees no rows. */
  flags: readonly FeatureKey[]
}

/** Declares a measure; its rows must have exactly its columns. */
export function measure<const C extends Columns>(definition: {
  columns: C
  read(db: Db, question: KpiQuestion): Promise<Record<Extract<keyof C, string>, Cell>[]>
  note?: string
  flags?: readonly FeatureKey[]
}): KpiMeasureDefinition {
  return { ...definition, note: definition.note ?? null, flags: definition.flags ?? [] }
}

/** A measure as the wire has it: cells in the order of the columns. */
export function tableOf(
  name: KpiMeasure,
  { columns: named, note }: KpiMeasureDefinition,
  rows: readonly Record<string, Cell>[],
): KpiTable {
  const columns = Object.entries(named).map(([key, [label, kind]]) => ({ key, label, kind }))
  return { measure: name, columns, rows: rows.map((row) => columns.map(({ key }) => row[key] ?? null)), note }
}
