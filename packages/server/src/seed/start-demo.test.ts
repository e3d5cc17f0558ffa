import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'
import { type DemoOrder, startDemo } from './start-demo.ts'

let database: TestDatabase
let order: DemoOrder

beforeEach(async () => {
  database = await testDatabase()
  const now = '2026-11-20T14:00:00.000Z'
  const brand = {
    product: 'Benchwatch',
    publicUrl: 'http://localhost:8080',
    supportEmail: 'support@benchwatch.example',
  }
  order = { connection: database.owner, dataDir: '/nowhere', now, logLevel: 'silent', brand }
})

const customers = async () => (await database.db.selectFrom('customer').select('key').execute()).map(({ key }) => key)

describe('the process that makes the demo data', () => {
  it('says what to do when it fails', async () => {
    const nobody = { host: '127.0.0.1', port: 1 }
    await expect(startDemo(database.db, { ...order, connection: nobody })).rejects.toThrow(
      'The demo data could not be made (code 1). None of it was stored: start again, or start empty with DEMO=off.',
    )
  })

  it('ends with the one who ordered it, and leaves nothing behind', async () => {
    const program = fileURLToPath(new URL('./seed-process.ts', import.meta.url))
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    child.stdin.write(`${JSON.stringify(order)}\n`)
    const isWriting = async () => {
      const { rows } = await sql`SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
        JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
        WHERE c.relname = 'log_entry' AND l.mode = 'RowExclusiveLock' AND l.pid <> pg_backend_pid()`.execute(
        database.db,
      )
      return rows.length > 0
    }
    await expect.poll(isWriting).toBe(true)
    child.stdin.end()
    expect(await ended).toEqual([1, null])
    await expect.poll(isWriting).toBe(false)
    expect(await customers()).toEqual([])
  })

  it('is not asked when there is anything in the database', async () => {
    await database.db.insertInto('customer').values({ key: 'own', name: 'Own', name_folded: 'own' }).execute()
    await startDemo(database.db, { ...order, connection: { host: '127.0.0.1', port: 1 } })
    expect(await customers()).toEqual(['own'])
  })
})
