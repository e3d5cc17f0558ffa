import { once } from 'node:events'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { Signal } from '../../platform/concurrency.ts'
import { createLog } from '../../platform/log.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { STILL_ALIVE } from './heartbeat.ts'
import { type LeaderTask, Pace, startLeader } from './leader.ts'

const log = createLog('silent')
const leaders: { stop(): Promise<void> }[] = []
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  await Promise.all(leaders.splice(0).map((leader) => leader.stop()))
})

/** A task that counts its runs and lets a test wait for the next one. */
function counted(task: Partial<LeaderTask> = {}): LeaderTask & { runs: number; next(): Promise<void> } {
  const waiting: (() => void)[] = []
  return {
    name: 'counted',
    everyMs: 60_000,
    ...task,
    runs: 0,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async run() {
      this.runs += 1
      for (const resolve of waiting.splice(0)) resolve()
      await task.run?.()
    },
  }
}

function start(task: LeaderTask): { stop(): Promise<void> } {
  const leader = startLeader(database, [task], log)
  leaders.push(leader)
  return leader
}

test('one of two does the work, and the other takes over when it stops', async () => {
  const [first, second] = [counted({ everyMs: 5 }), counted({ everyMs: 5 })]
  const begun = first.next()
  const leader = start(first)
  await begun
  const taken = second.next()
  start(second)
  while (first.runs < 20) await first.next()
  expect(second.runs).toBe(0)
  await leader.stop()
  const runs = first.runs
  await taken
  while (second.runs < 5) await second.next()
  expect(first.runs).toBe(runs)
})

test('a leader whose connection breaks is followed by one that holds the lock again', async () => {
  const task = counted({ everyMs: 5 })
  const begun = task.next()
  start(task)
  await begun
  // pg_locks shows the locks of all databases of the server, and other test files run in parallel.
  const holder = sql<{ pid: number }>`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  const before = (await holder.execute(database.db)).rows[0]?.pid
  const killer = new (await import('pg')).Client(database.owner)
  await killer.connect()
  await killer.query('SELECT pg_terminate_backend($1)', [before])
  await killer.end()
  let after = before
  while (after === undefined || after === before) {
    await task.next()
    after = (await holder.execute(database.db)).rows[0]?.pid
  }
  expect(after).not.toBe(before)
})

test('a leader that is frozen is followed by another process, which shows that it is alive', async () => {
  const signsOfLife = { frozen: 0, following: 0 }
  const counting = (name: keyof typeof signsOfLife): typeof database => ({
    ...database,
    async dedicatedClient() {
      const client = await database.dedicatedClient()
      const query = client.query.bind(client)
      client.query = ((text: string, values: unknown[]) => {
        if (text !== STILL_ALIVE) return query(text, values)
        signsOfLife[name] += 1
        return name === 'frozen' ? once(client, 'end') : query(text, values)
      }) as typeof client.query
      return client
    },
  })
  const [first, second] = [counted({ everyMs: 5 }), counted({ everyMs: 5 })]
  const begun = first.next()
  leaders.push(startLeader(counting('frozen'), [first], log, { silentMs: 200 }))
  await begun
  const taken = second.next()
  leaders.push(startLeader(counting('following'), [second], log, { silentMs: 200 }))
  await taken
  while (signsOfLife.following < 5) await second.next()
  expect(signsOfLife.frozen).toBeGreaterThan(0)
})

test('a task runs as soon as another one rings, also when that happens while it runs', async () => {
  const wake = new Signal()
  let rung = false
  const task = counted({
    wake,
    run: async () => {
      if (!rung) wake.ring()
      rung = true
    },
  })
  const first = task.next()
  start(task)
  await first
  await task.next()
  const third = task.next()
  wake.ring()
  await third
  expect(task.runs).toBe(3)
})

test('a task that found something runs more often, until a second has passed without another find', () => {
  let now = 0
  const pace = new Pace({ everyMs: 100, busyMs: 20 }, () => now)
  const next = (at: number, hasFound: boolean) => {
    now = at
    return pace.next(hasFound)
  }
  expect([next(0, false), next(500, true), next(900, false), next(1000, true), next(1999, false)]).toEqual([
    ...[100, 20, 20, 20, 20],
  ])
  expect(next(2000, false)).toBe(100)
  expect(new Pace({ everyMs: 1000 }).next(true)).toBe(1000)
})

test('a task that fails is tried again', async () => {
  const task = counted({ everyMs: 1, run: () => Promise.reject(new Error('this time not')) })
  const first = task.next()
  start(task)
  await first
  await task.next()
  await task.next()
  expect(task.runs).toBeGreaterThanOrEqual(3)
})
