import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { eventually } from '../../testing/eventually.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { connectClient, connectDatabase } from '../connect.ts'
import { inTransaction } from '../transaction.ts'
import { enqueueJob, type JobHandler, jobTask, startJobs } from './jobs.ts'
import { startLeader } from './leader.ts'

let database: TestDatabase
let running: { stop(): Promise<void> }[] = []
/** Payloads in the order in which they were processed. */
let taken: unknown[] = []
let logged = ''
const note = { name: 'note', run: async (payload: unknown) => void taken.push(payload) } satisfies JobHandler

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  taken = []
  logged = ''
  await database.pool.query('DELETE FROM job_outbox')
  await database.pool.query('DELETE FROM graphile_worker._private_jobs')
})
afterEach(async () => {
  await Promise.all(running.map((jobs) => jobs.stop()))
  running = []
})

function start(...handlers: JobHandler[]) {
  const log = createLog('warn', { write: (line) => void (logged += line) })
  const jobs = startJobs(database, handlers, log)
  running.push(jobs, startLeader(database, [jobTask(database.db)], log))
  return jobs
}
const waiting = async () =>
  (await database.pool.query('SELECT attempts, locked_by, last_error FROM graphile_worker._private_jobs ORDER BY id'))
    .rows
/** Moves written jobs into the queue once, as the leader does. */
const move = () => jobTask(database.db).run()
const job = (n: number) => ({ name: 'note', payload: { n } })

describe('a job', () => {
  it('notifies nobody in the transaction that writes it; all that were moved together notify once', async () => {
    const heard: string[] = []
    const listener = await database.listen('"jobs:insert"', (payload) => heard.push(payload))
    await inTransaction(database.db, (trx) => enqueueJob(trx, job(1)))
    await enqueueJob(database.db, job(2))
    expect(await move()).toBe(true)
    expect(await move()).toBe(false)
    await database.pool.query(`NOTIFY "jobs:insert", 'last'`)
    await eventually(() => expect(heard).toEqual([expect.stringContaining('"count":2'), 'last']))
    await listener.close()
  })

  it('is taken after the commit of the transaction that wrote it, and never of one that was rolled back', async () => {
    start(note)
    await inTransaction(database.db, async (trx) => {
      await enqueueJob(trx, job(1))
      throw new Error('no')
    }).catch(() => undefined)
    await inTransaction(database.db, (trx) => enqueueJob(trx, job(2)))
    await eventually(() => expect(taken).toEqual([{ n: 2 }]))
    await eventually(async () => expect(await waiting()).toEqual([]))
  })

  it('that was written while nobody worked is taken at the start', async () => {
    await enqueueJob(database.db, job(1))
    start(note)
    await eventually(() => expect(taken).toEqual([{ n: 1 }]))
  })

  it('replaces one that waits under its key', async () => {
    const runAt = new Date(Date.now() + 3_600_000)
    await enqueueJob(database.db, job(1), { key: 'one', runAt })
    await move()
    await enqueueJob(database.db, job(2), { key: 'one', runAt })
    await enqueueJob(database.db, job(3), { key: 'one' })
    await move()
    expect(await waiting()).toHaveLength(1)
    start(note)
    await eventually(() => expect(taken).toEqual([{ n: 3 }]))
  })

  it('is written under its key also while an earlier one is stuck with a process that died', async () => {
    await enqueueJob(database.db, job(1), { key: 'one' })
    await move()
    await database.pool.query("UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'dead'")
    await enqueueJob(database.db, job(2), { key: 'one' })
    start(note)
    await eventually(() => expect(taken).toEqual([{ n: 2 }]))
  })

  it('is taken once, however many processes work', async () => {
    for (let process = 0; process < 3; process += 1) start(note)
    await inTransaction(database.db, async (trx) => {
      for (let n = 0; n < 50; n += 1) await enqueueJob(trx, job(n))
    })
    await eventually(() => expect(taken).toHaveLength(50))
    await eventually(async () => expect(await waiting()).toEqual([]))
    expect(taken).toHaveLength(50)
  })

  it('that fails is kept with its error for a later attempt', async () => {
    start({
      name: 'note',
      async run() {
        throw new Error('the disk is full')
      },
    })
    await enqueueJob(database.db, job(1), { maxAttempts: 2 })
    await eventually(async () =>
      expect(await waiting()).toEqual([{ attempts: 1, locked_by: null, last_error: 'the disk is full' }]),
    )
  })

  it('under way at a stop is told and may end', async () => {
    const begun = Promise.withResolvers<void>()
    let ended = false
    const jobs = start({
      name: 'note',
      async run(_payload, stop) {
        begun.resolve()
        await new Promise((resolve) => stop.addEventListener('abort', resolve))
        ended = true
      },
    })
    await enqueueJob(database.db, job(1))
    await begun.promise
    running = running.filter((one) => one !== jobs)
    await jobs.stop()
    expect(ended).toBe(true)
    expect(await waiting()).toEqual([])
  })

  it('is taken again after the connections to the database broke', async () => {
    start(note)
    await enqueueJob(database.db, job(1))
    await eventually(() => expect(taken).toHaveLength(1))
    const owner = await connectClient(database.owner)
    await owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    await owner.end()
    await eventually(() => enqueueJob(database.db, job(2)))
    await eventually(() => expect(taken).toContainEqual({ n: 2 }))
  })
})

it('is taken after the network has dropped the connections of the queue without a word', async () => {
  const silent = await connectDatabase({ connection: database.owner, poolSize: 1, silenceMs: 300 })
  const pids: number[] = []
  const libraryPool = (size: number) =>
    silent.libraryPool(size).on('connect', (client) => {
      const { processID } = client as typeof client & { processID: number }
      pids.push(processID)
    })
  running.push(
    startJobs({ ...silent, libraryPool }, [note], createLog('silent')),
    startLeader(database, [jobTask(database.db)], createLog('silent')),
  )
  await enqueueJob(database.db, job(1))
  await eventually(async () => expect([taken, await waiting()]).toEqual([[{ n: 1 }], []]))
  const dropped = pids.splice(0)
  for (const pid of dropped) process.kill(pid, 'SIGSTOP')
  try {
    await enqueueJob(database.db, job(2))
    await eventually(() => expect(taken).toContainEqual({ n: 2 }))
  } finally {
    for (const pid of dropped) process.kill(pid, 'SIGCONT')
    await Promise.all(running.map((one) => one.stop()))
    await silent.close()
  }
})

describe('a job whose end can not be noted', () => {
  it.each([
    ['succeeds', note.run],
    [
      'fails',
      async (payload: unknown) => {
        taken.push(payload)
        if (taken.length === 1) throw new Error('the disk is full')
      },
    ],
  ])('and that %s is taken again at once, and the process continues', async (_what, act) => {
    const owner = await connectClient(database.owner)
    await owner.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no end is noted'; END $$;
      CREATE TRIGGER refuse_done BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse();
      CREATE TRIGGER refuse_failed BEFORE UPDATE ON graphile_worker._private_jobs FOR EACH ROW
        WHEN (OLD.locked_at IS NOT NULL) EXECUTE FUNCTION refuse()`)
    start({ name: 'note', run: act })
    await enqueueJob(database.db, job(1))
    await eventually(() => expect(logged).toContain('Runner stopping'))
    await owner.query('DROP FUNCTION refuse CASCADE')
    await owner.end()
    await eventually(async () => expect(await waiting()).toEqual([]))
    // Three times if it was taken again before the function was gone.
    expect(taken.length).toBeGreaterThan(1)
  })
})

describe('the role of the application', () => {
  it('uses the queue and cannot change how it is made', async () => {
    expect((await database.pool.query('SELECT current_user AS role')).rows).toEqual([{ role: 'benchwatch_app' }])
    await expect(database.pool.query('DELETE FROM graphile_worker.migrations')).rejects.toThrow(/permission denied/)
    await expect(database.pool.query('CREATE TABLE graphile_worker.mine (n int)')).rejects.toThrow(/permission denied/)
  })
})
