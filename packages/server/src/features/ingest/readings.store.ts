import type { IngestItem, SampledComponent } from '@benchwatch/contract/ingest'
import { COMPONENT_MODULE } from '@benchwatch/contract/patterns'
import type { LogType } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { type CountedReport, KnownIds, newestReports } from './read-items.ts'

type ReportedLine = Extract<IngestItem, { type: 'benchwatch.log.appended' }>['data']['lines'][number]
export type NewLogLine = ReportedLine & { instrumentId: number; logType: LogType }

/** Suffix that distinguishes several similar components: `B`, `2`, `A1`, `12`. */
const DESIGNATOR = /\s+(?:[A-Z]\d{0,2}|\d{1,3})$/

/** Usage of some components of an instrument at one instant. */
export interface UsageSample extends CountedReport {
  instrumentId: number
  /** The gateway's clock. */
  at: Date
  components: readonly SampledComponent[]
}

/**
 * Rows of one statement: 4,000 took half a second on a busy machine. A batch may contain 30,000 components and a group
 * several such batches, which one statement could not write within its timeout.
 */
const ROWS_AT_ONCE = 5000

/** Run time of an instrument on one day of its site. */
export interface RuntimeReport extends CountedReport {
  instrumentId: number
  /** YYYY-MM-DD in the zone of the site. */
  day: string
  /** An integer from 0 to 86,400. */
  seconds: number
}

type ReportedSoftware = Extract<IngestItem, { type: 'benchwatch.clients.changed' }>['data']

/** The computers of an instrument and its UNICORN software: a complete snapshot. */
export interface SoftwareReport extends CountedReport {
  instrumentId: number
  /** The gateway's clock. */
  at: Date
  software: ReportedSoftware
}

/**
 * Updates each instrument to its newest snapshot, by the gateway's sequence and never by arrival. Software that the
 * newest snapshot does not name is removed.
 */
export async function storeSoftware(trx: Trx, reports: readonly SoftwareReport[]): Promise<void> {
  if (reports.length === 0) return
  const rows = newestReports(reports, ({ instrumentId }) => String(instrumentId)).map(softwareRow)
  await sql`
    INSERT INTO instrument_software AS t (instrument_id, reported_at, epoch, sequence, client_pc_names,
      instrument_server_pc_name, unicorn_version, unicorn_win_os, unicorn_pc_name, unicorn_service_pack,
      unicorn_embedded_pc_domain, unicorn_embedded_pc_type, unicorn_installed_config_file,
      unicorn_network_configurations)
    SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (instrument_id int, reported_at timestamptz,
      epoch int, sequence bigint, client_pc_names text[], instrument_server_pc_name text, unicorn_version text,
      unicorn_win_os text, unicorn_pc_name text, unicorn_service_pack text, unicorn_embedded_pc_domain text,
      unicorn_embedded_pc_type text, unicorn_installed_config_file text, unicorn_network_configurations text)
    ORDER BY instrument_id
    ON CONFLICT (instrument_id) DO UPDATE SET reported_at = excluded.reported_at, epoch = excluded.epoch,
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

/**
 * Returns a row of instrument_software; a computer that is named twice is kept once, and an empty text becomes null.
 */
function softwareRow({ instrumentId, at, epoch, sequence, software }: SoftwareReport) {
  return {
    instrument_id: instrumentId,
    reported_at: at,
    epoch,
    sequence,
    client_pc_names: [...new Set(software.clientPcNames)],
    instrument_server_pc_name: software.instrumentServerPcName || null,
    unicorn_version: software.unicornVersion || null,
    unicorn_win_os: software.unicornWinOs || null,
    unicorn_pc_name: software.unicornPcName || null,
    unicorn_service_pack: software.unicornServicePack || null,
    unicorn_embedded_pc_domain: software.unicornEmbeddedPcDomain || null,
    unicorn_embedded_pc_type: software.unicornEmbeddedPcType || null,
    unicorn_installed_config_file: software.unicornInstalledConfigFile || null,
    unicorn_network_configurations: software.unicornNetworkConfigurations || null,
  }
}

/** Updates the run time of each day to the last one in the gateway's sequence, never to the last one that arrived. */
export async function storeRuntimes(trx: Trx, reports: readonly RuntimeReport[]): Promise<void> {
  if (reports.length === 0) return
  const newest = newestReports(reports, ({ instrumentId, day }) => `${instrumentId} ${day}`)
  const of = <T>(pick: (report: RuntimeReport) => T) => newest.map(pick)
  await sql`
    INSERT INTO runtime_day AS t (instrument_id, day, epoch, sequence, seconds)
    SELECT * FROM unnest(${of((one) => one.instrumentId)}::int[], ${of((one) => one.day)}::date[],
      ${of((one) => one.epoch)}::int[], ${of((one) => one.sequence)}::bigint[], ${of((one) => one.seconds)}::int[])
    ORDER BY 1, 2
    ON CONFLICT (instrument_id, day) DO UPDATE
    SET epoch = excluded.epoch, sequence = excluded.sequence, seconds = excluded.seconds
    WHERE (t.epoch, t.sequence) < (excluded.epoch, excluded.sequence)`.execute(trx)
}

/**
 * Updates each named component to its newest sample, and each day's value of each metric to the last one of that UTC
 * day. Newest is by the gateway's sequence, never by arrival; components that a newer sample does not name do not
 * change.
 */
export async function storeUsage(trx: Trx, samples: readonly UsageSample[]): Promise<void> {
  if (samples.length === 0) return
  for (const components of pieces(newestComponents(samples))) await storeComponents(trx, components)
  for (const values of pieces(lastValues(samples))) await storeDays(trx, values)
}

function* pieces<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) yield rows.slice(start, start + ROWS_AT_ONCE)
}

function newestComponents(samples: readonly UsageSample[]) {
  return newestReports(
    samples.flatMap(({ instrumentId, at, epoch, sequence, components }) =>
      components.map((component) => ({ instrumentId, at, epoch, sequence, ...component })),
    ),
    ({ instrumentId, componentName }) => `${instrumentId} ${componentName}`,
  )
}

/** Returns the last value of each metric on each UTC day, by the gateway's sequence. */
function lastValues(samples: readonly UsageSample[]) {
  return newestReports(
    samples.flatMap(({ instrumentId, at, epoch, sequence, components }) => {
      const day = at.toISOString().slice(0, 10)
      return components.flatMap(({ componentName, usage }) =>
        usage.flatMap(({ metric, value }) =>
          value === null ? [] : [{ instrumentId, componentName, metric, day, epoch, sequence, value }],
        ),
      )
    }),
    ({ instrumentId, componentName, metric, day }) => JSON.stringify([instrumentId, componentName, metric, day]),
  )
}

async function storeComponents(trx: Trx, components: ReturnType<typeof newestComponents>): Promise<void> {
  const rows = components.map(({ instrumentId, componentName, at, ...report }) => ({
    instrument_id: instrumentId,
    component_name: componentName,
    sampled_at: at,
    ...report,
  }))
  // One JSON parameter: an array of jsonb would quote every list a second time.
  await sql`
    INSERT INTO component_usage AS t (instrument_id, component_name, sampled_at, epoch, sequence, usage, info, details)
    SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (instrument_id int, component_name text,
      sampled_at timestamptz, epoch int, sequence bigint, usage jsonb, info jsonb, details jsonb)
    ORDER BY instrument_id, component_name
    ON CONFLICT (instrument_id, component_name) DO UPDATE SET sampled_at = excluded.sampled_at, epoch = excluded.epoch,
      sequence = excluded.sequence, usage = excluded.usage, info = excluded.info, details = excluded.details,
      forecast_on = NULL
    WHERE (t.epoch, t.sequence) < (excluded.epoch, excluded.sequence)`.execute(trx)
  // A late report changes no component, only a day, and with it the forecast.
  await sql`
    UPDATE component_usage t SET forecast_on = NULL
    FROM unnest(${components.map((one) => one.instrumentId)}::int[], ${components.map((one) => one.componentName)}::text[])
      AS n (instrument_id, component_name)
    WHERE t.instrument_id = n.instrument_id AND t.component_name = n.component_name AND t.forecast_on IS NOT NULL`.execute(
    trx,
  )
}

async function storeDays(trx: Trx, values: ReturnType<typeof lastValues>): Promise<void> {
  const of = <T>(pick: (one: (typeof values)[number]) => T) => values.map(pick)
  await sql`
    INSERT INTO component_usage_day AS t (instrument_id, component_name, metric, day, epoch, sequence, value)
    SELECT * FROM unnest(${of((one) => one.instrumentId)}::int[], ${of((one) => one.componentName)}::text[],
      ${of((one) => one.metric)}::text[], ${of((one) => one.day)}::date[], ${of((one) => one.epoch)}::int[],
      ${of((one) => one.sequence)}::bigint[], ${of((one) => one.value)}::float8[])
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (instrument_id, component_name, metric, day) DO UPDATE
    SET epoch = excluded.epoch, sequence = excluded.sequence, value = excluded.value
    WHERE (t.epoch, t.sequence) < (excluded.epoch, excluded.sequence)`.execute(trx)
}

/** Returns the id of each component by its name; new names are added. Components are never changed or removed. */
export async function componentIds(
  trx: Trx,
  names: readonly string[],
  knownIds = new KnownIds(),
): Promise<Map<string, number>> {
  const distinct = [...new Set(names)].sort()
  const known = await knownIds.find(distinct, (unknown) => readIds(trx, unknown))
  const unknown = distinct.filter((name) => !known.has(name))
  if (unknown.length === 0) return known
  // Another transaction may add the same name in the meantime: the insert waits for it, and the next read finds it.
  await sql`
    INSERT INTO component (name, type, name_folded)
    SELECT * FROM unnest(${unknown}::text[], ${unknown.map(componentTypeOf)}::text[], ${unknown.map(fold)}::text[])
    ON CONFLICT (name) DO NOTHING`.execute(trx)
  return readIds(trx, distinct)
}

async function readIds(trx: Trx, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM component WHERE name = ANY(${[...names]}::text[])`.execute(trx)
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Returns the type of a component by its name: `Pump B (P9-B)` is a `Pump`, `UV monitor (U9-M)` a `UV monitor`. */
export function componentTypeOf(name: string): string {
  const withoutModule = name.replace(COMPONENT_MODULE, '').trim()
  return withoutModule.replace(DESIGNATOR, '') || withoutModule || name
}

/**
 * Appends log lines in the given order, which is also the order of lines with the same timestamp. Empty texts besides
 * the message become null (wire 1); otherwise a log of a computer without a name would be offered.
 */
export async function appendLogLines(
  trx: Trx,
  { lines, now }: { lines: readonly NewLogLine[]; now: Date },
): Promise<void> {
  if (lines.length === 0) return
  const of = <T>(pick: (line: NewLogLine) => T) => lines.map(pick)
  await sql`
    INSERT INTO log_entry (instrument_id, log_type, ts, message, module, level, event_code, user_name, hostname, received_at)
    SELECT n.*, ${now}::timestamptz FROM unnest(
      ${of((line) => line.instrumentId)}::int[], ${of((line) => line.logType)}::text[],
      ${of((line) => line.timestamp.toISOString())}::timestamptz[], ${of((line) => line.message)}::text[],
      ${of((line) => line.module || null)}::text[], ${of((line) => line.level || null)}::text[],
      ${of((line) => line.eventCode || null)}::text[], ${of((line) => line.userName || null)}::text[],
      ${of((line) => line.hostname || null)}::text[]) AS n`.execute(trx)
}
