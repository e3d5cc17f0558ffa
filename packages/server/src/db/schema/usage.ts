import type { SampledComponent } from '@benchwatch/contract/ingest'
import type { ColumnType } from 'kysely'
import type { Day, Instant, Json } from './columns.ts'

/** What gateways tell of an instrument beside its alarms: use of its components, run time, computers and software. */

export interface ComponentUsageTable {
  instrument_id: number
  component_name: string
  sampled_at: Instant
  epoch: number
  sequence: number
  usage: Json<SampledComponent['usage']>
  info: Json<SampledComponent['info']>
  details: Json<SampledComponent['details']>
  /** The UTC day for which its forecasts stand; null since something was sampled. */
  forecast_on: ColumnType<Day | null, Day | null | undefined, Day | null>
}

export interface ComponentUsageDayTable {
  instrument_id: number
  component_name: string
  metric: string
  day: Day
  epoch: number
  sequence: number
  value: number
}

/** Parts that are due, and those of which a day is foreseen. */
export interface UsageForecastTable {
  instrument_id: number
  component_name: string
  metric: string
  used: number | null
  is_due: boolean
  due: Day | null
  /** By the days since `customer_since` alone. */
  customer_due: Day | null
  customer_since: Instant
}

export interface RuntimeDayTable {
  instrument_id: number
  day: Day
  epoch: number
  sequence: number
  seconds: number
}

export interface InstrumentSoftwareTable {
  instrument_id: number
  told_at: Instant
  epoch: number
  sequence: number
  client_pc_names: string[]
  instrument_server_pc_name: string | null
  unicorn_version: string | null
  unicorn_win_os: string | null
  unicorn_pc_name: string | null
  unicorn_service_pack: string | null
  unicorn_embedded_pc_domain: string | null
  unicorn_embedded_pc_type: string | null
  unicorn_installed_config_file: string | null
  unicorn_network_configurations: string | null
}
