import { type Instrument, instrument } from '@benchwatch/contract/instruments'
import type { ExportDetails } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { InstrumentRow } from '../instruments/instrument-rows.queries.ts'
import { type CsvColumn, cellsOf, placeOf, quoted } from './csv-cells.queries.ts'

const { plain, text, instant, boolean } = cellsOf<keyof InstrumentRow>()

/** As on screen: the columns of the list with their labels. */
const basic: readonly CsvColumn[] = [
  { head: 'Instrument', cell: text('product_description') },
  { head: 'System Name', cell: text('system_name') },
  { head: 'Installed Product ID', cell: text('installed_product_id') },
  { head: 'Region', cell: text('region') },
  { head: 'Location', cell: placeOf(plain('city'), plain('country')) },
  { head: 'Customer', cell: text('customer_name') },
  { head: 'Last Service', cell: plain('last_service') },
  { head: 'Next Service', cell: plain('next_service') },
  { head: 'ORC status', cell: plain('orc_status') },
  { head: 'Events', cell: plain('event_count') },
]

/** What is on or to come, as JSON; of a recurring one its next window. */
const maintenances = quoted(sql`(
  SELECT json_agg(json_strip_nulls(json_build_object('start', n.start_at, 'end', n.end_at, 'reason', m.reason,
    'rrule', m.rrule, 'timeZone', m.time_zone)) ORDER BY n.start_at)::text
  FROM maintenance m CROSS JOIN LATERAL (
    SELECT w.start_at, w.end_at FROM maintenance_window w
    WHERE w.maintenance_id = m.id AND (w.end_at IS NULL OR w.end_at > now()) ORDER BY w.start_at LIMIT 1) AS n
  WHERE m.instrument_id = ${plain('id')} AND m.ended_at IS NULL)`)

/** Every field as `instrument-rows.queries.ts` makes it for the wire, here in SQL. */
const fields: Record<keyof Instrument, RawBuilder<unknown>> = {
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

/** Every field under its name on the wire, in the order of the contract. */
const full = (Object.keys(instrument.shape) as (keyof Instrument)[]).map(
  (field): CsvColumn => ({ head: field, cell: fields[field] }),
)

export const instrumentColumns: Record<ExportDetails, readonly CsvColumn[]> = { BASIC: basic, FULL: full }
