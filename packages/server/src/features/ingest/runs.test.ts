import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { storeBatches } from './ingest.service.ts'
import { readItems } from './read-items.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
let database: TestDatabase
let fleet: SampleFleet
let epochs = 0

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, now)
})

/** Items of one time axis: `at` counts minutes, and each item has its place in it whenever it arrives. */
function timeline(subject = 'IP-20431187', start = now.getTime()) {
  epochs += 1
  const items = gatewayItems(`run${epochs}`, now)
  const componentName = `Valve ${epochs} (V${epochs})`
  const time = (at: number) => new Date(start + at * 60_000).toISOString()
  return {
    componentName,
    status: (at: number, instrumentStatus: string, run?: string | null) =>
      items.status(instrumentStatus, { time: time(at), subject }, run),
    alarm: (at: number) =>
      items.raised({ componentName, templateId: `V-${at}`, logGeneratedAt: time(at) }, { time: time(at), subject }),
  }
}

async function send(...items: readonly unknown[]) {
  const gateway = { type: 'gateway', id: fleet.gateways.helix.id, name: fleet.gateways.helix.name } as const
  const [answer] = await storeBatches(database.db, { batches: [{ gateway, items: readItems(items) }], now })
  expect(answer?.rejected).toEqual([])
}

/** Returns the run of each event by its minute. */
async function runsOf(componentName: string): Promise<Record<string, string | null>> {
  const rows = await database.db
    .selectFrom('service_event as e')
    .innerJoin('component as c', 'c.id', 'e.component_id')
    .leftJoin('run as r', 'r.id', 'e.run_id')
    .where('c.name', '=', componentName)
    .orderBy('e.log_generated_at')
    .select(['e.template_id', 'r.name'])
    .execute()
  return Object.fromEntries(rows.map(({ template_id, name }) => [template_id.slice(2), name]))
}

async function currentRun(id = fleet.instruments.first) {
  const { run_since, name } = await database.db
    .selectFrom('instrument as i')
    .leftJoin('run as r', 'r.id', 'i.run_id')
    .where('i.id', '=', id)
    .select(['i.run_since', 'r.name'])
    .executeTakeFirstOrThrow()
  return name === null ? null : [name, ((run_since?.getTime() ?? 0) - now.getTime()) / 60_000]
}

/** Each test begins where the others are over. */
async function beginAnew() {
  await database.db.deleteFrom('pending_notification').execute()
  await database.db.deleteFrom('service_event').execute()
  await database.db.deleteFrom('instrument_status_history').execute()
  await database.db.updateTable('instrument').set({ run_id: null, run_since: null, status_epoch: 0 }).execute()
  await database.db.deleteFrom('live_outbox').execute()
}

it('gives an event the run that was on when it happened, and keeps the run of the instrument with its beginning', async () => {
  await beginAnew()
  const { status, alarm, componentName } = timeline()
  await send(status(0, 'ready'), alarm(1), status(2, 'method run', 'B-1'), alarm(3), status(4, 'hold', 'B-1'), alarm(5))
  expect(await currentRun()).toEqual(['B-1', 2])
  await send(status(6, 'ready'), alarm(7))
  expect(await currentRun()).toBeNull()
  expect(await runsOf(componentName)).toEqual({ 1: null, 3: 'B-1', 5: 'B-1', 7: null })
})

it('takes a lost connection for no end of the run, and control characters for blanks', async () => {
  await beginAnew()
  const { status, alarm, componentName } = timeline()
  await send(status(0, 'method run', ' Lot\n7 '), status(1, 'disconnected'), alarm(2), status(3, 'Unknown'), alarm(4))
  await send(status(5, 'alarms and errors', ''), alarm(6))
  expect(await runsOf(componentName)).toEqual({ 2: 'Lot 7', 4: 'Lot 7', 6: null })
})

it('takes an empty run for its end, also after a lost connection', async () => {
  await beginAnew()
  const { status, alarm, componentName } = timeline()
  await send(status(0, 'method run', 'Lot 8'), status(1, 'disconnected'), status(2, 'Unknown'), alarm(3))
  await send(status(4, 'Unknown', ''), alarm(5))
  expect(await currentRun()).toBeNull()
  expect(await runsOf(componentName)).toEqual({ 3: 'Lot 8', 5: null })
})

it('bounds runs by the clock that dates the alarms, and dates the status of an instrument by that of the gateway', async () => {
  await beginAnew()
  const gateway = timeline()
  const { status, alarm, componentName } = timeline('IP-20431187', now.getTime() + 3 * 3_600_000)
  const told = (at: number, run: string) => {
    const item = gateway.status(at, 'method run', run)
    return { ...item, data: { ...(item.data as object), at: status(at, 'ready').time } }
  }
  await send(told(0, 'Ahead'), alarm(1), told(2, 'Next'), alarm(3))
  expect(await runsOf(componentName)).toEqual({ 1: 'Ahead', 3: 'Next' })
  const instrument = database.db.selectFrom('instrument').where('id', '=', fleet.instruments.first)
  const { status_at } = await instrument.select('status_at').executeTakeFirstOrThrow()
  expect(status_at).toEqual(new Date(now.getTime() + 2 * 60_000))
})

it('adds the run to an event when the status arrives late, informs consoles, and increases the version', async () => {
  await beginAnew()
  const { status, alarm, componentName } = timeline()
  const [began, ended] = [status(1, 'method run', 'Late'), status(3, 'ready')]
  await send(alarm(2), alarm(4))
  await database.db.deleteFrom('live_outbox').execute()
  await send(began)
  expect(await runsOf(componentName)).toEqual({ 2: 'Late', 4: 'Late' })
  await send(ended)
  expect(await runsOf(componentName)).toEqual({ 2: 'Late', 4: null })
  const told = (await database.db.selectFrom('live_outbox').orderBy('id').select('message').execute()).map(
    ({ message }) => message,
  )
  const ofEvents = told.filter(({ entity, property }) => entity === 'alarm' && property === 'run')
  expect(ofEvents.map(({ payload }) => payload)).toMatchObject([
    { run: 'Late', version: 2 },
    { run: 'Late', version: 2 },
    { run: null, version: 3, instrumentInstalledProductId: 'IP-20431187' },
  ])
  const ofInstrument = told.filter(({ entity, property }) => entity === 'instrument' && property === 'run')
  expect(ofInstrument.map(({ payload }) => payload)).toMatchObject([
    { run: 'Late', runSince: new Date(now.getTime() + 60_000).toISOString() },
    { run: null, runSince: null },
  ])
})

it('writes nothing about runs for statuses that never had one', async () => {
  await beginAnew()
  const { status, alarm } = timeline('IP-20431188')
  await send(status(0, 'ready'), alarm(1), status(2, 'method run'))
  expect(await currentRun(fleet.instruments.second)).toBeNull()
  const { run_since } = await database.db
    .selectFrom('instrument')
    .where('id', '=', fleet.instruments.second)
    .select('run_since')
    .executeTakeFirstOrThrow()
  expect(run_since).toBeNull()
})

it('keeps the runs of a former customer to them', async () => {
  await beginAnew()
  const { db } = database
  const { status, alarm, componentName } = timeline()
  await send(status(0, 'method run', 'Secret'), alarm(1))
  const { site_id } = await db
    .selectFrom('instrument')
    .where('id', '=', fleet.instruments.nordic)
    .select('site_id')
    .executeTakeFirstOrThrow()
  const first = db.updateTable('instrument').where('id', '=', fleet.instruments.first)
  const before = await db
    .selectFrom('instrument')
    .where('id', '=', fleet.instruments.first)
    .select(['customer_id', 'site_id', 'customer_since'])
    .executeTakeFirstOrThrow()
  const moved = { customer_id: fleet.customers.nordic, site_id, customer_since: new Date(now.getTime() + 150_000) }
  await first.set(moved).execute()
  // The gateway that reports from now on is new, too; what it still has to tell is the former one's.
  await db.updateTable('gateway').set({ first_seen_at: moved.customer_since }).execute()
  // The second of these statuses was told before the move and arrives after it.
  const late = status(2, 'method run', 'Secret too')
  // Its instrument dates it after the move.
  await send(alarm(3), { ...late, data: { ...(late.data as object), at: alarm(3).time } }, alarm(4))
  expect(await runsOf(componentName)).toEqual({ 1: 'Secret', 3: null, 4: null })
  await send(status(5, 'method run', 'Open'), alarm(6))
  expect(await runsOf(componentName)).toMatchObject({ 1: 'Secret', 4: null, 6: 'Open' })
  const runs = await db.selectFrom('run').where('customer_id', '=', fleet.customers.nordic).select('name').execute()
  expect(runs).toEqual([{ name: 'Open' }])
  await first.set({ ...before, customer_since: '-infinity' as never }).execute()
})

const told = fc.record({
  kind: fc.constantFrom('alarm' as const, 'status' as const),
  status: fc.constantFrom('ready', 'method run', 'Unknown', 'disconnected'),
  run: fc.constantFrom(undefined, null, '', 'A', 'B'),
})

it('gives the same runs in whatever order and batches statuses and alarms arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(told, { minLength: 1, maxLength: 9 }).chain((items) =>
        fc.record({
          items: fc.constant(items),
          arrival: fc.shuffledSubarray([...items.keys()], { minLength: items.length }),
          size: fc.integer({ min: 1, max: 5 }),
        }),
      ),
      async ({ items, arrival, size }) => {
        await beginAnew()
        const { status, alarm, componentName } = timeline()
        const made = items.map((item, at) => (item.kind === 'alarm' ? alarm(at) : status(at, item.status, item.run)))
        for (let from = 0; from < arrival.length; from += size) {
          await send(...arrival.slice(from, from + size).map((at) => made[at]))
        }
        let [run, since]: [string | null, number] = [null, 0]
        const expected: Record<string, string | null> = {}
        for (const [at, item] of items.entries()) {
          if (item.kind === 'alarm') expected[at] = run
          else if (typeof item.run === 'string' || !['Unknown', 'disconnected'].includes(item.status)) {
            const next = item.run || null
            if (next !== run) since = at
            run = next
          }
        }
        expect(await runsOf(componentName)).toEqual(expected)
        expect(await currentRun()).toEqual(run === null ? null : [run, since])
      },
    ),
    { numRuns: 25 },
  )
})
