import type { KpiMeasure } from '@benchwatch/contract/vocabulary'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DataScope } from '../../db/actor.ts'
import { buildEventFixture, type EventFixture } from '../../testing/event-fixture.ts'
import { type PlainFixture, plainMeasures, readPlainFixture } from '../../testing/plain/plain-kpi.ts'
import { propertyRun } from '../../testing/property-run.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { readComponents } from '../usage/usage.queries.ts'
import { renewForecasts } from '../usage/usage-forecast.store.ts'
import { tableOf } from './kpi-measure.ts'
import { measures, USAGE_DUE_DAYS } from './kpi-measures.ts'

/**
 * Compares every measure with a plain computation over all rows of a random fixture. `PROPERTY_SEED` repeats a
 * failure.
 */

const random = seededRandom(propertyRun.seed)
const now = TEST_NOW
const MINUTE = 60_000
const DAY = 1440 * MINUTE
let database: TestDatabase
let made: EventFixture
let fixture: PlainFixture

beforeAll(async () => {
  database = await testDatabase()
  made = await buildEventFixture(database.db, { events: 600, now, seed: propertyRun.seed })
  await letTimePass(random.fork('times'))
  await deleteUsers()
  await testTheChain()
  await silenceGateways(random.fork('gateways'))
  await useComponents(random.fork('usage'))
  await database.pool.query(
    "INSERT INTO event_template VALUES ('AKTAPure', 'P9-B-1003', 2, 'As registered', NULL, NULL, NULL) ON CONFLICT DO NOTHING",
  )
  while ((await renewForecasts(database.db, { now, parts: 7 })) > 0);
  fixture = await readPlainFixture(database)
})

/**
 * Claims and closes events, also at the very end of 24 hours, by clocks that differ, by the system alone, and never.
 */
async function letTimePass(from: SeededRandom) {
  for (const id of made.eventIds) {
    const claimedAfter = from.pick([null, 0, -2000, DAY - 1, DAY, DAY + 1, from.integer(1, 4 * 1440) * MINUTE])
    const closedAfter = from.integer(0, 6 * 1440) * MINUTE + 500
    await database.pool.query(
      `UPDATE service_event SET latched_count = $2,
        claimed_at = CASE WHEN claimed_by IS NOT NULL THEN created_at + $3 * interval '1 ms' END,
        closed_at = CASE WHEN alert_status = 3 THEN created_at + $4 * interval '1 ms' END
      WHERE id = $1`,
      [id, from.integer(0, 3), claimedAfter, closedAfter],
    )
  }
  // Some events of the last day wait under a 24-hour contract, so that their clock runs.
  await database.pool.query(
    `UPDATE service_event SET full_support = true, alert_status = 1, claimed_by = NULL, claimed_at = NULL, closed_at = NULL
    WHERE id IN (SELECT id FROM service_event WHERE created_at > $1 LIMIT 3)`,
    [new Date(now.getTime() - DAY)],
  )
}

/** Two owners of events are in the state of deleted users. */
async function deleteUsers() {
  await database.pool.query(
    "UPDATE app_user SET name = 'Deleted user', disabled_at = $1, deleted_at = $1 WHERE id = ANY($2)",
    [now, made.users.slice(-2).map(({ id }) => id)],
  )
}

/** Adds closed events of the console's own tests of the alarm chain, and one test that was reported as missing. */
async function testTheChain() {
  const { rowCount } = await database.pool.query(
    `UPDATE service_event SET alert_source = 'TEST', template_id = CASE WHEN id % 7 = 0 THEN 'TEST-1002' ELSE 'TEST-1001' END
    WHERE alert_status = 3 AND id % 5 = 0`,
  )
  expect(rowCount).toBeGreaterThan(20)
}

async function silenceGateways(from: SeededRandom) {
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM gateway ORDER BY id')
  for (const [index, { id }] of rows.entries()) {
    if (index === 0) continue
    const first = now.getTime() - (index === 1 ? -DAY : from.integer(1, 60) * DAY)
    await database.pool.query('UPDATE gateway SET first_seen_at = $2 WHERE id = $1', [id, new Date(first)])
    let at = first + from.integer(1, 900) * MINUTE
    for (let count = from.integer(0, 8); count > 0 && at < now.getTime(); count -= 1) {
      const until = at + from.integer(1, 2 * 1440) * MINUTE
      const lasts = until > now.getTime()
      await database.pool.query('INSERT INTO gateway_silence VALUES ($1, $2, $3)', [
        id,
        new Date(at),
        lasts ? null : new Date(until),
      ])
      if (lasts) await database.pool.query('UPDATE gateway SET silent_since = $2 WHERE id = $1', [id, new Date(at)])
      at = until + from.integer(1, 5 * 1440) * MINUTE
    }
  }
}

/**
 * Adds components with usage at every pace, some replaced on the way, under every rule; one instrument came to its
 * customer a few days ago.
 */
async function useComponents(from: SeededRandom) {
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM instrument ORDER BY id')
  for (const [index, { id }] of rows.entries()) {
    for (const component of ['Pump B (P9-B)', 'UV monitor (U9-L)']) {
      // In every fixture some are due soon, whatever is drawn for the others.
      const isSoonDue = index < 4 && component.startsWith('UV')
      const thresholdRule = isSoonDue
        ? 'MAXIMUM_USAGE'
        : from.pick(['MAXIMUM_USAGE', 'HIGH_SAFE_USAGE', 'COUNT_DOWN', 'UNKNOWN_THRESHOLD'])
      const falls = thresholdRule === 'COUNT_DOWN'
      const pace = isSoonDue ? 5 : from.pick([0, 1, 5, 20]) * (falls ? -1 : 1)
      const days = isSoonDue ? 20 : from.pick([3, 20, 120])
      let value = isSoonDue ? 590 : falls ? 3000 : from.integer(0, 900)
      for (let ago = days; ago >= 0; ago -= 1) {
        value = !isSoonDue && from.chance(0.02) ? from.integer(0, 50) : value + pace * from.next() * 2
        await database.pool.query('INSERT INTO component_usage_day VALUES ($1, $2, $3, $4, 1, $5, $6)', [
          ...[
            id,
            component,
            'Volume',
            new Date(now.getTime() - ago * DAY).toISOString().slice(0, 10),
            days - ago,
            value,
          ],
        ])
      }
      const usage = {
        metric: 'Volume',
        unit: 'L',
        value,
        thresholdRule,
        thresholdValues: falls ? [30, 7] : [800, 1000],
      }
      await database.pool.query("INSERT INTO component_usage VALUES ($1, $2, $3, 1, 1, $4, '[]', '[]')", [
        ...[id, component, now, JSON.stringify([usage])],
      ])
    }
  }
  await database.pool.query('UPDATE instrument SET customer_since = $2 WHERE id = $1', [
    rows[0]?.id,
    new Date(now.getTime() - 10 * DAY),
  ])
}

const day = (text: string) => new Date(`${text}T00:00:00Z`)
const ranges = [
  { from: day('2026-10-01'), until: day('2026-11-21') },
  { from: day('2026-11-10'), until: day('2026-11-12') },
  { from: day('2026-11-19'), until: day('2026-12-01') },
  { from: day('2020-01-01'), until: day('2020-01-02') },
]
const scopes: [string, () => DataScope][] = [
  ['all customers', () => 'all'],
  ['one customer', () => made.customers.slice(0, 1).map(({ id }) => id)],
  ['several customers', () => made.customers.slice(1, 4).map(({ id }) => id)],
  ['no customer', () => []],
]
const compared = (Object.keys(measures) as KpiMeasure[]).filter((name) => name !== 'usage-due')
const MOST = 20

const ask = async (name: KpiMeasure, question: Parameters<(typeof measures)[KpiMeasure]['read']>[1]) =>
  tableOf(name, measures[name], await measures[name].read(database.db, question)).rows

describe.each(scopes)(`seed ${propertyRun.seed}, %s`, (_name, scopeOf) => {
  test.each(compared)('%s is what a plain look at all rows finds', async (name) => {
    for (const range of ranges) {
      const question = { ...range, scope: scopeOf(), now }
      const expected = plainMeasures(fixture, question)[name] ?? []
      const most = name === 'top-errors' || name === 'noisiest-instruments' ? MOST : expected.length
      const found = await ask(name, question)
      expect(close(found)).toEqual(close(expected.slice(0, most)))
    }
  })

  test('usage-due is what the cards of the instruments say', async () => {
    const scope = scopeOf()
    const latest = new Date(now.getTime() + USAGE_DUE_DAYS * DAY).toISOString().slice(0, 10)
    const expected: unknown[] = []
    for (const { ipid } of fixture.instruments.values()) {
      for (const { componentName, usage } of (await readComponents(database.db, {
        id: ipid,
        scope,
        now,
        type: undefined,
      })) ?? []) {
        for (const { forecastDate, usageColor } of usage) {
          if (usageColor === 'maximum') expected.push([ipid, componentName, 'Due', null])
          else if (forecastDate !== null && forecastDate <= latest)
            expected.push([ipid, componentName, 'Soon due', forecastDate])
        }
      }
    }
    const rows = await ask('usage-due', { ...(ranges[0] as (typeof ranges)[0]), scope, now })
    const found = rows.map(([instrument, , , component, , , state, due]) => [instrument, component, state, due])
    expect(found.map(String).sort()).toEqual(expected.map(String).sort())
    const dues = rows.map((row) => String(row.at(-1) ?? ''))
    expect(dues).toEqual(dues.toSorted())
  })
})

/** Compares rows; shares may differ in their last binary digit, depending on the order of addition. */
function close(rows: (string | number | null)[][]) {
  return rows.map((row) => row.map((cell) => (typeof cell === 'number' ? Number(cell.toFixed(9)) : cell)))
}

test('the data has the cases that make the measures hard', async () => {
  const question = { from: day('2026-10-01'), until: day('2026-11-21'), scope: 'all' as const, now }
  const sla = await ask('sla', question)
  const sum = (index: number) => sla.reduce((all, row) => all + Number(row[index]), 0)
  expect([sum(2), sum(3), sum(4)].every((count) => count > 0)).toBe(true)
  const owners = (await ask('response-by-owner', question)).map(([owner]) => owner)
  expect(owners).toEqual(expect.arrayContaining(['No owner', 'Automatic', '(No name configured)']))
  expect(owners.filter((owner) => owner === 'Deleted user')).toHaveLength(1)
  expect((await ask('top-families', question)).map(([family]) => family)).toContain('Gateways')
  expect((await ask('usage-due', question)).length).toBeGreaterThan(3)
  expect((await ask('top-errors', question)).length).toBe(MOST)
})
