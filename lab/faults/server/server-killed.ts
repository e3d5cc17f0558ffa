import { setTimeout as pause } from 'node:timers/promises'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { liveDelays } from '../ledger/comparison.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { outcomes } from '../load/probe.ts'
import { runCommand } from '../product/fleet.ts'
import type { Answer } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'

/** The server's process, with its database, is killed at random times under load and started again at once. */
await runFault({
  name: 'server-killed',
  parameters: { kills: 10, rate: 500, gateways: 20 },
  async run({ workplace, verdict, parameters: { kills, rate, gateways } }) {
    const fixture = await openFixture(workplace, { gateways, supervised: true })
    const { product, client, ledger } = fixture
    const viewer = new LiveViewer({ client })
    workplace.atEnd(() => viewer.stop())
    await viewer.opened()
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, answers })

    await pause(5000)
    const readyMs: number[] = []
    const acknowledgedMs: number[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      await pause(2000 + Math.random() * 3000)
      product.kill()
      if (kill % 3 === 0) {
        // Kill it again while it starts: during the recovery of the database, or before the server listens.
        await pause(Math.random() * 600)
        product.kill()
      }
      const killedAt = Date.now()
      readyMs.push((await product.ready({ since: killedAt })) - killedAt)
      const first = await firstAcknowledgement(ledger, product.life.startedAt)
      acknowledgedMs.push(first - killedAt)
      console.log(
        `kill ${kill}: ready after ${readyMs.at(-1)} ms, first batch acknowledged after ${first - killedAt} ms`,
      )
    }
    await pause(5000)
    const found = await settleFixture(fixture, { load, verdict, withinMs: 60_000 })
    const { delays, unannounced } = liveDelays({ ledger, eventIds: found.eventIds }, viewer.created)
    verdict.atMost('ready again, slowest', { figure: Math.max(...readyMs), most: 3000, unit: 'ms' })
    verdict.figure('first acknowledgement after a kill, slowest ms', Math.max(...acknowledgedMs))
    verdict.figure('processor time of the costliest start ms', product.startCpuMs)
    verdict.figure('resyncs of the open console', viewer.resyncs)
    verdict.atMost('creations announced twice', { figure: viewer.repeated.length, most: 0 })
    if (viewer.resyncs === 0) verdict.atMost('creations never announced', { figure: unannounced.length, most: 0 })
    verdict.atMost('live messages out of order', { figure: viewer.disordered, most: 0 })
    verdict.percentiles(
      'live, sent once',
      delays.filter(({ sends }) => sends === 1).map(({ ms }) => ms),
    )
    verdict.percentiles(
      'live, all',
      delays.map(({ ms }) => ms),
    )
    verdict.figure('answers', outcomes(answers))
    verdict.memory(product.peakRss)
    const record = await runCommand(product, { name: 'audit-verify' }).catch((error: Error) => error.message)
    verdict.check('record', {
      figure: record.split('\n', 1)[0] ?? '',
      goal: 'intact',
      passed: /is intact/.test(record),
    })
  },
})

async function firstAcknowledgement(ledger: Ledger, since: number): Promise<number> {
  for (let waited = 0; waited < 30_000; waited += 5) {
    if (ledger.lastAcknowledgedAt > since) return ledger.lastAcknowledgedAt
    await pause(5)
  }
  return Number.POSITIVE_INFINITY
}
