import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { type S3Server, s3Credentials, startS3Server } from '../../testing/emulators/s3-server.ts'
import { buildEventFixture } from '../../testing/event-fixture.ts'
import { eventually } from '../../testing/eventually.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { createExportFiles, fileOf } from './export-link.ts'
import { exportTasks } from './exports.jobs.ts'

let s3: S3Server
let database: TestDatabase
let first: TestApp
let second: TestApp

beforeAll(async () => {
  for (const [key, value] of Object.entries(s3Credentials)) vi.stubEnv(key, value)
  s3 = await startS3Server()
  database = await testDatabase()
  await buildEventFixture(database.db, { events: 30, now: TEST_NOW })
  const environment = { EXPORT_STORE: 's3', EXPORT_S3_BUCKET: s3.bucket, EXPORT_S3_ENDPOINT: s3.endpoint }
  first = await testApp(database, { environment })
  second = await testApp(database, { environment })
})
afterAll(async () => {
  await second.close()
  await s3.stop()
  vi.unstubAllEnvs()
})

const download = (app: TestApp, url: string) => app.app.http.inject({ method: 'GET', url })

test('what one node writes, another serves under the same link; a survivor deletes it after its time', async () => {
  const login = 'engineer@benchwatch.example'
  const caller = await first.as(await addSamplePerson(database, { login }))
  const started = await caller.call('createExport', {
    query: {},
    body: { type: 'event', ids: [], mode: 'exclude', details: 'FULL', filter: {} },
  })
  const { url, exportId } = started.body
  const file = await download(second, url)
  expect(file.statusCode).toBe(200)
  expect(file.body.trimEnd().split('\r\n')).toHaveLength(31)
  expect(Buffer.byteLength(file.body)).toBe(Number(file.headers['content-length']))
  expect((await download(first, url)).body).toBe(file.body)

  // A store that does not answer is no reason to believe that the file is gone.
  s3.freeze(true)
  const silent = await download(second, url)
  s3.freeze(false)
  expect([silent.statusCode, silent.headers['retry-after'], silent.json().code]).toEqual([503, '5', 'unavailable'])
  expect(second.logged()).toContain('an export file could not be read')

  // The first node dies while it writes the file again.
  await first.close()
  const client = new S3Client({ region: 'us-east-1', endpoint: s3.endpoint, forcePathStyle: true })
  await client.send(new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key: `exports/${fileOf(exportId)}` }))
  client.destroy()
  expect(s3.unfinished()).toBe(1)

  const files = await createExportFiles(second.config, createLog('silent'))
  await files.write('something else', (async function* () {})())
  const tidy = exportTasks({ db: database.db, clock: second.clock, files }).find(({ name }) => /expired/.test(name))
  await tidy?.run()
  expect((await files.names()).sort()).toEqual([fileOf(exportId), 'something else'].sort())
  second.clock.advance(15 * 60_000)
  await tidy?.run()
  await eventually(async () => expect(await files.names()).toEqual(['something else']))
  expect(s3.unfinished()).toBe(0)
  expect((await download(second, url)).statusCode).toBe(404)
})
