import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAuditLog } from '../../features/audit/audit.queries.ts'
import { insertUser } from '../../features/users/users.store.ts'
import { readContent } from '../../testing/database-content.ts'
import { buildEventFixture } from '../../testing/event-fixture.ts'
import { eventually } from '../../testing/eventually.ts'
import { emptyDatabase, type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { sealAudit } from '../audit.ts'
import { type ConnectionTarget, connectClient, connectDatabase, OperatorError } from '../connect.ts'
import { listPendingMigrations, migrate } from '../migrate/migrate.ts'
import { inTransaction } from '../transaction.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
const migrations = new URL('../../../migrations/', import.meta.url)
let folder: string
let source: TestDatabase
/** A backup of `source`, which no test changes. */
let file: string
let made = 0

/**
 * Restricted to this database: copies of one template have the same tables, and other test files use theirs at the
 * same time.
 */
const waitsForContacts = `relation = 'contact'::regclass AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
const newFile = () => join(folder, `${++made}.backup`)
const backUp = (path: string, from: ConnectionTarget = source.owner) =>
  writeBackup(from, { file: path, release: '2.12.2', now })

async function restore(path: string, target: ConnectionTarget, from?: URL) {
  const checked = await checkBackup(path, { migrations: from })
  return restoreBackup(target, { file: path, checked, whenNotEmpty: 'Use another one.', migrations: from })
}

async function run<T extends object>(
  connection: ConnectionTarget,
  text: string,
  settings: string[] = [],
): Promise<T[]> {
  const client = await connectClient(connection, settings)
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** Texts with a special meaning for COPY or for the file format. */
const NASTY = ['', '\\.', '\\N', 'a\tb', 'one\ntwo\r\n\\.\nthree', 'ÄKTA µ “🧪”', '{"table":"x"}', '\b\v\f\\']

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchwatch-backup-'))
  source = await testDatabase()
  await buildEventFixture(source.db, { events: 200, now })
  await createAdministrator()
  while ((await sealAudit(source.db)) > 0);
  await source.db
    .insertInto('component')
    .values(NASTY.map((name) => ({ name, type: 'T', name_folded: name })))
    .execute()
  // In two partitions: before, and after all.
  await run(
    source.owner,
    `INSERT INTO log_entry (instrument_id, log_type, ts, message, received_at)
     SELECT id, 'VID', now(), 'line', t FROM instrument, unnest('{2020-01-01, 2199-01-01}'::timestamptz[]) AS t`,
  )
  await run(source.owner, 'INSERT INTO live_message VALUES (7, 1, NULL, \'{"a": "\\\\n\\\\.\\\\n"}\', now())')
  file = newFile()
  await backUp(file)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a restored backup', () => {
  it('is the database that was backed up: rows, sequences, indexes, keys and rights', async () => {
    const target = await emptyDatabase()
    const { end } = await restore(file, target)
    const before = await readContent(source.owner)
    expect(Object.values(before.tables).filter(({ rows }) => rows > 0).length).toBeGreaterThan(12)
    expect(await readContent(target)).toEqual(before)
    expect(end.tables.map(({ table, rows }) => [table, rows])).toEqual(
      Object.entries(before.tables).flatMap(([table, { rows }]) =>
        table === 'schema_migration' ? [] : [[table, rows]],
      ),
    )
  })

  it('is complete for the next start: the record is intact, numbers continue, nothing is left to migrate', async () => {
    const target = await emptyDatabase()
    await restore(file, target)
    expect(await migrate(target)).toEqual([])
    const database = await connectDatabase({ connection: target, poolSize: 1 })
    const { rows, seals, findings } = await verifyAuditLog(database.db)
    expect({ findings, hasRecord: rows > 0 && seals > 0 }).toEqual({ findings: [], hasRecord: true })
    const added = await database.db
      .insertInto('component')
      .values({ name: 'after', type: 'T', name_folded: 'after' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const last = await source.db.selectFrom('component').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    expect(added.id).toBe(last.id + 1)
    // Transaction ids of the old server would be in the future on a new one.
    const changed = "SELECT count(*) AS n FROM service_event WHERE changed_in <> '0'"
    expect([await run(source.owner, changed), await run(target, changed)]).toEqual([[{ n: 200 }], [{ n: 0 }]])
    // Rows are frozen, so an index-only scan works before any vacuum.
    const plan = await run(target, 'EXPLAIN (ANALYZE) SELECT created_at FROM service_event ORDER BY created_at DESC', [
      'enable_seqscan=off',
    ])
    expect(JSON.stringify(plan)).toMatch(/Heap Fetches: 0/)
    await database.close()
  })

  it('is what the database held at one moment, whatever is written meanwhile', async () => {
    const target = await emptyDatabase()
    const { tables: before } = await readContent(source.owner)
    const other = await connectClient(source.owner)
    const path = newFile()
    try {
      // The backup waits at this table until the change is committed.
      await other.query('BEGIN; LOCK TABLE contact')
      const writing = backUp(path)
      await eventually(async () => {
        const waiting = await run(source.owner, `SELECT FROM pg_locks WHERE ${waitsForContacts}`)
        expect(waiting).toHaveLength(1)
      })
      const [added] = await run(
        source.owner,
        "WITH a AS (INSERT INTO deleted_event (id) VALUES (1999)) INSERT INTO gateway_epoch SELECT id, 'late', 9 FROM gateway LIMIT 1 RETURNING epoch",
      )
      expect(added).toEqual({ epoch: 'late' })
      await other.query('ROLLBACK')
      await writing
    } finally {
      await other.end()
      await run(
        source.owner,
        "WITH a AS (DELETE FROM deleted_event WHERE id = 1999) DELETE FROM gateway_epoch WHERE epoch = 'late'",
      )
    }
    await restore(path, target)
    expect((await readContent(target)).tables).toEqual(before)
  })
})

describe('a backup file', () => {
  it('is readable by its owner alone', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  it('is never overwritten, and none is left where a backup failed', async () => {
    const path = newFile()
    writeFileSync(path, 'kept')
    await expect(backUp(path)).rejects.toThrow(/exists already in .* choose another name, or delete it first\.$/)
    expect(readFileSync(path, 'utf8')).toBe('kept')
    const none = newFile()
    await expect(backUp(none, await emptyDatabase())).rejects.toThrow(/^There is nothing to back up/)
    expect([existsSync(none), existsSync(`${none}.part`)]).toEqual([false, false])
    await expect(backUp(join(folder, 'absent', 'x'))).rejects.toThrow(/create that folder first/)
  })

  it('is not left where the database goes away', async () => {
    const path = newFile()
    const other = await connectClient(source.owner)
    await other.query('BEGIN; LOCK TABLE contact')
    const writing = backUp(path)
    const cut = eventually(async () => {
      const [gone] = await run(
        source.owner,
        `SELECT pg_terminate_backend(pid) AS gone FROM pg_locks WHERE ${waitsForContacts}`,
      )
      expect(gone).toEqual({ gone: true })
    })
    await expect(writing).rejects.toThrow(
      /^The database failed \(.+\): no file is left\. Fix the cause and start again\.$/,
    )
    await cut
    await other.end()
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false])
  })

  it('that another backup is writing is left to it', async () => {
    const path = newFile()
    writeFileSync(`${path}.part`, 'half')
    await expect(backUp(path)).rejects.toThrow(/another backup is writing it, or one was killed/)
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('half')
  })
})

describe('a damaged backup', () => {
  const write = (content: Buffer) => {
    const path = newFile()
    writeFileSync(path, content)
    return path
  }

  it.each([0, 3, 100, 0.5, -1])('that was cut at %d is refused', async (at) => {
    const whole = readFileSync(file)
    const length = at < 0 ? whole.length + at : at > 0 && at < 1 ? Math.floor(whole.length * at) : at
    const refused = checkBackup(write(whole.subarray(0, length)))
    await expect(refused).rejects.toBeInstanceOf(OperatorError)
    await expect(refused).rejects.toThrow(/(is damaged or not a backup|is empty, not a backup).*: nothing was changed/)
  })

  // A few bits of the zstd output have no effect (one of 4,000 that were tried); if such a bit is flipped, the whole
  // content is still read.
  it('with one wrong bit anywhere is refused where it changes anything', async () => {
    const whole = readFileSync(file)
    const intact = await checkBackup(file)
    const refused: Error[] = []
    for (let step = 0; step < 60; step++) {
      const changed = Buffer.from(whole)
      const at = Math.floor((step / 60) * whole.length) + (step % 7)
      changed[at] = (changed[at] ?? 0) ^ (1 << (step % 8))
      const read = await checkBackup(write(changed)).catch((error: unknown) => error)
      if (read instanceof OperatorError) refused.push(read)
      else expect([at, read]).toEqual([at, intact])
    }
    expect(refused.length).toBeGreaterThan(50)
    for (const { message } of refused) {
      // In the name or the checksum of a migration, the wrong bit looks like another release before the checksum of
      // the file is compared.
      expect(message).toMatch(
        /is damaged or not a backup \(.+\): nothing was changed|has the migration .+; this release does not|The migration .+ of this release differs from the one/s,
      )
    }
  })

  it.each([
    ['another row', (text: string) => text.replace('ÄKTA µ', 'AKTA µ'), /rows of table component do not match/],
    ['a row less', (text: string) => text.replace(/\n[^\n]*ÄKTA µ[^\n]*/, ''), /rows of table component do not match/],
    ['another head', (text: string) => text.replace('"2.12.2"', '"2.12.3"'), /its head does not match/],
    [
      'a table less',
      (text: string) => text.replace(/\{"table":"contact"\}\n[^]*?\n\\\.\n/, ''),
      /table contact is missing/,
    ],
    ['no end', (text: string) => text.replace(/\n[^\n]+\n$/, '\n'), /its end is missing/],
    ['more than its end', (text: string) => `${text}more`, /it continues after its end/],
    ['no sense', () => 'hello\n', /it has an invalid line/],
    ['another kind of file', () => '{"name":"x"}\n', /does not start like a backup/],
  ])('that was compressed again with %s is refused', async (_what, change, words) => {
    const text = zstdDecompressSync(readFileSync(file)).toString()
    const changed = change(text)
    expect(changed).not.toBe(text)
    await expect(checkBackup(write(zstdCompressSync(changed)))).rejects.toThrow(words)
  })

  it('and a file of another kind, or a missing one, are distinguished from a complete one', async () => {
    await expect(checkBackup(write(randomBytes(5000)))).rejects.toThrow(
      /not a backup \(it does not start like a backup\)/,
    )
    await expect(checkBackup(newFile())).rejects.toThrow(/can't be read \(ENOENT.*check its name/)
    await expect(checkBackup(folder)).rejects.toThrow(/can't be read \(EISDIR.*check its name/)
    await expect(
      checkBackup(write(zstdCompressSync('{"benchwatch":"backup","format":2,"release":"4.0.0"}\n'))),
    ).rejects.toThrow(/made by Benchwatch 4\.0\.0 in a format that this release does not know/)
  })

  it('that breaks in the middle of the restore leaves the database empty, and the restore can be repeated', async () => {
    const target = await emptyDatabase()
    const checked = await checkBackup(file)
    const whole = readFileSync(file)
    const cut = write(whole.subarray(0, whole.length - 40))
    const broken = restoreBackup(target, { file: cut, checked, whenNotEmpty: '' })
    await expect(broken).rejects.toThrow(/is damaged or not a backup \(its end is missing\)/)
    expect(await readContent(target)).toEqual({ tables: {}, rest: [] })
    await restore(file, target)
    expect((await readContent(target)).tables).toEqual((await readContent(source.owner)).tables)
  })
})

describe('a restore', () => {
  it('into a database that is not empty changes nothing and says what to do', async () => {
    const before = await readContent(source.owner)
    await expect(restore(file, source.owner)).rejects.toThrow(
      'A backup can only be restored into an empty database, and this one already contains tables: nothing was changed. Use another one.',
    )
    expect(await readContent(source.owner)).toEqual(before)
  })

  it('of an older backup brings the schema to this release', async () => {
    const later = copyMigrations()
    writeFileSync(
      new URL('9999_later.sql', later),
      'ALTER TABLE component ADD remark text; UPDATE component SET remark = name;',
    )
    const target = await emptyDatabase()
    await restore(file, target, later)
    const [counted] = await run(
      target,
      'SELECT count(*) AS all, count(*) FILTER (WHERE remark = name) AS remarked FROM component',
    )
    const [expected] = await run<{ n: number }>(source.owner, 'SELECT count(*) AS n FROM component')
    expect(counted).toEqual({ all: expected?.n, remarked: expected?.n })
    const client = await connectClient(target)
    expect(await listPendingMigrations(client, later)).toEqual([])
    await client.end()
  })

  it('of a newer backup, or of one whose migrations differ, is refused', async () => {
    const [first = ''] = await run<{ name: string }>(
      source.owner,
      'SELECT name FROM schema_migration ORDER BY name DESC LIMIT 1',
    ).then((rows) => rows.map(({ name }) => name))
    const changed = copyMigrations()
    writeFileSync(new URL(first, changed), 'SELECT 1;')
    const target = await emptyDatabase()
    await expect(restore(file, target, changed)).rejects.toThrow(
      `The migration ${first} of this release differs from the one in the backup`,
    )
    rmSync(new URL(first, changed))
    await expect(restore(file, target, changed)).rejects.toThrow(
      `was made by Benchwatch 2.12.2, which has the migration ${first}; this release does not. Restore it with that release or a later one.`,
    )
    expect(await readContent(target)).toEqual({ tables: {}, rest: [] })
  })
})

/** Creates a user whose creation is in the audit log. */
async function createAdministrator(): Promise<void> {
  const login = 'admin@benchwatch.example'
  const user = {
    login,
    name: null,
    email: login,
    msisdn: null,
    role: 'admin',
    scope: 'all',
    passwordHash: 'x',
  } as const
  await inTransaction(source.db, (trx) => insertUser(trx, { user, actor: { type: 'command', name: 'test' }, at: now }))
}

function copyMigrations(): URL {
  const copy = join(folder, `migrations-${++made}`)
  cpSync(fileURLToPath(migrations), copy, { recursive: true })
  return pathToFileURL(`${copy}/`)
}
