import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { createLog } from '../platform/log.ts'
import { eventually } from '../testing/eventually.ts'
import { freePort } from '../testing/postgres/external-postgres.ts'
import { registerSampleFleet } from '../testing/sample-fleet.ts'
import { addSamplePerson } from '../testing/sample-people.ts'
import { TEST_NOW, testApp } from '../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'
import { APPLICATION_ROLE, connectClient, connectDatabase, type DatabaseHandle, OperatorError } from './connect.ts'
import { asUser, chooseServerUser } from './embedded/embedded-user.ts'
import { enqueueJob, jobTask, startJobs } from './queues/jobs.ts'
import { startLeader } from './queues/leader.ts'
import { inTransaction } from './transaction.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PgBouncer of this machine; null if none is installed. */
    pgbouncer: string | null
  }
}

const program = inject('pgbouncer')
const log = createLog('silent')

/** Fewer connections to the database than callers have, so that these share them. */
const SERVER_CONNECTIONS = 2

describe.runIf(program !== null)('behind PgBouncer in transaction mode', () => {
  const login = `requests_${randomBytes(4).toString('hex')}`
  let folder: string
  let bouncer: ChildProcess
  let direct: TestDatabase
  let opened: DatabaseHandle | undefined
  let pooled: URL

  beforeAll(async () => {
    direct = await testDatabase()
    await asOwner(`CREATE ROLE ${login} LOGIN PASSWORD 'secret' IN ROLE ${APPLICATION_ROLE}`)
    const owner = new URL(direct.owner.connectionString ?? '')
    folder = mkdtempSync(join(tmpdir(), 'benchwatch-pgbouncer-'))
    const port = await freePort()
    const users = [login, owner.username].map((name) => `"${name}" "${name === login ? 'secret' : owner.password}"`)
    writeFileSync(join(folder, 'users.txt'), users.join('\n'))
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]
* = host=127.0.0.1 port=${owner.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
admin_users = ${login}
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
    )
    const user = chooseServerUser(folder)
    if (user !== null)
      for (const place of ['', 'users.txt', 'pgbouncer.ini']) chownSync(join(folder, place), user.uid, user.gid)
    bouncer = spawn(program ?? '', [join(folder, 'pgbouncer.ini')], {
      ...asUser(user),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    await new Promise<void>((ready, failed) => {
      bouncer.once('exit', () => failed(new Error(`PgBouncer did not start: ${said}`)))
      bouncer.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('process up')) ready()
      })
    })
    pooled = new URL(`postgres://${login}:secret@127.0.0.1:${port}${owner.pathname}`)
  })
  afterEach(async () => {
    await opened?.close()
    opened = undefined
  })
  afterAll(async () => {
    const ended = once(bouncer, 'exit')
    bouncer.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true })
    await asOwner(`DROP ROLE ${login}`)
  })

  async function asOwner(statements: string): Promise<void> {
    const client = await connectClient(direct.owner)
    await client.query(statements)
    await client.end()
  }

  async function open(connectionString = pooled.href): Promise<DatabaseHandle> {
    const pooler = { connectionString }
    // PgBouncer supports prepared statements from 1.21 on only, and Debian's is older.
    opened = await connectDatabase({ connection: direct.owner, pooler, poolSize: 8, prepares: false })
    return opened
  }

  it('a login that owns the tables is refused, because it could change the audit log', async () => {
    const { username, password } = new URL(direct.owner.connectionString ?? '')
    const asOwner = Object.assign(new URL(pooled), { username, password })
    await expect(open(asOwner.href)).rejects.toThrow(
      /^The user managed of DATABASE_URL must have the rights of benchwatch_app/,
    )
  })

  it('a login without the settings of the application is refused with the statements that give them', async () => {
    const refusal: unknown = await open().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(OperatorError)
    const statements = (refusal as Error).message.match(/ALTER ROLE [^;]+;/g) ?? []
    expect(statements).toContain(`ALTER ROLE ${login} SET statement_timeout = '4000';`)
    await asOwner(statements.join(''))
    const administrator = await connectClient({
      connectionString: Object.assign(new URL(pooled), { pathname: '/pgbouncer' }).href,
    })
    await administrator.query('RECONNECT')
    await administrator.end()
    const { db } = await open()
    const { rows } = await sql`SELECT current_setting('statement_timeout') AS timeout, current_user AS login`.execute(
      db,
    )
    expect(rows).toEqual([{ timeout: '4s', login }])
  })

  it('callers who share connections keep their transactions and settings to themselves', async () => {
    const { db } = await open()
    const backends = new Set<number>()
    const read = (number: number) =>
      inTransaction(
        db,
        async (trx) => {
          await sql`SELECT set_config('application_name', ${`caller ${number}`}, true)`.execute(trx)
          const one = async () => {
            const { rows } = await sql<{ backend: number; caller: string; number: number }>`
              SELECT pg_backend_pid() AS backend, current_setting('application_name') AS caller, ${number}::int AS number
            `.execute(trx)
            return rows[0]
          }
          const both = [await one(), await one()]
          backends.add(both[0]?.backend ?? 0)
          const backend = both[0]?.backend
          const expected = { backend, caller: `caller ${number}`, number }
          expect(both).toEqual([expected, expected])
        },
        { isSnapshot: number % 3 !== 0 },
      )
    const alone = async (number: number) => {
      const { rows } =
        await sql`SELECT ${number}::int AS number, current_setting('application_name') AS caller`.execute(db)
      expect(rows).toEqual([{ number, caller: 'benchwatch' }])
    }
    await Promise.all(Array.from({ length: 600 }, (_, number) => (number % 2 === 0 ? read(number) : alone(number))))
    expect(backends.size).toBe(SERVER_CONNECTIONS)
  })

  it('notifications, jobs and the lock of the leader go past it', async () => {
    const database = await open()
    const heard: string[] = []
    const listener = await database.listen('probe', (payload) => heard.push(payload))
    const done: unknown[] = []
    const jobs = startJobs(database, [{ name: 'note', run: async (payload) => void done.push(payload) }], log)
    const leader = startLeader(database, [jobTask(database.db)], log)
    try {
      await eventually(() => expect(leader.isLeading()).toBe(true))
      await sql`SELECT pg_notify('probe', 'told')`.execute(database.db)
      await eventually(() => expect(heard).toContain('told'))
      await inTransaction(database.db, (trx) => enqueueJob(trx, { name: 'note', payload: { n: 1 } }))
      await eventually(() => expect(done).toEqual([{ n: 1 }]))
    } finally {
      await Promise.all([listener.close(), jobs.stop(), leader.stop()])
    }
  })

  it('the product answers a user', async () => {
    await registerSampleFleet(direct, TEST_NOW)
    const user = await addSamplePerson(direct, { login: 'anna@benchwatch.example' })
    const app = await testApp(await open())
    try {
      expect((await app.call('getReady')).status).toBe(200)
      const caller = await app.as(user)
      const { status, body } = await caller.call('listInstruments', { body: {} })
      expect([status, body.total.instruments]).toEqual([200, 3])
    } finally {
      await app.close()
    }
  })
})
