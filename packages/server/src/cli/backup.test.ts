import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { migrate } from '../db/migrate/migrate.ts'
import { readContent } from '../testing/database-content.ts'
import { runCommandLine, urlOf } from '../testing/run-command.ts'

let folder: string
/** The embedded database of a running server. */
let running: EmbeddedPostgres
let file: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchwatch-backup-cli-'))
  running = await startEmbeddedPostgres({ dataDir: join(folder, 'data', 'postgres'), fsync: false })
  await migrate(running.connection)
  file = join(folder, 'whole.backup')
})
afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
})

const inData = (name: string, more: Record<string, string> = {}) => ({
  env: { DATA_DIR: join(folder, name), INIT_CWD: folder, ...more },
})

describe('backup and restore', () => {
  test('go from a running server to an empty data directory, and not into one that is in use', async () => {
    const written = await runCommandLine('backup', ['whole.backup'], inData('data'))
    expect(written).toMatchObject({ code: 0, err: 'Backing up\n' })
    expect(written.out).toMatch(/^Backed up 30 rows of \d+ tables in \d+\.\d s: \S+whole\.backup \(\d+\.\d kB\)\.\n/)

    const restored = await runCommandLine('restore', ['whole.backup'], inData('new'))
    expect(restored).toMatchObject({ code: 0, err: 'Checking\nLoading\nBuilding indexes and statistics …\n' })
    expect(restored.out).toMatch(
      /^Restored 30 rows of \d+ tables as of \S+Z \(Benchwatch \d+\.\d+\.\d+, PostgreSQL 18\.\d+\), in \d+\.\d s\.\n$/,
    )
    const again = await startEmbeddedPostgres({ dataDir: join(folder, 'new', 'postgres'), fsync: false })
    expect(await readContent(again.connection)).toEqual(await readContent(running.connection))
    await again.stop()

    const refused = await runCommandLine('restore', [file], inData('data'))
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(
      /already contains tables: nothing was changed\. Stop Benchwatch and move \S+postgres away/,
    )
  })

  test('name the database in the advice where it is an external one', async () => {
    const refused = await runCommandLine('restore', [file], {
      env: { DATABASE_URL: urlOf(running.connection) },
    })
    expect(refused.err).toMatch(/nothing was changed\. Create a new database and name it in DATABASE_URL\.\n$/)
  })

  test('--check says what a whole backup holds and starts no database', async () => {
    const checked = await runCommandLine('restore', ['--check', file], inData('absent'))
    expect(checked).toMatchObject({ code: 0, err: 'Checking\n' })
    expect(checked.out).toMatch(/^The backup is complete\. It contains 30 rows of \d+ tables as of /)
    expect(existsSync(join(folder, 'absent'))).toBe(false)
  })

  test('leave nothing behind where the file is damaged or there is no database', async () => {
    writeFileSync(join(folder, 'bad.backup'), 'no backup at all')
    const damaged = await runCommandLine('restore', ['bad.backup'], inData('absent'))
    expect(damaged).toMatchObject({ code: 1, out: '' })
    expect(damaged.err).toMatch(
      /bad\.backup is damaged or not a backup \(it does not start like a backup\): nothing was changed/,
    )
    const none = await runCommandLine('backup', ['none.backup'], inData('absent'))
    expect(none).toMatchObject({ code: 1, out: '' })
    expect(none.err).toMatch(/^There is no database in \S+absent: set DATA_DIR/)
    expect([existsSync(join(folder, 'absent')), existsSync(join(folder, 'none.backup'))]).toEqual([false, false])
  })

  test.each([
    ['backup', []],
    ['backup', ['a', 'b']],
    ['backup', ['--check', 'a']],
    ['restore', []],
    ['restore', ['--force', 'a']],
  ])('%s says how it is used for %j', async (command, args) => {
    const { code, out, err } = await runCommandLine(command, args, inData('absent'))
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`Usage: npm run ${command} -- <file>`)
    expect(existsSync(join(folder, 'absent'))).toBe(false)
  })
})
