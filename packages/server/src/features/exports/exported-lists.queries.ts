import type { ExportDetails, ExportType } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { wholeInstruments } from '../instruments/instrument-rows.queries.ts'
import { wholeServiceEvents } from '../service-events/service-events.queries.ts'
import type { CsvColumn } from './csv-cells.queries.ts'
import { eventColumns } from './event-columns.queries.ts'
import { type RequestedEvents, selectedEvents } from './exported-events.queries.ts'
import { type RequestedInstruments, selectedInstruments } from './exported-instruments.queries.ts'
import { instrumentColumns } from './instrument-columns.queries.ts'

/** What can be exported: which rows of a list, in which order. */
export type RequestedRows = RequestedEvents | RequestedInstruments

/** The query that gives the ids of what was requested, within the scope and each once. */
export function selectedRows(
  db: Db,
  { wanted, ...within }: { wanted: RequestedRows; scope: DataScope; now: Date },
): Promise<RawBuilder<unknown>> {
  return wanted.type === 'event'
    ? selectedEvents(db, { wanted, ...within })
    : selectedInstruments(db, { wanted, ...within })
}

interface ExportedList {
  columns: Record<ExportDetails, readonly CsvColumn[]>
  /** The query of these rows as somebody sees them, each with its `id`, of which the columns make cells. */
  rows(db: Db, wanted: { scope: DataScope; viewerId: number; ids: RawBuilder<unknown> }): RawBuilder<unknown>
}

export const exportedLists: Record<ExportType, ExportedList> = {
  event: {
    columns: eventColumns,
    rows: (db, { ids, ...reading }) => sql`${wholeServiceEvents(db, reading).where(sql<boolean>`e.id = ANY(${ids})`)}`,
  },
  instrument: {
    columns: instrumentColumns,
    rows: (db, { scope, ids }) => sql`${wholeInstruments(db, scope).where(sql<boolean>`i.id = ANY(${ids})`)}`,
  },
}
