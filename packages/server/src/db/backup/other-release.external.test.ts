import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readContent } from '../../testing/database-content.ts'
import { buildEventFixture } from '../../testing/event-fixture.ts'
import { inDatabase } from '../../testing/test-cluster.ts'
import { emptyDatabase } from '../../testing/test-database.ts'
import { type ConnectionTarget, connectClient, connectDatabase } from '../connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { migrate } from '../migrate/migrate.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
let folder: string
let embedded: EmbeddedPostgres

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchwatch-releases-'))
  embedded = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), fsync: false })
})
afterAll(async () => {
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function move(name: string, from: ConnectionTarget, to: ConnectionTarget): Promise<void> {
  const file = join(folder, name)
  await writeBackup(from, { file, release: '2.12.2', now })
  await restoreBackup(to, { file, checked: await checkBackup(file), whenNotEmpty: '' })
}

it('a backup goes from the embedded release of PostgreSQL to an older one and back without a difference', async () => {
  await migrate(embedded.connection)
  const source = await connectDatabase({ connection: embedded.connection, poolSize: 2 })
  await buildEventFixture(source.db, { events: 200, now })
  await source.close()
  const before = await readContent(embedded.connection)

  const older = await emptyDatabase()
  await move('there', embedded.connection, older)
  expect(await readContent(older)).toEqual(before)

  const administrator = await connectClient(embedded.connection)
  await administrator.query('CREATE DATABASE back')
  await administrator.end()
  const back = inDatabase(embedded.connection, 'back')
  await move('back', older, back)
  expect(await readContent(back)).toEqual(before)
})
