import { setTimeout as pause } from 'node:timers/promises'
import { openFixture, settleFixture, startLoad, startProbe } from '../load/fixture.ts'
import { asksForPatience, everything, outcomes, type ProbeAnswer } from '../load/probe.ts'
import { ExternalPostgres } from '../product/external-postgres.ts'
import type { Answer } from '../product/http-client.ts'
import { signalAll } from '../product/process-tree.ts'
import { runFault } from '../script/fault-script.ts'

/** The longest time that a caller may wait for a 503. */
const PATIENCE_MS = 5000

/**
 * All processes of the database in DATABASE_URL are killed under load, and it stays down for a while. Callers are asked
 * to retry, none hangs, and the same server process continues once the database is back.
 */
await runFault({
  name: 'external-database-killed',
  parameters: { kills: 3, away: 10, rate: 500, gateways: 20 },
  async run({ workplace, verdict, parameters: { kills, away, rate, gateways } }) {
    const postgres = await ExternalPostgres.start(workplace)
    verdict.figure('PostgreSQL', postgres.version)
    const fixture = await openFixture(workplace, { gateways, databaseUrl: postgres.url })
    const { product } = fixture
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, spare: 1, answers })
    const probe = startProbe(workplace, fixture, { everyMs: 100 })
    await pause(5000)

    // The process of one connection dies: PostgreSQL ends all others and recovers by itself.
    const [, , ...backends] = postgres.pids
    const struckAt = Date.now()
    signalAll(backends.slice(-1), 'SIGKILL')
    const crashMs = Math.max(...(await Promise.all(everything.map((of) => probe.recovered(of, struckAt)))))
    console.log(`one backend killed: everything answered again after ${crashMs} ms`)
    await pause(3000)

    const recoveryMs: number[] = []
    const during: ProbeAnswer[] = []
    const whileBeingBack: ProbeAnswer[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      const killedAt = Date.now()
      await postgres.kill()
      await pause(away * 1000)
      const startedAt = Date.now()
      const backAt = await postgres.restart()
      during.push(...probe.between(killedAt, startedAt))
      whileBeingBack.push(...probe.between(startedAt, backAt))
      const recovered = await Promise.all(everything.map((of) => probe.recovered(of, backAt)))
      recoveryMs.push(Math.max(...recovered))
      console.log(
        `kill ${kill}: away ${backAt - killedAt} ms, then ${everything.map((of, at) => `${of} ${recovered[at]}`).join(', ')} ms`,
      )
      await pause(3000)
    }
    await probe.stop()
    const asked = during.filter(({ of }) => of !== 'health')
    const found = await settleFixture(fixture, { load, verdict })
    verdict.atMost('one backend killed: back again', { figure: crashMs, most: 5000, unit: 'ms' })
    verdict.atMost('recovery after the database is back, slowest', {
      figure: Math.max(...recoveryMs),
      most: 5000,
      unit: 'ms',
    })
    verdict.figure('answers while away', outcomes(asked))
    verdict.atMost('answers while away that are not 503 with Retry-After', {
      figure: asked.filter((answer) => !asksForPatience(answer)).length,
      most: 0,
    })
    verdict.atMost('slowest answer while away or recovering', {
      figure: Math.max(...[...asked, ...whileBeingBack].map(({ tookMs }) => tookMs)),
      most: PATIENCE_MS,
      unit: 'ms',
    })
    const health = during.filter(({ of }) => of === 'health')
    verdict.atMost('health not 200 while away', {
      figure: health.filter(({ status }) => status !== 200).length,
      most: 0,
    })
    verdict.check('the server was never restarted', {
      figure: product.lives.length,
      goal: 'one life',
      passed: product.lives.length === 1 && product.life.endedAt === null,
    })
    verdict.figure('events', found.eventIds.size)
    verdict.figure('answers to the load', outcomes(answers))
    verdict.memory(product.peakRss)
  },
})
