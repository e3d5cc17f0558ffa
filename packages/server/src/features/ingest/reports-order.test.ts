import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { storeBatches } from './ingest.service.ts'
import { readItems } from './read-items.ts'

/**
 * Usage, run time and software end in the same rows in whatever order, batches and number of repeats the items arrive:
 * the rows that a plain computation over all items in sequence order gives.
 */

const now = new Date('2026-11-20T14:00:00.000Z')
let database: TestDatabase
let fleet: SampleFleet
let runs = 0

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, now)
  await database.db.insertInto('feature_flag').values({ key: 'ASSET_USAGE', user_id: null, value: true }).execute()
})

const subjects = ['IP-20431187', 'IP-20431188'] as const
const days = ['2026-11-18', '2026-11-19'] as const
const value = fc.option(fc.integer({ min: 0, max: 99 }))
const component = fc.record({
  componentName: fc.constantFrom('Pump A (P9-A)', 'UV lamp (U9)'),
  usage: fc.array(
    fc.record({
      metric: fc.constantFrom('hours', 'strokes'),
      unit: fc.constant(null),
      value,
      thresholdRule: fc.constant('UNKNOWN_THRESHOLD' as const),
      thresholdValues: fc.constant([]),
    }),
    { maxLength: 2 },
  ),
  info: fc.constant([]),
  details: fc.constant([]),
})
const told = fc.oneof(
  fc.record({ kind: fc.constant('usage' as const), components: fc.array(component, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('runtime' as const), seconds: fc.integer({ min: 0, max: 86_400 }) }),
  fc.record({
    kind: fc.constant('clients' as const),
    clientPcNames: fc.uniqueArray(fc.constantFrom('PC-1', 'PC-2', 'PC-3')),
  }),
)
const item = fc.record({
  told,
  subject: fc.constantFrom(...subjects),
  life: fc.integer({ min: 0, max: 1 }),
  day: fc.constantFrom(...days),
})
type Item = typeof item extends fc.Arbitrary<infer T> ? T : never

/** Items with the order of their arrival, where batches end, and which are sent once more at the end. */
const traffic = fc.array(item, { minLength: 1, maxLength: 14 }).chain((items) =>
  fc.record({
    items: fc.constant(items),
    arrival: fc.shuffledSubarray([...items.keys()], { minLength: items.length }),
    again: fc.subarray([...items.keys()]),
    batchSize: fc.integer({ min: 1, max: 6 }),
  }),
)

async function send(items: readonly unknown[]) {
  const gateway = { type: 'gateway', id: fleet.gateways.helix.id, name: fleet.gateways.helix.name } as const
  const [answer] = await storeBatches(database.db, { batches: [{ gateway, items: readItems(items) }], now })
  expect(answer?.rejected).toEqual([])
}

/** Returns the rows as text, without the number of the outbox epoch, which grows from run to run. */
async function storedRows(): Promise<string[]> {
  const { db } = database
  const usage = await db.selectFrom('component_usage').selectAll().execute()
  const usageDays = await db.selectFrom('component_usage_day').selectAll().execute()
  const runtimes = await db.selectFrom('runtime_day').selectAll().execute()
  const software = await db.selectFrom('instrument_software').selectAll().execute()
  return [
    ...usage.map((row) => line('usage', row.instrument_id, row.component_name, row.sequence, row.usage.map(valueOf))),
    ...usageDays.map((row) => line('day', row.instrument_id, row.component_name, row.metric, row.day, row.value)),
    ...runtimes.map((row) => line('runtime', row.instrument_id, row.day, row.seconds)),
    ...software.map((row) => line('software', row.instrument_id, row.client_pc_names)),
  ].sort()
}

/** Computes the expected rows from the items in sequence order. */
function expectedRows(items: readonly Item[]): string[] {
  const rows = new Map<string, string>()
  const put = (key: readonly unknown[], ...rest: unknown[]) => rows.set(line(...key), line(...key, ...rest))
  const counted = items.map((one, index) => ({ ...one, sequence: index + 1 }))
  for (const { told: what, subject, day, sequence } of counted.sort((a, b) => a.life - b.life)) {
    const instrument = subject === subjects[0] ? fleet.instruments.first : fleet.instruments.second
    if (what.kind === 'runtime') put(['runtime', instrument, day], what.seconds)
    if (what.kind === 'clients') put(['software', instrument], what.clientPcNames)
    if (what.kind !== 'usage') continue
    for (const { componentName, usage } of what.components) {
      put(['usage', instrument, componentName], sequence, usage.map(valueOf))
      for (const one of usage) {
        if (one.value !== null) put(['day', instrument, componentName, one.metric, day], one.value)
      }
    }
  }
  return [...rows.values()].sort()
}

/** Drops the other fields, whose order in the object jsonb does not keep. */
function valueOf({ metric, value: of }: { metric: string; value: number | null }) {
  return [metric, of]
}

function line(...parts: unknown[]): string {
  return parts.map((part) => JSON.stringify(part)).join(' ')
}

it('usage, run time and software end alike whatever arrives when, in which batches and how often', async () => {
  await fc.assert(
    fc.asyncProperty(traffic, async ({ items, arrival, again, batchSize }) => {
      for (const table of ['component_usage', 'component_usage_day', 'runtime_day', 'instrument_software'] as const) {
        await database.db.deleteFrom(table).execute()
      }
      runs += 1
      const lives = [0, 1].map((life) => gatewayItems(`run${runs}x${life}`, now))
      // Epochs are numbered when they are first seen.
      for (const life of lives) await send([life.heartbeat()])
      const wire = items.map(({ told: what, subject, life, day }, index) => {
        const from = lives[life]
        const sequence = index + 1
        const envelope = { subject, sequence, id: `run${runs}x${life}-1${sequence}`, time: `${day}T12:00:00Z` }
        if (what.kind === 'usage') return from?.usage(what.components, envelope)
        if (what.kind === 'runtime') return from?.runtime(day, what.seconds, envelope)
        return from?.clients({ clientPcNames: what.clientPcNames }, envelope)
      })
      const arriving = [...arrival, ...again].map((index) => wire[index])
      for (let start = 0; start < arriving.length; start += batchSize) {
        await send(arriving.slice(start, start + batchSize))
      }
      expect(await storedRows()).toEqual(expectedRows(items))
    }),
    { numRuns: 40 },
  )
})
