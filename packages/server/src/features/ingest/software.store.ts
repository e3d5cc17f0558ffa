import type { IngestItem } from '@benchwatch/contract/ingest'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { type CountedReport, newestReports } from './newest-reports.ts'

type ToldSoftware = Extract<IngestItem, { type: 'benchwatch.clients.changed' }>['data']

/** The computers of an instrument and its UNICORN software: the whole picture at one instant. */
export interface SoftwareReport extends CountedReport {
  instrumentId: number
  /** The gateway's clock. */
  at: Date
  told: ToldSoftware
}

/**
 * Brings each instrument to the newest picture by the gateway's counting, never by arrival. What the newest one does not
 * name is not known any more.
 */
export async function storeSoftware(trx: Trx, reports: readonly SoftwareReport[]): Promise<void> {
  if (reports.length === 0) return
  const rows = newestReports(reports, ({ instrumentId }) => String(instrumentId)).map(softwareRow)
  await sql`
    INSERT INTO instrument_software AS t (instrument_id, told_at, epoch, sequence, client_pc_names,
      instrument_server_pc_name, unicorn_version, unicorn_win_os, unicorn_pc_name, unicorn_service_pack,
      unicorn_embedded_pc_domain, unicorn_embedded_pc_type, unicorn_installed_config_file,
      unicorn_network_configurations)
    SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (instrument_id int, told_at timestamptz,
      epoch int, sequence bigint, client_pc_names text[], instrument_server_pc_name text, unicorn_version text,
      unicorn_win_os text, unicorn_pc_name text, unicorn_service_pack text, unicorn_embedded_pc_domain text,
      unicorn_embedded_pc_type text, unicorn_installed_config_file text, unicorn_network_configurations text)
    ORDER BY instrument_id
    ON CONFLICT (instrument_id) DO UPDATE SET told_at = excluded.told_at, epoch = excluded.epoch,
      sequence = excluded.sequence, client_pc_names = excluded.client_pc_names,
      instrument_server_pc_name = excluded.instrument_server_pc_name, unicorn_version = excluded.unicorn_version,
      unicorn_win_os = excluded.unicorn_win_os, unicorn_pc_name = excluded.unicorn_pc_name,
      unicorn_service_pack = excluded.unicorn_service_pack,
      unicorn_embedded_pc_domain = excluded.unicorn_embedded_pc_domain,
      unicorn_embedded_pc_type = excluded.unicorn_embedded_pc_type,
      unicorn_installed_config_file = excluded.unicorn_installed_config_file,
      unicorn_network_configurations = excluded.unicorn_network_configurations
    WHERE (t.epoch, t.sequence) < (excluded.epoch, excluded.sequence)`.execute(trx)
}

/** A row of instrument_software; a computer that is named twice is one, and an empty text stands for none. */
function softwareRow({ instrumentId, at, epoch, sequence, told }: SoftwareReport) {
  return {
    instrument_id: instrumentId,
    told_at: at,
    epoch,
    sequence,
    client_pc_names: [...new Set(told.clientPcNames)],
    instrument_server_pc_name: told.instrumentServerPcName || null,
    unicorn_version: told.unicornVersion || null,
    unicorn_win_os: told.unicornWinOs || null,
    unicorn_pc_name: told.unicornPcName || null,
    unicorn_service_pack: told.unicornServicePack || null,
    unicorn_embedded_pc_domain: told.unicornEmbeddedPcDomain || null,
    unicorn_embedded_pc_type: told.unicornEmbeddedPcType || null,
    unicorn_installed_config_file: told.unicornInstalledConfigFile || null,
    unicorn_network_configurations: told.unicornNetworkConfigurations || null,
  }
}
