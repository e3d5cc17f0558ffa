import { type Instrument, instrument } from '@benchwatch/contract/instruments/instruments'
import {
  type ExportDetails,
  type ExportType,
  instrumentColumnLabels,
  type SelectionMode,
} from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { wholeServiceEvents } from '../events/events.queries.ts'
import type { Condition } from '../events/search/condition.ts'
import type { EventOrder, SearchMoment } from '../events/search/event-search.ts'
import { type EventQuery, resolveSelection } from '../events/search/filters.queries.ts'
import { type InstrumentOrder, instrumentsInOrder } from '../instruments/instrument-order.queries.ts'
import { type InstrumentRow, wholeInstruments } from '../instruments/instrument-rows.queries.ts'
import { type InstrumentSearch, resolveInstrumentSearch } from '../instruments/selection.queries.ts'
import { type CsvColumn, cellsOf, listColumns, placeOf, quoted } from './csv-cells.queries.ts'
import { eventColumns } from './event-columns.queries.ts'

const { plain, text, instant, boolean } = cellsOf<keyof InstrumentRow>()

/** The columns of the list. */
const basic = listColumns(instrumentColumnLabels, {
  systemName: text('system_name'),
  instrument: text('product_description'),
  status: plain('status'),
  productId: text('installed_product_id'),
  region: text('region'),
  location: placeOf(plain('city'), plain('country')),
  customer: text('customer_name'),
  lastService: plain('last_service'),
  nextService: plain('next_service'),
  orcStatus: plain('orc_status'),
  events: plain('event_count'),
})

/** Current and future maintenance as JSON; for a recurring one, its next window. */
const maintenances = quoted(sql`(
  SELECT json_agg(json_strip_nulls(json_build_object('start', n.start_at, 'end', n.end_at, 'reason', m.reason,
    'rrule', m.rrule, 'timeZone', m.time_zone)) ORDER BY n.start_at)::text
  FROM maintenance m CROSS JOIN LATERAL (
    SELECT w.start_at, w.end_at FROM maintenance_window w
    WHERE w.maintenance_id = m.id AND (w.end_at IS NULL OR w.end_at > now()) ORDER BY w.start_at LIMIT 1) AS n
  WHERE m.instrument_id = ${plain('id')} AND m.ended_at IS NULL)`)

type ExportedField = Exclude<keyof Instrument, 'openEventsBySeverity'>

/** Every field as `instrument-rows.queries.ts` makes it for the wire, in SQL. */
const fields: Record<ExportedField, RawBuilder<unknown>> = {
  id: plain('id'),
  instrumentProductDescription: text('product_description'),
  instrumentDefinedSystemName: text('system_name'),
  instrumentInstalledProductId: text('installed_product_id'),
  instrumentType: plain('type'),
  qualifiedSystem: boolean('qualified_system'),
  instrumentRegion: text('region'),
  instrumentSubRegion: text('sub_region'),
  instrumentCountry: text('country'),
  instrumentCity: text('city'),
  instrumentStreetAddress: text('street'),
  instrumentZipCode: text('zip'),
  instrumentDefinedBuilding: text('building'),
  instrumentDefinedRoom: text('room'),
  instrumentTimeZone: text('time_zone'),
  instrumentCustomer: text('customer_name'),
  instrumentContractType: text('contract_type'),
  instrumentContractEndDate: plain('contract_end'),
  instrumentContractSlaTerm: text('sla_term'),
  instrumentContactName: text('contact_name'),
  instrumentContactPhone: text('contact_phone'),
  instrumentContactMobile: text('contact_mobile'),
  instrumentContactEmail: text('contact_email'),
  itContactName: text('it_contact_name'),
  itContactEmail: text('it_contact_email'),
  instrumentLastService: plain('last_service'),
  instrumentNextService: plain('next_service'),
  instrumentInstallationDate: plain('installation_date'),
  connectedAt: instant('connected_at'),
  createdAt: instant('created_at'),
  orcStatus: plain('orc_status'),
  unknownAt: instant('unknown_at'),
  instrumentStatus: plain('status'),
  statusReason: text('status_reason'),
  run: text('run'),
  runSince: instant('run_since'),
  eventCount: plain('event_count'),
  gatewayName: text('gateway_name'),
  maintenances,
  unicornVersion: text('unicorn_version'),
  unicornWinOs: text('unicorn_win_os'),
  unicornPcName: text('unicorn_pc_name'),
  unicornServicePack: text('unicorn_service_pack'),
  unicornEmbeddedPcDomain: text('unicorn_embedded_pc_domain'),
  unicornEmbeddedPcType: text('unicorn_embedded_pc_type'),
  unicornInstalledConfigFile: text('unicorn_installed_config_file'),
  unicornNetworkConfigurations: text('unicorn_network_configurations'),
}

/**
 * Every field under its name on the wire, in the order of the contract, except the severities of open events: programs
 * read the columns by position, and eventCount is their sum.
 */
const full = (Object.keys(instrument.omit({ openEventsBySeverity: true }).shape) as ExportedField[]).map(
  (field): CsvColumn => ({ head: field, cell: fields[field] }),
)

const instrumentColumns: Record<ExportDetails, readonly CsvColumn[]> = { BASIC: basic, FULL: full }

interface RequestedList<Type, Search, Page> {
  type: Type
  ids: readonly string[]
  /** `include`: only these ids, whatever the search; `exclude`: everything that the search finds except these ids. */
  mode: SelectionMode
  search: Search
  page: Page
}

type RequestedEvents = RequestedList<'event', EventQuery, EventOrder>
type RequestedInstruments = RequestedList<'instrument', InstrumentSearch, InstrumentOrder>

/** The rows of a list to export, and their order. */
export type RequestedRows = RequestedEvents | RequestedInstruments

/** Finds everything. */
const anySearch = { filter: {} }

/**
 * Returns the ids of the requested rows in order, in batches, within the scope and without duplicates. `trx` must be a
 * snapshot, and `moment` begun before its first statement.
 */
export function selectedRows(
  trx: Trx,
  { request, ...within }: { request: RequestedRows; moment: SearchMoment; scope: DataScope; now: Date },
): AsyncIterable<readonly number[]> {
  return request.type === 'event'
    ? selectedEvents(trx, { request, ...within })
    : selectedInstruments(trx, { request, ...within })
}

interface ExportedList {
  columns: Record<ExportDetails, readonly CsvColumn[]>
  /**
   * Returns the query for these rows as the viewer may see them, each with its `id`; the columns turn them into cells.
   */
  rows(db: Db, request: { scope: DataScope; viewerId: number; ids: RawBuilder<unknown> }): RawBuilder<unknown>
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

async function* selectedEvents(
  trx: Trx,
  { request, moment, scope, now }: { request: RequestedEvents; moment: SearchMoment; scope: DataScope; now: Date },
): AsyncGenerator<readonly number[]> {
  const { ids, mode, page } = request
  const search = mode === 'include' ? anySearch : request.search
  const selection = await resolveSelection(trx, { search, scope, now })
  const named: Condition = { is: 'anyOf', column: 'id', values: ids.map(Number) }
  const filter: Condition = {
    is: 'all',
    of: [selection.filter, mode === 'include' ? named : { is: 'not', of: named }],
  }
  yield* moment.each(trx, { ...selection, filter }, page)
}

async function* selectedInstruments(
  db: Db,
  { request, scope, now }: { request: RequestedInstruments; scope: DataScope; now: Date },
): AsyncGenerator<readonly number[]> {
  const { ids, mode, page } = request
  const search = mode === 'include' ? anySearch : request.search
  const found = await resolveInstrumentSearch(db, { search, scope, now })
  // An array whose integer type differs from the column is compared value by value: 10,000 of 50,000 took 10 s, a
  // set 40 ms.
  const named = sql`(SELECT unnest(${[...ids]}::int8[]))`
  const matches = sql<boolean>`${found} AND i.id ${sql.raw(mode === 'include' ? 'IN' : 'NOT IN')} ${named}`
  const rows = await instrumentsInOrder(db, { matches, order: page, scope }).execute()
  yield rows.map(({ id }) => id)
}
