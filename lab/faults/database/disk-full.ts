import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { withClient } from '../../product/database.ts'
import { checkSoundness } from '../ledger/corruption.ts'
import { openFixture, settleFixture, startLoad, startProbe } from '../load/fixture.ts'
import { asksForPatience, everything, outcomes, type Probe } from '../load/probe.ts'
import { type Answer, jsonOf } from '../product/http-client.ts'
import { SmallDisk } from '../product/small-disk.ts'
import { runFault } from '../script/fault-script.ts'

const MB = 1e6
/** Failures while the server is not running. */
const absent = new Set(['ECONNREFUSED', 'ECONNRESET'])

/**
 * The disk of the data directory fills up under load and stays full. Nothing is acknowledged that is not stored,
 * callers are asked to retry, and the product continues by itself when there is space again, with nothing damaged.
 */
await runFault({
  name: 'disk-full',
  parameters: { megabytes: 700, left: 60, full: 30, rate: 500, gateways: 20 },
  async run({ workplace, verdict, parameters: { megabytes, left, full, rate, gateways } }) {
    const disk = SmallDisk.mount(workplace, megabytes)
    if (!disk) {
      verdict.figure('skipped', 'this user may not mount a file system; run it as root')
      return
    }
    const fixture = await openFixture(workplace, { gateways, supervised: true, dataDir: join(disk.folder, 'data') })
    const { product, client, token } = fixture
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, spare: 1, answers })
    const probe = startProbe(workplace, fixture, { everyMs: 200 })
    await pause(3000)

    disk.fill(left * MB)
    const filledAt = Date.now()
    const refusedAt = await firstRefusal(probe, filledAt)
    console.log(`full ${refusedAt - filledAt} ms after ${left} MB were left; ${disk.freeBytes} bytes are free`)
    await pause(full * 500)
    const logFullAt = Date.now()
    const alreadyEnded = product.lives.length > 1 || product.life.endedAt !== null
    if (!alreadyEnded) await withClient(fixture.databaseUrl(), fillLog).catch(() => undefined)
    console.log(
      alreadyEnded ? 'the log of the database could not grow by itself' : 'the log of the database can not grow either',
    )
    await pause(full * 500)
    const lives = product.lives.length
    const relievedAt = Date.now()
    disk.relieve()
    const recovered = await Promise.all(everything.map((of) => probe.recovered(of, relievedAt)))
    console.log(`space again: ${everything.map((of, at) => `${of} after ${recovered[at]}`).join(', ')} ms`)
    await pause(3000)
    await probe.stop()

    const found = await settleFixture(fixture, { load, verdict })
    const during = probe.between(refusedAt, relievedAt)
    const ofLoad = answers.filter(({ startedAt }) => startedAt >= refusedAt && startedAt < relievedAt)
    for (const of of [...everything, 'health' as const]) {
      const outcomesWhen = (isMeant: (at: number) => boolean) =>
        outcomes(during.filter((one) => one.of === of && isMeant(one.startedAt)))
      verdict.figure(
        `answers while full: ${of}`,
        outcomesWhen((at) => at < logFullAt),
      )
      verdict.figure(
        `answers once the log is full too: ${of}`,
        outcomesWhen((at) => at >= logFullAt),
      )
    }
    verdict.figure('answers while full: load', outcomes(ofLoad))
    const unclear = [...during, ...ofLoad].filter(
      (answer) => answer.status !== 200 && !asksForPatience(answer) && !absent.has(answer.failure ?? ''),
    )
    verdict.atMost('refusals that are not 503 with Retry-After', { figure: unclear.length, most: 0 })
    if (unclear.length > 0) verdict.figure('what they are', outcomes(unclear))
    verdict.atMost('slowest answer while full', {
      figure: Math.max(...during.map(({ tookMs }) => tookMs)),
      most: 5500,
      unit: 'ms',
    })
    verdict.figure('restarts of the server while full', lives - 1)
    verdict.atMost('recovery after space returned, slowest', {
      figure: Math.max(...recovered),
      most: 10_000,
      unit: 'ms',
    })
    const { soundness, events } = await withClient(fixture.databaseUrl(), async (database) => ({
      soundness: await checkSoundness(database),
      events: (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM service_event')).rows[0]?.n,
    }))
    verdict.figure('relations checked', `${soundness.indexes} indexes, ${soundness.tables} tables`)
    verdict.atMost('damage', { figure: soundness.complaints.length, most: 0 })
    for (const complaint of soundness.complaints.slice(0, 5)) console.log(`  damage: ${complaint}`)
    const listed = jsonOf<{ total: { events: number } }>(
      await client.send({ method: 'POST', path: '/api/alarms?limit=1', token, body: '{"filter":{}}' }),
    )
    verdict.check('totals', {
      figure: listed.total.events,
      goal: `as counted: ${events}`,
      passed: listed.total.events === events && events === found.eventIds.size,
    })
    verdict.memory(product.peakRss)
  },
})

/**
 * Fills the last file of the write-ahead log. A table that cannot grow costs one transaction; a log that cannot grow
 * ends PostgreSQL. Failing transactions make the log grow anyway, so this only shortens the wait.
 */
async function fillLog(database: Client): Promise<void> {
  const LONGEST_FILE = 64
  for (let megabytes = 0; megabytes < 20 * LONGEST_FILE; megabytes += 1) {
    await database.query("SELECT pg_logical_emit_message(false, 'fill', repeat('x', 1000000))")
  }
}

/** Waits for the first refused batch and returns its time. */
async function firstRefusal(probe: Probe, since: number): Promise<number> {
  for (;;) {
    const refused = probe.between(since).find(({ of, status }) => of === 'ingest' && status !== 200)
    if (refused) return refused.startedAt
    await pause(50)
  }
}
