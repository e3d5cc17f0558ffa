import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { createDiskFiles } from '../../platform/files/file-store.ts'
import { createLog } from '../../platform/log.ts'
import { buildEventFixture, type EventFixture } from '../../testing/event-fixture.ts'
import { eventually } from '../../testing/eventually.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { type ExportLink, fileOf, newExportLink } from './export-link.ts'
import { exportTasks } from './exports.jobs.ts'
import { openExportFile } from './exports.routes.ts'
import { insertExport, readChunk, takeUnwrittenExport } from './exports.store.ts'

let database: TestDatabase
let app: TestApp
let fixture: EventFixture
let userId: number
let folder: string

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  folder = join(app.config.dataDir, 'exports')
  fixture = await buildEventFixture(database.db, { events: 60, now: TEST_NOW })
  userId = await addSamplePerson(database, { login: 'engineer@benchwatch.example' })
})
afterAll(() => app.close())
afterEach(async () => {
  app.clock.set(TEST_NOW)
  await database.db.deleteFrom('export_file').execute()
  await rm(folder, { recursive: true, force: true })
})

const context = () => ({ db: database.db, clock: app.clock, log: createLog('silent'), files: createDiskFiles(folder) })
const later = (ms: number) => new Date(TEST_NOW.getTime() + ms)
const waitForever = new AbortController().signal

/** Stores an export without a job to write it, as a process leaves it that dies after its commit. */
async function leftBehind(chunks: number[][], over: { rows?: number; user?: number } = {}) {
  const link = await newExportLink(database.db)
  const { id } = await database.db
    .insertInto('export_file')
    .values({
      user_id: over.user ?? userId,
      details: 'BASIC',
      rows: over.rows ?? chunks.flat().length,
      token_hash: link.hash,
      token_sealed: link.sealed,
      expires_at: later(900_000),
      created_at: TEST_NOW,
      stepped_at: TEST_NOW,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [chunk, row_ids] of chunks.entries()) {
    await database.db.insertInto('export_chunk').values({ export_id: id, chunk, row_ids }).execute()
  }
  return { id, link }
}

function task(name: string): LeaderTask {
  const found = exportTasks(context()).find((one) => one.name === name)
  if (!found) throw new Error(`There is no task ${name}.`)
  return found
}

const goOn = () => task('restart exports that no process writes').run()
const tidyUp = () => task('delete exports that have expired').run()

async function stateOf(id: string) {
  return database.db
    .selectFrom('export_file')
    .where('id', '=', id)
    .select(['state', 'written'])
    .executeTakeFirstOrThrow()
}

async function fileBehind({ token }: ExportLink, waitMs?: number): Promise<string> {
  const { content } = await openExportFile(context(), {
    token,
    gone: waitForever,
    ...(waitMs !== undefined && { waitMs }),
  })
  return text(content)
}

test('what a process that died left behind is written anew by another one, whole', async () => {
  const [first = 0, second = 0, third = 0] = fixture.eventIds
  const { id, link } = await leftBehind([[third, first], [second]])
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${fileOf(id)}.0000.part`), 'half a row')
  app.clock.advance(11_000)
  await goOn()
  const rows = (await fileBehind(link)).trimEnd().split('\r\n')
  expect(rows.slice(1).map((row) => /ORC-\d+/.exec(row)?.[0])).toEqual([
    `ORC-${third}`,
    `ORC-${first}`,
    `ORC-${second}`,
  ])
  expect(await stateOf(id)).toEqual({ state: 'ready', written: 3 })
})

test('nobody is knocked up for an export that gave a sign of life', async () => {
  await leftBehind([[fixture.eventIds[0] ?? 0]])
  app.clock.advance(9000)
  await goOn()
  const { rows } = await database.pool.query(
    'SELECT key FROM graphile_worker._private_jobs UNION ALL SELECT key FROM job_outbox',
  )
  expect(rows).not.toContainEqual({ key: 'silent exports' })
})

test('an export is one process’s alone until it lets go of it', async () => {
  const { id } = await leftBehind([[fixture.eventIds[0] ?? 0]])
  const taken = await takeUnwrittenExport(database, TEST_NOW)
  expect(taken?.pending.id).toBe(id)
  expect(await takeUnwrittenExport(database, TEST_NOW)).toBeUndefined()
  await taken?.release()
  const again = await takeUnwrittenExport(database, TEST_NOW)
  expect(again?.pending.id).toBe(id)
  await again?.release()
})

test('a large selection is kept in chunks, in its order, without a gap', async () => {
  const selected = Array.from({ length: 10_006 }, (_, index) => 3_000_000_000 + (((index + 1) * 7919) % 10_007))
  const { id, rows } = await database.db.transaction().execute(async (trx) =>
    insertExport(trx, {
      userId,
      link: await newExportLink(database.db),
      type: 'event',
      details: 'BASIC',
      at: TEST_NOW,
      expiresAt: TEST_NOW,
      selected: (async function* () {
        for (let batch = 0; batch < 3; batch += 1) yield selected.slice(batch * 4000, batch * 4000 + 4000)
      })(),
    }),
  )
  const kept: number[] = []
  for (let chunk = 0; ; chunk += 1) {
    const ids = await readChunk(database.db, { id, chunk })
    if (!ids) break
    expect(ids.length).toBeLessThanOrEqual(5000)
    kept.push(...ids)
  }
  expect(rows).toBe(10_006)
  expect(kept).toEqual(selected)
})

test.each([
  ['was deleted', () => leftBehind([[fixture.eventIds[0] ?? 0, 999_999]])],
  ['is missing from the selection', () => leftBehind([[fixture.eventIds[0] ?? 0]], { rows: 2 })],
  [
    'left the scope',
    async () => {
      const [customer] = fixture.customers
      const login = 'lab@helixbio.example'
      const user = await addSamplePerson(database, { login, role: 'customer', scope: [customer?.id ?? 0] })
      return leftBehind([fixture.eventIds], { user })
    },
  ],
])('an export of which an event %s fails instead of being shorter than announced', async (_what, make) => {
  const { id, link } = await make()
  app.clock.advance(11_000)
  await goOn()
  await expect(fileBehind(link)).rejects.toMatchObject({ code: 'not-found', message: /could not be written/ })
  expect((await stateOf(id)).state).toBe('failed')
  expect(await readdir(folder)).toEqual([])
})

test('an export whose file can’t be stored fails, and the server says why to those who run it', async () => {
  await writeFile(folder, 'a file in place of the folder')
  const { id, link } = await leftBehind([[fixture.eventIds[0] ?? 0]])
  const owner = await app.as(userId)
  const progress = async () => (await owner.call('getExport', { params: { exportId: id } })).body
  const url = `/api/exports/files/${link.token}`
  expect(await progress()).toEqual({ state: 'running', written: 0, rows: 1, url })
  app.clock.advance(11_000)
  await goOn()
  await expect(fileBehind(link)).rejects.toMatchObject({ code: 'not-found' })
  expect(await progress()).toEqual({ state: 'failed', written: 0, rows: 1, url })
  expect(app.logged()).toMatch(new RegExp(`"export":"${id}".*export failed`))
})

test('a link waits for its file, and says when to come again where that takes too long', async () => {
  const { id, link } = await leftBehind([[fixture.eventIds[0] ?? 0]])
  await expect(fileBehind(link, 300)).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfter: 5 } })
  const waiting = fileBehind(link)
  app.clock.advance(11_000)
  await goOn()
  expect(await waiting).toContain('ORC-')
  expect((await stateOf(id)).state).toBe('ready')
})

test('a link waits up to 30 s for its file', async () => {
  const { link } = await leftBehind([[fixture.eventIds[0] ?? 0]])
  let now = 0
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    let isOver = false
    const waiting = fileBehind(link).finally(() => {
      isOver = true
    })
    now = 29_999
    const seen = watch.mock.calls.length
    await eventually(() => expect(watch.mock.calls.length).toBeGreaterThan(seen))
    expect(isOver).toBe(false)
    now = 30_000
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfter: 5 } })
  } finally {
    watch.mockRestore()
  }
})

test('what has expired is deleted, and files of exports that do not exist; others stay', async () => {
  const old = await leftBehind([[fixture.eventIds[0] ?? 0]])
  app.clock.advance(11_000)
  await goOn()
  await fileBehind(old.link)
  await writeFile(join(folder, '00000000-0000-4000-8000-000000000000.csv.1.part'), 'of nobody')
  await writeFile(join(folder, 'something else'), 'of nobody')
  await tidyUp()
  expect((await readdir(folder)).sort()).toEqual([fileOf(old.id), 'something else'].sort())
  app.clock.set(later(900_000))
  await tidyUp()
  expect(await readdir(folder)).toEqual(['something else'])
  await eventually(async () => {
    expect(await database.db.selectFrom('export_file').select('id').execute()).toEqual([])
    expect(await database.db.selectFrom('export_chunk').select('chunk').execute()).toEqual([])
  })
})
