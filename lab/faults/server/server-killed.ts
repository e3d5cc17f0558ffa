import { setTimeout as pause } from 'node:timers/promises'
import { embeddedPlace, socketUrl, withClient } from '../../product/database.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { compare, liveDelays } from '../ledger/comparison.ts'
import { Ledger } from '../ledger/ledger.ts'
import { GatewayLoad } from '../load/gateway-load.ts'
import { registerFleet, runCommand } from '../product/fleet.ts'
import { HttpClient } from '../product/http-client.ts'
import { Product } from '../product/product.ts'
import { runFault } from '../script/fault-script.ts'

/** The server's process, with its database, is killed at random times under load and started again at once. */
await runFault({
  name: 'server-killed',
  parameters: { kills: 10, rate: 500, gateways: 20 },
  async run({ workplace, verdict, parameters: { kills, rate, gateways } }) {
    const product = await Product.start(workplace, { supervised: true })
    const client = new HttpClient(product.url)
    const databaseUrl = () => socketUrl(embeddedPlace(product.dataDir).socketDir)
    const fleet = await registerFleet(product, { client, databaseUrl: databaseUrl(), gateways })
    const ledger = new Ledger()
    const viewer = new LiveViewer({ client })
    workplace.atEnd(() => viewer.stop())
    await viewer.opened()
    const statuses = new Map<string, number>()
    const load = new GatewayLoad({
      client,
      ledger,
      gateways: fleet.gateways,
      perSecond: rate,
      onDelivery({ answer }) {
        const outcome = String(answer.status || answer.failure)
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
      },
    })
    workplace.atEnd(() => load.stop())

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
    const left = await load.drain(60_000)
    // Creation messages are sent within a second after the commit.
    await pause(3000)

    const found = await withClient(databaseUrl(), (database) => compare(database, ledger))
    const { delays, unannounced } = liveDelays({ ledger, eventIds: found.eventIds }, viewer.created)
    verdict.compared(found)
    verdict.atMost('unsent at the end', { figure: left, most: 0 })
    verdict.atMost('rejected', { figure: ledger.rejected, most: 0 })
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
    verdict.figure('answers', [...statuses].map(([outcome, times]) => `${outcome}: ${times}`).join(', '))
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
