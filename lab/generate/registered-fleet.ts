import { createHash, randomBytes } from 'node:crypto'
import type { Client as ApiClient, CallInput } from '@benchwatch/client/client'
import type { EventTemplateInput } from '@benchwatch/contract/administration/registry'
import { COMPONENT_MODULE, FULL_SUPPORT_TERM } from '@benchwatch/contract/patterns'
import { fullSupportTerms, instrumentStatuses } from '@benchwatch/contract/vocabulary'
import { type InstrumentType, instrumentTypes } from '@benchwatch/samples/equipment/instrument-type'
import { eventTemplates } from '@benchwatch/samples/event-templates'
import type { Keyed } from '@benchwatch/samples/registry-objects'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import type { Client } from 'pg'
import type { BenchData } from './bench-data.ts'
import { copyLines } from './copy-lines.ts'
import type { RegisteredFleet } from './event-rows.ts'
import { componentNames } from './event-texts.ts'
import type { BenchFleet } from './fleet.ts'
import { fold } from './fold.ts'

/** The number of recent statuses of each instrument. */
const STATUSES = 30
const MINUTE_MS = 60_000
const RUN_MS = 8 * 60 * MINUTE_MS
/** Runs of each instrument: a year, one after the other. */
const RUNS = 3 * 365
const terms = new Set(fullSupportTerms)

/** Returns the type of a component: its name without module and designator. `Pump B (P9-B)` is a `Pump`. */
function componentType(name: string): string {
  return name
    .replace(COMPONENT_MODULE, '')
    .trim()
    .replace(/\s+(?:[A-Z]\d{0,2}|\d{1,3})$/, '')
}

/** Adds the components that events name, and reads the registered fleet with its database ids. */
export async function prepareFleet(client: Client): Promise<RegisteredFleet> {
  await copyLines(
    client,
    { table: 'component', columns: ['name', 'type', 'name_folded'] },
    componentNames().map((name) => [name, componentType(name), fold(name)]),
  )
  const instruments = await client.query<{
    id: number
    installedProductId: string
    type: InstrumentType
    gatewayId: number
    siteId: number
    customerId: number
    slaTerm: string | null
  }>(`
    SELECT i.id, installed_product_id AS "installedProductId", i.type, gateway_id AS "gatewayId", site_id AS "siteId",
      i.customer_id AS "customerId", k.sla_term AS "slaTerm"
    FROM instrument i LEFT JOIN contract k ON k.id = i.contract_id WHERE gateway_id IS NOT NULL ORDER BY i.id`)
  const owners = await client.query<{ id: number }>(
    "SELECT id FROM app_user WHERE login LIKE 'colleague-%' ORDER BY id",
  )
  const components = await client.query<{ id: number; name: string }>('SELECT id, name FROM component')
  return {
    instruments: instruments.rows.map(({ slaTerm, ...instrument }) => ({
      ...instrument,
      fullSupport: slaTerm !== null && (terms.has(slaTerm) || FULL_SUPPORT_TERM.test(slaTerm)),
    })),
    owners: owners.rows.map(({ id }) => id),
    components: new Map(components.rows.map(({ id, name }) => [name, id])),
  }
}

/** Gives every gateway a key. Returns the gateways with their instruments. */
export async function giveGatewayKeys(client: Client): Promise<BenchData['gateways']> {
  const { rows } = await client.query<{ id: number; name: string; instruments: string[] }>(`
    SELECT g.id, g.name, array_agg(i.installed_product_id ORDER BY i.id) AS instruments
    FROM gateway g JOIN instrument i ON i.gateway_id = g.id GROUP BY g.id ORDER BY g.id`)
  const gateways = rows.map((gateway) => ({ ...gateway, key: `bwgw_${randomBytes(32).toString('base64url')}` }))
  await copyLines(
    client,
    { table: 'gateway_key', columns: ['gateway_id', 'key_hash'] },
    gateways.map(({ id, key }) => [id, `\\x${createHash('sha256').update(key).digest('hex')}`]),
  )
  return gateways.map(({ name, key, instruments }) => ({ name, key, instruments }))
}

/** Returns the run of an instrument at a time (ms), or null. */
export type RunOf = (instrumentId: number, at: number) => number | null

/** Lets the first instruments run for the past year, and fills the statuses that begin their runs. */
export async function fillRuns(
  client: Client,
  { fleet, now, running }: { fleet: RegisteredFleet; now: number; running: number },
): Promise<RunOf> {
  const from = now - RUNS * RUN_MS
  const places = new Map(fleet.instruments.slice(0, running).map(({ id }, place) => [id, place]))
  const runId = (place: number, turn: number) => place * RUNS + turn + 1
  const turns = Array.from({ length: RUNS }, (_, turn) => turn)
  const names = function* () {
    for (const [place, { customerId }] of fleet.instruments.slice(0, running).entries()) {
      for (const turn of turns) {
        const name = `Batch ${place}-${turn}`
        yield [runId(place, turn), customerId, name, fold(name)]
      }
    }
  }
  const beginnings = function* () {
    for (const [id, place] of places) {
      for (const turn of turns) {
        const at = new Date(from + turn * RUN_MS)
        yield [id, at, 0, turn, 'method run', at, runId(place, turn)]
      }
    }
  }
  await copyLines(client, { table: 'run', columns: ['id', 'customer_id', 'name', 'name_folded'] }, names())
  await client.query("SELECT setval('run_id_seq', (SELECT coalesce(max(id), 1) FROM run))")
  await copyLines(client, { table: 'instrument_status_history', columns: [...statusColumns, 'run_id'] }, beginnings())
  return (instrumentId, at) => {
    const place = places.get(instrumentId)
    return place === undefined || at < from ? null : runId(place, Math.min(RUNS - 1, Math.floor((at - from) / RUN_MS)))
  }
}

const statusColumns = ['instrument_id', 'at', 'epoch', 'sequence', 'status', 'received_at']

/** Fills the recent and current statuses of instruments; all are connected. */
export async function fillStatuses(
  client: Client,
  { fleet, now, seed, runOf }: { fleet: RegisteredFleet; now: number; seed: string; runOf: RunOf },
): Promise<void> {
  const random = seededRandom(`${seed}/statuses`)
  const rows = function* () {
    for (const { id } of fleet.instruments) {
      for (let sequence = 0; sequence < STATUSES; sequence++) {
        const at = new Date(now - (STATUSES - sequence) * 47 * MINUTE_MS - random.integer(0, 40 * MINUTE_MS))
        yield [id, at, 1, sequence, random.pick(instrumentStatuses), at, runOf(id, at.getTime())]
      }
    }
  }
  await copyLines(client, { table: 'instrument_status_history', columns: [...statusColumns, 'run_id'] }, rows())
  await client.query(
    `UPDATE instrument i SET status = h.status, status_at = h.at, status_epoch = 1, status_sequence = h.sequence,
       run_id = h.run_id, run_since = CASE WHEN h.run_id IS NOT NULL THEN $1::timestamptz - interval '8 h' END,
       unknown_at = CASE WHEN h.status = 'Unknown' THEN h.at END, orc_status = 'Connected',
       connected_at = $1::timestamptz - interval '3 years'
     FROM instrument_status_history h WHERE h.instrument_id = i.id AND h.epoch = 1 AND h.sequence = $2`,
    [new Date(now), STATUSES - 1],
  )
  await client.query("INSERT INTO gateway_epoch (gateway_id, epoch, ordinal) SELECT id, 'bench', 1 FROM gateway")
}

/** The number of objects in a file: some 3 MB of instruments. */
const OBJECTS_OF_A_FILE = 8000

/**
 * Registers a fleet over HTTP as other systems do, so that derived data (folded texts, locations, audit log) are the
 * product's own.
 */
export async function registerFleet(client: ApiClient, fleet: BenchFleet): Promise<void> {
  await importAll(client, 'customers', fleet.customers)
  await importAll(client, 'sites', fleet.sites)
  await importAll(client, 'contracts', fleet.contracts)
  await importAll(client, 'contacts', fleet.contacts)
  await importAll(client, 'gateways', fleet.gateways)
  await importAll(client, 'event-templates', templates())
  await importAll(client, 'instruments', fleet.instruments)
}

async function importAll(
  client: ApiClient,
  kind: CallInput<'importRegistry'>['query']['kind'],
  objects: readonly Keyed<object>[],
): Promise<void> {
  for (let start = 0; start < objects.length; start += OBJECTS_OF_A_FILE) {
    const lines = objects
      .slice(start, start + OBJECTS_OF_A_FILE)
      .map(({ key, input }) => JSON.stringify({ key, ...input }))
    const { errors } = await client.call('importRegistry', {
      query: { kind },
      body: lines.join('\n'),
      mediaType: 'application/x-ndjson',
    })
    if (errors.length > 0) throw new Error(`The registry refused ${kind}: ${JSON.stringify(errors.slice(0, 5))}`)
  }
}

/** Returns the samples' templates; types without any use those of another type. */
function templates(): Keyed<EventTemplateInput>[] {
  const known = eventTemplates()
  const typeOf = (key: string) => key.slice(0, key.indexOf('/'))
  const first = typeOf(known[0]?.key ?? '')
  const borrowed = instrumentTypes
    .filter((type) => !known.some(({ key }) => typeOf(key) === type))
    .flatMap((type) =>
      known
        .filter(({ key }) => typeOf(key) === first)
        .map(({ key, input }) => ({ key: `${type}${key.slice(key.indexOf('/'))}`, input })),
    )
  return [...known, ...borrowed]
}
