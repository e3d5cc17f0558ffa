import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { s3Credentials, startS3Server } from '../../../packages/server/src/testing/emulators/s3-server.ts'
import { withClient } from '../../product/database.ts'
import { openFixture } from '../load/fixture.ts'
import { addEarlierEvents } from '../load/two-ways.ts'
import { ExternalPostgres } from '../product/external-postgres.ts'
import { HttpClient, jsonOf } from '../product/http-client.ts'
import { Product } from '../product/product.ts'
import { runFault } from '../script/fault-script.ts'

const PART_BYTES = 5 * 1024 * 1024
const SETTLE_MS = 3000
const READY_MS = 600_000
/** The leader looks once a minute for exports whose time is over. */
const TIDY_MS = 120_000

interface Export {
  url: string
  exportId: string
  rows: number
}

/**
 * Two servers share a bucket. One writes a large export, the other hands it out. Then the writer is killed amid another
 * one: the survivor writes that anew, and deletes what was begun once the export's time is over.
 */
await runFault({
  name: 'export-in-s3',
  parameters: { events: 1_000_000 },
  async run({ workplace, verdict, parameters: { events } }) {
    const s3 = await startS3Server()
    workplace.atEnd(() => s3.stop())
    const { url: databaseUrl } = await ExternalPostgres.start(workplace)
    const env = {
      ...s3Credentials,
      ...{ EXPORT_STORE: 's3', EXPORT_S3_BUCKET: s3.bucket, EXPORT_S3_ENDPOINT: s3.endpoint },
      ...{ EVENT_INDEX: 'off', GATEWAY_SILENCE_SECONDS: '0', ACCESS_TOKEN_MINUTES: '60' },
    }
    const { product: writer, client, token } = await openFixture(workplace, { gateways: 20, databaseUrl, env })
    const add = (count: number) => withClient(databaseUrl, (database) => addEarlierEvents(database, count))
    const start = async () =>
      jsonOf<Export>(
        await client.send({
          ...{ method: 'POST', path: '/api/export', token },
          body: JSON.stringify({ ids: [], mode: 'exclude', type: 'event', details: 'FULL', filter: {} }),
        }),
      )
    const stateOf = async (by: HttpClient, { exportId }: Export) =>
      jsonOf<{ state: string; written: number }>(
        await by.send({ method: 'GET', path: `/api/exports/${exportId}`, token }),
      )
    const untilReady = async (by: HttpClient, asked: Export) => {
      for (const until = Date.now() + READY_MS; Date.now() < until; await pause(200)) {
        const { state } = await stateOf(by, asked)
        if (state === 'ready') return
        if (state === 'failed') throw new Error('The export failed: see the server’s log.')
      }
      throw new Error(`The export was not ready within ${READY_MS / 1000} s.`)
    }

    // V8 lets some 64 MB of buffers pile up before it collects them, so a small file also costs memory: the size of
    // the file must not add to that.
    const tenth = Math.round(events / 10)
    await add(tenth)
    await pause(SETTLE_MS)
    const atStart = writer.peakRssBetween(Date.now() - 1000, Date.now())
    const tenthFrom = Date.now()
    await untilReady(client, await start())
    const peakOfTenth = writer.peakRssBetween(tenthFrom, Date.now())
    await add(events - tenth)
    await pause(SETTLE_MS)
    const from = Date.now()
    const first = await start()
    await untilReady(client, first)
    const ready = Date.now()
    const peak = writer.peakRssBetween(from, ready)
    const other = await Product.start(workplace, { databaseUrl, env, dataDir: `${workplace.folder}/other` })
    const otherClient = new HttpClient(other.url)
    workplace.atEnd(() => otherClient.close())
    const written = await download(writer.url + first.url)
    const handedOut = await download(other.url + first.url)
    await other.terminate()

    const second = await start()
    while ((await stateOf(client, second)).written < events / 4) await pause(20)
    const begun = s3.unfinished()
    other.launch()
    writer.kill()
    const killedAt = Date.now()
    await other.ready({ since: killedAt - 1000 })
    await untilReady(otherClient, second)
    const rewrittenMs = Date.now() - killedAt
    const rewritten = await download(other.url + second.url)
    const left = s3.unfinished()
    await withClient(databaseUrl, (database) => database.query('UPDATE export_file SET expires_at = now()'))
    const expiredAt = Date.now()
    while (s3.unfinished() > 0 && Date.now() - expiredAt < TIDY_MS) await pause(200)
    const gone = await otherClient.send({ method: 'GET', path: second.url })

    verdict.figure('file MB', written.bytes / 1e6)
    verdict.figure('parts', Math.ceil(written.bytes / PART_BYTES))
    verdict.figure('until the file was there s', (ready - from) / 1000)
    verdict.check('rows', {
      figure: written.lines - 1,
      goal: `${events}, as counted`,
      passed: written.lines === events + 1 && first.rows === events,
    })
    verdict.figure('memory of the server at the start MB', atStart / 1e6)
    verdict.figure('added by a tenth of the events MB', (peakOfTenth - atStart) / 1e6)
    verdict.figure('added by all MB', (peak - atStart) / 1e6)
    verdict.atMost('memory added by ten times as many events', {
      figure: Math.max(0, Math.round((peak - peakOfTenth) / 1e6)),
      most: 100,
      unit: 'MB',
    })
    verdict.check('the other server hands out the same bytes', {
      figure: handedOut.sha256.slice(0, 12),
      goal: written.sha256.slice(0, 12),
      passed: handedOut.sha256 === written.sha256,
    })
    verdict.check('uploads that the killed server had begun', { figure: begun, goal: '1', passed: begun === 1 })
    verdict.figure('until the survivor had written it anew s', rewrittenMs / 1000)
    verdict.check('the survivor writes the same bytes', {
      figure: rewritten.sha256.slice(0, 12),
      goal: written.sha256.slice(0, 12),
      passed: rewritten.sha256 === written.sha256,
    })
    verdict.figure('uploads left until the time of the export is over', left)
    verdict.atMost('uploads left afterwards', { figure: s3.unfinished(), most: 0 })
    verdict.check('the link afterwards', { figure: gone.status, goal: '404', passed: gone.status === 404 })
    verdict.memory(Math.max(writer.peakRss, other.peakRss))
  },
})

async function download(address: string): Promise<{ sha256: string; bytes: number; lines: number }> {
  const [answer] = (await once(get(address), 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`The file was answered ${answer.statusCode}.`)
  const hash = createHash('sha256')
  let bytes = 0
  let lines = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  return { sha256: hash.digest('hex'), bytes, lines }
}
