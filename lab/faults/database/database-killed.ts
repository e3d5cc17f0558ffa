import { setTimeout as pause } from 'node:timers/promises'
import { embeddedPlace } from '../../product/database.ts'
import { openFixture, settleFixture, startLoad, startProbe } from '../load/fixture.ts'
import { everything, outcomes } from '../load/probe.ts'
import type { Answer } from '../product/http-client.ts'
import { processTree, signalAll } from '../product/process-tree.ts'
import { runFault } from '../script/fault-script.ts'

/**
 * All processes of the embedded database are killed under load. The server may restart it, or end so that its
 * supervisor restarts both. Either way nothing that was acknowledged is lost, and it does not take long.
 */
await runFault({
  name: 'database-killed',
  parameters: { kills: 5, rate: 500, gateways: 20 },
  async run({ workplace, verdict, parameters: { kills, rate, gateways } }) {
    const fixture = await openFixture(workplace, { gateways, supervised: true })
    const { product } = fixture
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, spare: 1, answers })
    const probe = startProbe(workplace, fixture, { everyMs: 100 })
    await pause(5000)

    const recoveryMs: number[] = []
    const kinds = ['every process', 'one backend']
    for (let kill = 0; kill < kills; kill += 1) {
      const [postmaster, ...others] = processTree(embeddedPlace(product.dataDir).postmaster)
      if (postmaster === undefined) throw new Error('The database does not run.')
      const all = kill % 2 === 0
      const killedAt = Date.now()
      signalAll(all ? [postmaster, ...others] : others.slice(-1), 'SIGKILL')
      const lives = product.lives.length
      // A request in flight while the database dies may still be answered.
      const recovered = await Promise.all(everything.map((of) => probe.recovered(of, killedAt + 200)))
      recoveryMs.push(Math.max(...recovered) + 200)
      console.log(
        `${kinds[kill % 2]} killed: everything answered again after ${recoveryMs.at(-1)} ms, ${product.lives.length - lives} restart(s) of the server`,
      )
      await pause(4000)
    }
    await probe.stop()
    const found = await settleFixture(fixture, { load, verdict })
    verdict.atMost('recovery, slowest', { figure: Math.max(...recoveryMs), most: 5000, unit: 'ms' })
    verdict.figure('restarts of the server', product.lives.length - 1)
    verdict.figure('processor time of the costliest start ms', product.startCpuMs)
    verdict.figure('events', found.eventIds.size)
    verdict.figure('answers to probes', outcomes(probe.answers))
    verdict.atMost('slowest answer', {
      figure: Math.max(...probe.answers.map(({ tookMs }) => tookMs)),
      most: 5000,
      unit: 'ms',
    })
    verdict.memory(product.peakRss)
  },
})
