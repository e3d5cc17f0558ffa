import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Client as ApiClient, createClient } from '@benchwatch/client/client'
import { passwordCredentials } from '@benchwatch/client/password-credentials'
import type { Client } from 'pg'
import { type GenerateArguments, readGenerateArguments } from '../arguments.ts'
import { connectBeside } from '../product/database.ts'
import { INDEXED_FROM, type Product, startProduct, stopProductsOnSignals } from '../product/product.ts'
import { writeBenchData } from './bench-data.ts'
import { dropEventIndexes, fillOrigins, loadCompanions, loadEvents } from './event-table.ts'
import { benchFleet, type FleetSize, fleetOf } from './fleet.ts'
import { insertPeople, insertScopes, logins, PASSWORD } from './people.ts'
import { fillRuns, fillStatuses, giveGatewayKeys, prepareFleet, registerFleet } from './registered-fleet.ts'

/** Settings for the load only; after a crash the data must be generated again. */
const loadSettings: Record<string, string> = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  autovacuum: 'off',
}
const sessionSettings = ["maintenance_work_mem = '1GB'", "work_mem = '256MB'", 'synchronous_commit = off']

type GenerateInput = Omit<GenerateArguments, 'instruments' | 'running'> & {
  instruments?: number
  running?: number
  size?: FleetSize
  say?: (line: string) => void
}

export async function runGenerate(args: readonly string[]): Promise<void> {
  const input = readGenerateArguments(args)
  stopProductsOnSignals()
  await generate({ ...input, say: (line) => console.log(line) })
}

/**
 * Makes a data directory of the product with this many service events: the schema by the product's own migrations, the
 * registry by its API, events by COPY. Existing data are removed. The same seed makes the same events, except for `now`
 * and the keys. Memory does not grow with the number of events.
 */
export async function generate({
  events,
  instruments,
  dataDir,
  seed,
  positions,
  running = 0,
  size,
  say = () => undefined,
}: GenerateInput): Promise<void> {
  const started = performance.now()
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const result = await work()
    say(`  ${name.padEnd(44)} ${seconds(begun).padStart(7)} s`)
    return result
  }
  await rm(join(dataDir, 'bench.json'), { force: true })
  await rm(join(dataDir, 'postgres'), { recursive: true, force: true })
  say(`${events} events in ${dataDir}`)
  await step('start and migrate', () => withProduct(dataDir, (_product, client) => setForLoad(client)))
  const now = Date.now()
  await withProduct(dataDir, async (product, client) => {
    await client.query(sessionSettings.map((setting) => `SET ${setting}`).join(';'))
    await step('people', () => insertPeople(client))
    const admin = clientOf(product, logins.admin)
    const fleet = benchFleet({ seed, now: new Date(now), size: size ?? fleetOf(instruments) })
    await step(`${fleet.instruments.length} instruments over the registry`, () => registerFleet(admin, fleet))
    await insertScopes(client, { seed })
    const registered = await prepareFleet(client)
    const gateways = await giveGatewayKeys(client)
    const runOf = await step(`runs of ${running} instruments`, () =>
      fillRuns(client, { fleet: registered, now, running }),
    )
    await step('statuses', () => fillStatuses(client, { fleet: registered, now, seed, runOf }))
    const indexes = await dropEventIndexes(client)
    await step('events', () => loadEvents(client, { count: events, now, seed, fleet: registered, runOf }))
    if (positions !== undefined) await step(`${positions} positions`, () => spreadSites(client, positions))
    await step('indexes', () => createIndexes(dataDir, indexes))
    await step('inbox and latched alerts', () => loadCompanions(client))
    await step('origins', () => fillOrigins(client))
    await step('vacuum and statistics', () => client.query('VACUUM (ANALYZE)'))
    await client.query('ALTER SYSTEM RESET ALL')
    await step('checkpoint', () => client.query('CHECKPOINT'))
    await writeBenchData(dataDir, {
      ...{ events, seed, now: new Date(now).toISOString(), password: PASSWORD, logins, gateways },
    })
  })
  await step('check through the product', () => withProduct(dataDir, (product) => check(product, events)))
  say(`Ready after ${seconds(started)} s.`)
}

async function setForLoad(client: Client): Promise<void> {
  for (const [name, value] of Object.entries(loadSettings)) await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
}

async function withProduct<T>(dataDir: string, work: (product: Product, client: Client) => Promise<T>): Promise<T> {
  const product = await startProduct({ dataDir })
  try {
    const client = await connectBeside(dataDir)
    try {
      return await work(product, client)
    } finally {
      await client.end()
    }
  } finally {
    await product.stop()
  }
}

/** Creates as many indexes at once as there are cores, the slowest (the text index) first. */
async function createIndexes(dataDir: string, statements: readonly string[]): Promise<void> {
  const queue = [...statements].sort((a, b) => Number(b.includes(' gin ')) - Number(a.includes(' gin ')))
  const work = async () => {
    const client = await connectBeside(dataDir)
    try {
      await client.query(sessionSettings.map((setting) => `SET ${setting}`).join(';'))
      for (let statement = queue.shift(); statement; statement = queue.shift()) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, Math.max(2, availableParallelism())) }, work))
}

/**
 * Checks with the product itself that the data are as it would have made them: all events are counted, and a keyword
 * finds folded text. It waits for the index, because counting ten million rows in PostgreSQL takes longer than a request may.
 */
async function check(product: Product, events: number): Promise<void> {
  if (events >= INDEXED_FROM) await product.engineMs
  const support = clientOf(product, logins.all)
  const all = await support.call('listServiceEvents', { body: {} })
  if (all.total.events !== events) throw new Error(`The product counts ${all.total.events} events and not ${events}.`)
  const start = new Date(Date.now() - 30 * 86_400_000).toISOString()
  const found = await support.call('listServiceEvents', { query: { start, keyword: 'akta' }, body: {} })
  if (found.total.events === 0)
    throw new Error('The keyword "akta" finds nothing: the folded texts differ from those of the product.')
}

function clientOf({ baseUrl: url }: Product, userId: string): ApiClient {
  return createClient({ url, credentials: passwordCredentials(url, { userId, password: PASSWORD }) })
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}

/**
 * The degrees around a site within which its copies are placed, for a map of a continent's sites and not of twenty
 * points.
 */
const AROUND = 2.5

/**
 * Spreads the events over this many positions, for measures of the map: copies of their sites, each with its own place
 * and at least one event. Call it before the origins are filled.
 */
async function spreadSites(client: Client, positions: number): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE spread AS
     SELECT e.id, e.site_id, (row_number() OVER (PARTITION BY e.site_id ORDER BY e.id) - 1)
       / greatest(1, (SELECT count(*) FROM service_event) / $1::int) AS part
     FROM service_event e`,
    [positions],
  )
  await client.query(`SELECT setseed(0.5)`)
  await client.query(`
    CREATE TEMP TABLE spread_site AS
    SELECT row_number() OVER (ORDER BY site_id, part) AS number, site_id, part FROM (SELECT DISTINCT site_id, part FROM spread) s`)
  await client.query(
    `INSERT INTO site (key, customer_id, name, street, zip, city, country, region, sub_region, latitude, longitude, time_zone, place_folded)
     SELECT 'spread-' || p.number, s.customer_id, s.name, s.street || ' ' || p.number, s.zip, s.city, s.country, s.region, s.sub_region,
       round((s.latitude + (random() - 0.5) * 2 * $1::numeric::float8)::numeric, 5),
       round((s.longitude + (random() - 0.5) * 4 * $1::numeric::float8)::numeric, 5), s.time_zone, s.place_folded
     FROM spread_site p JOIN site s ON s.id = p.site_id ORDER BY p.number`,
    [AROUND],
  )
  await client.query('ANALYZE spread, spread_site, site')
  await client.query(`
    UPDATE service_event e SET site_id = s.id FROM spread w
    JOIN spread_site p ON p.site_id = w.site_id AND p.part = w.part
    JOIN site s ON s.key = 'spread-' || p.number WHERE w.id = e.id`)
}
