import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealAudit } from '../db/audit.ts'
import { type RunInput, runCommandLine, urlOf } from '../testing/run-command.ts'
import { registerSampleFleet } from '../testing/sample-fleet.ts'
import { tokensOf } from '../testing/signed-in.ts'
import { TEST_NOW, type TestApp, testApp } from '../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'

let database: TestDatabase
let app: TestApp

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
})
afterAll(() => app.close())

const run = (
  command: 'admin-create' | 'gateway-key' | 'audit-verify' | 'clickhouse-rebuild' | 'migrate',
  args: string[] = [],
  given: Partial<RunInput> = {},
) => runCommandLine(command, args, { env: { DATABASE_URL: urlOf(database.owner) }, ...given })

const signIn = (userId: string, password: string) => app.call('signIn', { body: { userId, password } })

describe('admin:create', () => {
  test('makes an administrator of all customers, who signs in with the password that it prints', async () => {
    const { code, out, err } = await run('admin-create', ['First.Admin@Benchwatch.Example', '--name', 'Ada First'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const password = /Password: (\S+)/.exec(out)?.[1] ?? ''
    expect(password).toHaveLength(23)
    const { accessToken } = tokensOf((await signIn('first.admin@benchwatch.example', password)).body)
    const me = await app.call('getMe', { headers: { authorization: `Bearer ${accessToken}` } })
    expect(me.body).toMatchObject({
      name: 'Ada First',
      email: 'first.admin@benchwatch.example',
      role: 'admin',
      customers: null,
    })
    const { rows } = await database.pool.query(
      "SELECT actor_type, actor_name FROM audit WHERE entity_type = 'user' AND entity_id = $1",
      [me.body.id],
    )
    expect(rows[0]).toEqual({ actor_type: 'command', actor_name: 'admin:create' })
  })

  test('takes a password from standard input and then prints none', async () => {
    const { code, out } = await run('admin-create', ['piped@benchwatch.example', '--password-stdin'], {
      input: 'From-a-pipe-1\n',
    })
    expect(code).toBe(0)
    expect(out).toBe('The administrator piped@benchwatch.example was created.\n')
    expect((await signIn('piped@benchwatch.example', 'From-a-pipe-1')).status).toBe(200)
  })

  test('refuses a password against the policy, and says which rules it breaks', async () => {
    const { code, err } = await run('admin-create', ['weak@benchwatch.example', '--password-stdin'], {
      input: 'xbrfkw\n',
    })
    expect(code).toBe(1)
    expect(err).toBe(
      'The password does not conform to policy. It needs: at least 8 characters, at least 1 uppercase, at least 1 number, at least 1 special character.\n',
    )
    expect((await signIn('weak@benchwatch.example', 'xbrfkw')).status).toBe(401)
  })

  test('refuses an address that is taken, in any case', async () => {
    await run('admin-create', ['twice@benchwatch.example'])
    const { code, out, err } = await run('admin-create', ['TWICE@benchwatch.example'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe('There is already a user twice@benchwatch.example. Choose another e-mail address.\n')
  })

  test.each([
    [[], 'Usage: npm run admin:create -- <e-mail>'],
    [['not-an-address'], 'not-an-address is not an e-mail address; it should look like name@company.example.'],
    [['a@b.example', 'c@d.example'], 'Usage: npm run admin:create -- <e-mail>'],
    [['--colour', 'red'], 'Usage: npm run admin:create -- <e-mail>'],
  ])('says how it is used for %j, and starts no database', async (args, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'benchwatch-cli-'))
    const dataDir = join(folder, 'data')
    const { code, out, err } = await run('admin-create', args, { env: { DATA_DIR: dataDir } })
    expect({ code, out, started: existsSync(dataDir) }).toEqual({ code: 1, out: '', started: false })
    expect(err).toContain(words)
    expect(err).not.toMatch(/^ {4}at /m)
    rmSync(folder, { recursive: true })
  })
})

describe('gateway:key', () => {
  test('prints a new key once, alone on standard output, and the database has only its hash', async () => {
    const { gateways } = await registerSampleFleet(database, TEST_NOW)
    const { code, out, err } = await run('gateway-key', [gateways.helix.name])
    expect(code).toBe(0)
    const [key = '', ...rest] = out.split('\n')
    expect(rest).toEqual([''])
    expect(err).toBe(
      `This is the new key of ${gateways.helix.name}. It is shown only once; its first use revokes the earlier keys.\n`,
    )
    const { rows } = await database.pool.query('SELECT k::text AS row FROM gateway_key k')
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toContain(key)
    const send = (bearer: string) =>
      app.call('ingestBatch', {
        params: { gateway: gateways.helix.name },
        headers: { authorization: `Bearer ${bearer}` },
        body: [],
      })
    expect((await send(gateways.helix.key)).status).toBe(200)
    expect((await send(key)).status).toBe(200)
    expect((await send(gateways.helix.key)).status).toBe(401)
  })

  test.each([[[]], [['GW-NOWHERE-99']], [['GW-UPP-01', 'GW-OSL-01']]])('makes none for %j', async (args) => {
    const { code, out, err } = await run('gateway-key', args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/npm run gateway:key -- <gateway>|There is no gateway "GW-NOWHERE-99"\. Register it first/)
  })
})

describe('audit:verify', () => {
  test('says that the record is intact, and names a changed row and fails when it is not', async () => {
    await run('admin-create', ['recorded@benchwatch.example'])
    while ((await sealAudit(database.db)) > 0);
    const intact = await run('audit-verify')
    expect(intact).toMatchObject({ code: 0, err: '' })
    expect(intact.out).toMatch(/^The audit log is intact: \d+ rows, \d+ seals\.\nLast seal: [0-9a-f]{64}\n$/)

    const owner = new Client(database.owner)
    await owner.connect()
    const { rows } = await owner.query(
      "UPDATE audit SET new_value = 'customer' WHERE property = 'role' AND id = (SELECT max(id) FROM audit WHERE property = 'role') RETURNING id, entity_id, entity_seq",
    )
    await owner.end()
    const broken = await run('audit-verify')
    expect(broken).toMatchObject({ code: 1, out: '' })
    const [row] = rows
    expect(broken.err).toContain(
      `user ${row.entity_id}, position ${row.entity_seq} (row ${row.id}): content changed after it was written.\n`,
    )
    expect(broken.err).toMatch(/The audit log is NOT intact: 1 finding in \d+ rows, \d+ seals\.\n$/)
  })

  test('says in one sentence that there is no database', async () => {
    const { code, err } = await run('audit-verify', [], { env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } })
    expect(code).toBe(1)
    expect(err).toMatch(/^The database can't be reached[^\n]*\n$/)
  })
})

test.each(['audit-verify', 'clickhouse-rebuild', 'migrate'] as const)(
  '%s takes no arguments, and does nothing for --help',
  async (command) => {
    const { code, out, err } = await run(command, ['--help'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe('Nothing was done, because this command takes no arguments: leave out --help\n')
  },
)
