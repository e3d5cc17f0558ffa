import { type KpiMeasure, kpiMeasures } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { REPORTING_POOL_SIZE } from '../../db/connect.ts'
import { primaryReads } from '../../db/replica/long-reads.ts'
import { eventually } from '../../testing/eventually.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { createKpiTables, type KpiTableInput, type KpiTables } from './kpi.routes.ts'
import { measures } from './kpi-measures.ts'

/** Tests concurrent reads. The test blocks the reading itself, so that later requests find it in flight. */

let database: TestDatabase
let tables: KpiTables
let release: () => void
const reads = vi.spyOn(measures.sla, 'read')
const here = new AbortController().signal
const asked: KpiTableInput = {
  measure: 'sla',
  from: new Date('2026-11-01T00:00:00Z'),
  until: new Date('2026-11-21T00:00:00Z'),
  scope: 'all',
  names: undefined,
}
const other = (days: number): KpiTableInput => ({
  ...asked,
  from: new Date(asked.from.getTime() - days * 86_400_000),
})
const anAnswer = { rows: [{ customer: 'Helix Biologics' }], more: 0 }

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(() => {
  tables = createKpiTables({ reads: primaryReads(database), clock: { now: () => TEST_NOW } })
  const gate = Promise.withResolvers<void>()
  release = gate.resolve
  reads.mockImplementation(async () => {
    await gate.promise
    return anAnswer
  })
})
afterEach(() => reads.mockReset())
afterAll(() => reads.mockRestore())

test('whoever asks the same meanwhile is answered with it: ten times the page is one time the work', async () => {
  const answers = Array.from({ length: 10 }, () => tables(asked, here))
  release()
  expect(await Promise.all(answers)).toEqual(Array(10).fill(anAnswer))
  expect(reads).toHaveBeenCalledTimes(1)
  await tables(asked, here)
  expect(reads).toHaveBeenCalledTimes(2)
})

test.each<Partial<KpiTableInput>>([
  { scope: [1] },
  { scope: [] },
  { names: ['Helix Biologics'] },
  { names: [] },
  { until: new Date('2026-11-20T00:00:00Z') },
])('what differs by %j is another question', async (difference) => {
  const answers = [tables(asked, here), tables({ ...asked, ...difference }, here)]
  release()
  await Promise.all(answers)
  expect(reads).toHaveBeenCalledTimes(2)
})

test('what nobody waits for any more is not begun', async () => {
  const busy = Array.from({ length: REPORTING_POOL_SIZE }, (_, index) => tables(other(index), here))
  const [leaving, alsoLeaving, staying] = [new AbortController(), new AbortController(), new AbortController()]
  const left = [tables(other(10), leaving.signal), tables(other(10), alsoLeaving.signal)]
  const kept = [tables(other(11), leaving.signal), tables(other(11), staying.signal)]
  leaving.abort()
  alsoLeaving.abort()
  release()
  await Promise.all([...busy, ...left, ...kept])
  const begun = new Set(reads.mock.calls.map(([, { from }]) => from.getTime()))
  expect(begun).toEqual(new Set([other(0), other(1), other(11)].map(({ from }) => from.getTime())))
  expect(reads).toHaveBeenCalledTimes(3)
})

test('as many are read at once as there are connections for them, and screens have their own', async () => {
  const answers = Array.from({ length: 6 }, (_, index) => tables(other(index), here))
  await eventually(() => expect(reads).toHaveBeenCalledTimes(REPORTING_POOL_SIZE))
  const { rows } = await database.pool.query<{ free: number }>('SELECT 1 AS free')
  expect(rows).toEqual([{ free: 1 }])
  expect(database.pool.totalCount - database.pool.idleCount).toBe(0)
  expect(reads).toHaveBeenCalledTimes(REPORTING_POOL_SIZE)
  release()
  await Promise.all(answers)
  expect(reads).toHaveBeenCalledTimes(6)
})

test('a table that takes too long says what to do, and is asked anew the next time', async () => {
  reads.mockImplementationOnce(async (db) => {
    await sql`SELECT set_config('statement_timeout', '50', true)`.execute(db)
    await sql`SELECT pg_sleep(10)`.execute(db)
    return anAnswer
  })
  await expect(tables(asked, here)).rejects.toMatchObject({
    code: 'overloaded',
    message: 'This table takes too long. Choose fewer days or customers, or try again later.',
  })
  release()
  expect(await tables(asked, here)).toEqual(anAnswer)
})

test.each(kpiMeasures)('where nothing is registered yet, %s is an empty table', async (measure) => {
  reads.mockReset()
  const { rows } = await tables({ ...asked, measure }, here)
  const always: Partial<Record<KpiMeasure, number>> = { 'event-rate': 20, 'open-by-age': 4, response: 1 }
  expect(rows).toHaveLength(always[measure] ?? 0)
  for (const row of rows)
    for (const cell of Object.values(row)) expect(typeof cell !== 'number' || cell === 0).toBe(true)
})

test('a statement has longer than those of screens', async () => {
  reads.mockImplementationOnce(async (db) => {
    const { rows } = await sql<{ statement_timeout: string }>`SHOW statement_timeout`.execute(db)
    return { rows, more: 0 }
  })
  expect((await tables(asked, here)).rows).toEqual([{ statement_timeout: '20s' }])
})
