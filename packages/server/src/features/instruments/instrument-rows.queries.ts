import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import type { Severity } from '@benchwatch/contract/vocabulary'
import { type InferResult, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import { type Db, keptPlan, keyIn } from '../../db/connect.ts'
import { instruments, isOpen, reportedSince, serviceEvents } from '../../db/scoped.ts'
import { severityCodes } from '../../db/sql/severity.ts'
import { readMaintenances } from '../maintenance/maintenance.lookup.ts'

/** One instrument with everything that is shown with it except its maintenance. */
export type InstrumentRow = InferResult<ReturnType<typeof wholeInstruments>>[number]

/** Returns these instruments in this order; ids outside the scope are left out. */
export async function readInstruments(
  db: Db,
  { ids, scope, now }: { ids: readonly number[]; scope: DataScope; now: Date },
): Promise<Instrument[]> {
  if (ids.length === 0) return []
  const rows = await wholeInstruments(db, scope).where(keyIn('i.id', ids)).modifyFront(keptPlan).execute()
  const maintenances = await readMaintenances(db, { instrumentIds: ids, now })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [{ ...instrumentOf(row), maintenances: maintenances.get(id) ?? [] }] : []
  })
}

/**
 * Returns the query for instruments with everything that is shown with them. Software reported before an instrument
 * came to its customer is hidden from them, and only open events in scope are counted.
 */
export function wholeInstruments(db: Db, scope: DataScope) {
  const openEvents = serviceEvents(db, scope)
    .where(sql<boolean>`e.instrument_id = i.id`)
    .where(isOpen)
    .select([countOf('high').as('high'), countOf('medium').as('medium'), countOf('low').as('low')])
  return instruments(db, scope)
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .innerJoin('site as s', 's.id', 'i.site_id')
    .leftJoin('gateway as g', 'g.id', 'i.gateway_id')
    .leftJoin('contract as k', 'k.id', 'i.contract_id')
    .leftJoin('contact as p', 'p.id', 'i.contact_id')
    .leftJoin('contact as it', 'it.id', 'i.it_contact_id')
    .leftJoin('run as r', (join) => join.onRef('r.id', '=', 'i.run_id').onRef('r.customer_id', '=', 'i.customer_id'))
    .leftJoin('instrument_software as w', (join) =>
      join.onRef('w.instrument_id', '=', 'i.id').on(reportedSince(scope, sql.ref('w.reported_at'))),
    )
    .innerJoinLateral(openEvents.as('o'), (join) => join.onTrue())
    .select([
      'i.id',
      'i.product_description',
      'i.system_name',
      'i.installed_product_id',
      'i.type',
      'i.qualified_system',
      's.region',
      's.sub_region',
      's.country',
      's.city',
      's.street',
      's.zip',
      'i.building',
      'i.room',
      's.time_zone',
      'c.name as customer_name',
      'k.type as contract_type',
      'k.end_date as contract_end',
      'k.sla_term',
      'p.name as contact_name',
      'p.phone as contact_phone',
      'p.mobile as contact_mobile',
      'p.key as contact_email',
      'it.name as it_contact_name',
      'it.key as it_contact_email',
      'i.last_service',
      'i.next_service',
      'i.installation_date',
      'i.connected_at',
      'i.created_at',
      'i.orc_status',
      'i.unknown_at',
      'i.status',
      'i.status_reason',
      'r.name as run',
      sql<Date | null>`CASE WHEN r.id IS NOT NULL THEN i.run_since END`.as('run_since'),
      'o.high as open_high',
      'o.medium as open_medium',
      'o.low as open_low',
      sql<number>`o.high + o.medium + o.low`.as('event_count'),
      'g.name as gateway_name',
      'w.unicorn_version',
      'w.unicorn_win_os',
      'w.unicorn_pc_name',
      'w.unicorn_service_pack',
      'w.unicorn_embedded_pc_domain',
      'w.unicorn_embedded_pc_type',
      'w.unicorn_installed_config_file',
      'w.unicorn_network_configurations',
    ])
}

function countOf(severity: Severity) {
  return sql<number>`(count(*) FILTER (WHERE e.severity = ${sql.lit(severityCodes[severity])}))::int`
}

function instrumentOf(row: InstrumentRow): Omit<Instrument, 'maintenances'> {
  return {
    id: String(row.id),
    instrumentProductDescription: row.product_description,
    instrumentDefinedSystemName: row.system_name,
    instrumentInstalledProductId: row.installed_product_id,
    instrumentType: row.type,
    qualifiedSystem: row.qualified_system,
    instrumentRegion: row.region,
    instrumentSubRegion: row.sub_region,
    instrumentCountry: row.country,
    instrumentCity: row.city,
    instrumentStreetAddress: row.street,
    instrumentZipCode: row.zip,
    instrumentDefinedBuilding: row.building,
    instrumentDefinedRoom: row.room,
    instrumentTimeZone: row.time_zone,
    instrumentCustomer: row.customer_name,
    instrumentContractType: row.contract_type,
    instrumentContractEndDate: row.contract_end,
    instrumentContractSlaTerm: row.sla_term,
    instrumentContactName: row.contact_name,
    instrumentContactPhone: row.contact_phone,
    instrumentContactMobile: row.contact_mobile,
    instrumentContactEmail: row.contact_email,
    itContactName: row.it_contact_name,
    itContactEmail: row.it_contact_email,
    instrumentLastService: row.last_service,
    instrumentNextService: row.next_service,
    instrumentInstallationDate: row.installation_date,
    connectedAt: row.connected_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    orcStatus: row.orc_status,
    unknownAt: row.unknown_at?.toISOString() ?? null,
    instrumentStatus: row.status,
    statusReason: row.status_reason,
    run: row.run,
    runSince: row.run_since?.toISOString() ?? null,
    eventCount: row.event_count,
    openEventsBySeverity: { high: row.open_high, medium: row.open_medium, low: row.open_low },
    gatewayName: row.gateway_name,
    unicornVersion: row.unicorn_version,
    unicornWinOs: row.unicorn_win_os,
    unicornPcName: row.unicorn_pc_name,
    unicornServicePack: row.unicorn_service_pack,
    unicornEmbeddedPcDomain: row.unicorn_embedded_pc_domain,
    unicornEmbeddedPcType: row.unicorn_embedded_pc_type,
    unicornInstalledConfigFile: row.unicorn_installed_config_file,
    unicornNetworkConfigurations: row.unicorn_network_configurations,
  }
}
