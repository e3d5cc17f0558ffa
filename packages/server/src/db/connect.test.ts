import { type Kysely, sql } from 'kysely'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { isPassingDatabaseError } from '../platform/passing-database-error.ts'
import { eventually } from '../testing/eventually.ts'
import { inDatabase, templateName } from '../testing/test-cluster.ts'
import { testDatabase } from '../testing/test-database.ts'
import {
  type ConnectionTarget,
  connectClient,
  connectDatabase,
  type DatabaseHandle,
  type Db,
  keptPlan,
  keyIn,
  OperatorError,
} from './connect.ts'
import type { Database } from './schema/database.ts'
import { inTransaction } from './transaction.ts'

let opened: DatabaseHandle | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

/** The same database as a URL, in the form of DATABASE_URL. */
function asUrl({ connectionString, host, user, database }: ConnectionTarget): URL {
  if (connectionString !== undefined) return new URL(connectionString)
  return new URL(`postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`)
}

async function setting(database: DatabaseHandle, name: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`SELECT current_setting(${name}, true) AS value`.execute(database.db)
  return rows[0]?.value ?? ''
}

/** The statements that the connection has prepared, with how often a kept plan was used. */
async function prepared(db: Kysely<Database>) {
  return (await sql<Prepared>`SELECT statement, generic_plans AS kept FROM pg_prepared_statements`.execute(db)).rows
}

interface Prepared {
  statement: string
  kept: number
}

describe('values', () => {
  it('are numbers, dates and texts as the tables declare them', async () => {
    const { db } = await testDatabase()
    const { rows } = await sql`
      SELECT 9007199254740991::int8 AS id, ARRAY[1, 2]::int8[] AS ids, DATE '2026-11-20' AS day,
        ARRAY[DATE '2026-11-20'] AS days, TIMESTAMPTZ '2026-11-20 14:00+02' AS at, 12.50::numeric(8, 5) AS position,
        count(*) AS n`.execute(db)
    expect(rows).toEqual([
      {
        id: Number.MAX_SAFE_INTEGER,
        ids: [1, 2],
        day: '2026-11-20',
        days: ['2026-11-20'],
        at: new Date('2026-11-20T12:00:00Z'),
        position: '12.50000',
        n: 1,
      },
    ])
  })
})

describe('the application', () => {
  it('works under its own role, which may not rewrite the record', async () => {
    const { db } = await testDatabase()
    const { rows } = await sql<{ role: string }>`SELECT current_user AS role`.execute(db)
    expect(rows).toEqual([{ role: 'benchwatch_app' }])
    for (const statement of ['UPDATE audit SET reason = NULL', 'DELETE FROM audit_seal', 'TRUNCATE audit']) {
      await expect(sql.raw(statement).execute(db)).rejects.toThrow(/permission denied/)
    }
  })

  it('has the database detect within seconds that the machine of a process lost power', async () => {
    const { db } = await testDatabase()
    // A Unix socket has no keepalives, and their settings read as 0, so the test checks the requested settings.
    const { rows } = await sql`
      SELECT name, reset_val AS seconds FROM pg_settings
      WHERE name IN ('tcp_keepalives_idle', 'tcp_keepalives_interval') ORDER BY name`.execute(db)
    expect(rows).toEqual([
      { name: 'tcp_keepalives_idle', seconds: '4' },
      { name: 'tcp_keepalives_interval', seconds: '1' },
    ])
  })

  it('has its long statements cancelled and a new plan for each set of values', async () => {
    const database = await testDatabase()
    expect(await setting(database, 'statement_timeout')).toBe('4s')
    expect(await prepared(database.db)).toEqual([])
    const { rows } = await sql`SELECT current_setting('plan_cache_mode') AS mode`.execute(database.reporting)
    expect(rows).toEqual([{ mode: 'force_custom_plan' }])
    const version = Number(await setting(database, 'server_version_num'))
    expect(await setting(database, 'enable_presorted_aggregate')).toBe(version >= 160_000 ? 'off' : '')
    expect(await setting(database, 'TimeZone')).toBe('UTC')
  })

  it('has a transaction ended that pauses while it holds locks, as in a frozen process, but not one of long work', async () => {
    const database = await testDatabase()
    const pauses = [database.db, database.intake, database.reporting].map(async (pool) => {
      const { rows } = await sql<{
        pause: string
      }>`SELECT current_setting('idle_in_transaction_session_timeout') AS pause`.execute(pool)
      return rows[0]?.pause
    })
    expect(await Promise.all(pauses)).toEqual(['5s', '5s', '1min'])
    const paused = database.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`
        SELECT pg_backend_pid() AS pid, set_config('idle_in_transaction_session_timeout', '20', true)`.execute(trx)
      await eventually(async () => {
        const left = await sql`SELECT FROM pg_stat_activity WHERE pid = ${rows[0]?.pid}`.execute(database.reporting)
        expect(left.rows).toEqual([])
      })
      await sql`SELECT 1`.execute(trx)
    })
    await expect(paused).rejects.toSatisfy(isPassingDatabaseError)
  })

  it('gives up a connection without answers, and continues with another one', async () => {
    const { owner } = await testDatabase()
    opened = await connectDatabase({ connection: owner, poolSize: 2, silenceMs: 300 })
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(opened.db)
    const pid = rows[0]?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    try {
      const error: unknown = await sql`SELECT 1`.execute(opened.db).catch((thrown: unknown) => thrown)
      expect(isPassingDatabaseError(error)).toBe(true)
      const { db } = opened
      // The server may not have noticed the end of the connection yet.
      await eventually(async () => {
        const next = await sql`SELECT pg_backend_pid() <> ${pid} AS other`.execute(db)
        expect(next.rows).toEqual([{ other: true }])
      })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })

  it('keeps the plans of what gateways send', async () => {
    const { intake } = await testDatabase()
    await sql`SELECT ${1}::int AS one`.execute(intake)
    const { rows } = await sql`SELECT current_setting('plan_cache_mode') AS mode, ARRAY(
      SELECT statement FROM pg_prepared_statements WHERE statement LIKE ${'%AS one'}) AS prepared`.execute(intake)
    expect(rows).toEqual([{ mode: 'force_generic_plan', prepared: ['SELECT $1::int AS one'] }])
  })

  it('continues after all its connections were cut', async () => {
    const database = await testDatabase()
    await sql`SELECT 1`.execute(database.db)
    const administrator = await connectClient(database.owner)
    await administrator.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await administrator.end()
    // The first query may use a connection whose end was not noticed yet.
    await eventually(async () => {
      expect((await sql`SELECT 2 AS two`.execute(database.db)).rows).toEqual([{ two: 2 }])
    })
  })
})

describe('a statement with a kept plan', () => {
  const open = async (options: { prepares?: boolean } = {}) => {
    const { owner } = await testDatabase()
    opened = await connectDatabase({ connection: owner, poolSize: 1, ...options })
    return opened.db
  }
  const usersOf = (db: Kysely<Database>, ids: number[]) =>
    db.selectFrom('app_user').select('id').where(keyIn('id', ids)).modifyFront(keptPlan).execute()

  it('is planned for five requests of a connection, whatever the number of ids, and no other is prepared', async () => {
    const db = await open()
    for (const ids of [[0], [0, 1], [0], [], [0, 2, 3], [0], [0]]) {
      expect(await usersOf(db, ids)).toHaveLength(ids.length === 0 ? 0 : 1)
      await sql`SELECT ${1}::int AS one`.execute(db)
    }
    expect(await prepared(db)).toEqual([{ statement: expect.stringContaining('"app_user"'), kept: 2 }])
  })

  it('runs after a change of the schema, also within a transaction', async () => {
    const db = await open()
    const administrator = await connectClient((await testDatabase()).owner)
    const change = (statement: string) => administrator.query(statement)
    const values = (at: Db) => sql`SELECT ${keptPlan} value FROM probe WHERE value <> ${'x'}`.execute(at)
    try {
      await change('CREATE TABLE probe (value varchar(9)); GRANT SELECT ON probe TO benchwatch_app')
      await change("INSERT INTO probe VALUES ('1')")
      expect((await values(db)).rows).toEqual([{ value: '1' }])
      await change('ALTER TABLE probe ALTER value TYPE text')
      expect((await values(db)).rows).toEqual([{ value: '1' }])
      await change('ALTER TABLE probe ALTER value TYPE varchar(99)')
      expect((await inTransaction(db, values, { isSnapshot: true })).rows).toEqual([{ value: '1' }])
    } finally {
      await change('DROP TABLE probe')
      await administrator.end()
    }
  })

  it('is one of at most 200 on a connection', async () => {
    const db = await open()
    for (let index = 0; index < 210; index += 1) {
      const { rows } = await sql`SELECT ${keptPlan} ${sql.lit(index)}::int AS index, ${1}::int AS one`.execute(db)
      expect(rows).toEqual([{ index, one: 1 }])
    }
    expect(await prepared(db)).toHaveLength(200)
  })

  it('is not prepared if DATABASE_PREPARE is off, and neither is anything else', async () => {
    const db = await open({ prepares: false })
    expect(await usersOf(db, [0])).toEqual([{ id: 0 }])
    const intake = opened?.intake ?? db
    expect(await usersOf(intake, [0])).toEqual([{ id: 0 }])
    expect([...(await prepared(db)), ...(await prepared(intake))]).toEqual([])
    const { rows } = await sql`SELECT current_setting('plan_cache_mode') AS mode`.execute(intake)
    expect(rows).toEqual([{ mode: 'force_custom_plan' }])
  })
})

describe('a connection that breaks between two queries of its borrower', () => {
  it('fails the next query and nothing else', async () => {
    const { pool, owner } = await testDatabase()
    const client = await pool.connect()
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    const administrator = await connectClient(owner)
    await administrator.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    await administrator.end()
    await ended
    await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminated|closed/)
    client.release(true)
  })
})

describe('an address', () => {
  it('leads to an external server, whose options do not take the role away', async () => {
    const { owner } = await testDatabase()
    const url = asUrl(owner)
    url.searchParams.set('options', '-c role=none -c search_path=pg_catalog')
    opened = await connectDatabase({ connection: { connectionString: url.href }, poolSize: 1 })
    expect(await setting(opened, 'role')).toBe('benchwatch_app')
    expect(await setting(opened, 'search_path')).toBe('pg_catalog')
  })

  it.each(['mysql://root:hunter2@db/x', 'postgres://root:hunter2@db:5432,db:one/x', 'postgres://root:hunter2@db,/x'])(
    'that is none is refused without showing its password: %s',
    async (connectionString) => {
      await expect(connectDatabase({ connection: { connectionString }, poolSize: 1 })).rejects.toMatchObject({
        forOperator: true,
        message:
          'DATABASE_URL and DATABASE_DIRECT_URL must look like postgresql://user:password@host:5432/database, where several hosts are separated by commas.',
      })
    },
  )

  it('may have several hosts, and the error names the one that fails, with the reason', async () => {
    const connectionString = 'postgresql://a:hunter2@127.0.0.1:1,[::1]:2/x'
    await expect(connectDatabase({ connection: { connectionString }, poolSize: 1 })).rejects.toThrow(
      /no host accepts writes: 127\.0\.0\.1:1 connect ECONNREFUSED 127\.0\.0\.1:1, ::1:2 connect E/,
    )
  })

  it('that does not answer is explained in one sentence', async () => {
    const nobody = connectDatabase({
      connection: { connectionString: 'postgresql://a:hunter2@127.0.0.1:1/x' },
      poolSize: 1,
    })
    await expect(nobody).rejects.toBeInstanceOf(OperatorError)
    await expect(nobody).rejects.toThrow(/^The database can't be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)/)
  })
})

describe('the test database', () => {
  it('is the same one within a file, and holds what migrations bring', async () => {
    const database = await testDatabase()
    expect(await testDatabase()).toBe(database)
    const users = await database.db.selectFrom('app_user').select(['id', 'login']).execute()
    expect(users).toEqual([{ id: 0, login: 'SYSTEM' }])
    expect(inDatabase(database.owner, templateName(inject('testCluster')))).not.toEqual(database.owner)
  })
})
