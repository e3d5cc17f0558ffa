import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../../measure/percentiles.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { liveDelays } from '../ledger/comparison.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import type { QueuedItem } from '../load/gateway-items.ts'
import { SimulatedGateway } from '../load/gateway-load.ts'
import { outcomes } from '../load/probe.ts'
import type { Answer } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'

const HOUR_MS = 3_600_000
const OFFLINE_HOURS = 72

/**
 * A gateway reconnects after three days with everything that it kept, and sends as fast as it is answered: alarms with
 * statuses, and logs, at the same time, as the product's own gateway does. Reports of the other gateways stay live
 * meanwhile.
 */
await runFault({
  name: 'offline-72h',
  parameters: { items: 50_000, rate: 50, gateways: 20 },
  async run({ workplace, verdict, parameters: { items, rate, gateways } }) {
    const fixture = await openFixture(workplace, { gateways: gateways + 1, instrumentsPerGateway: 10 })
    const { product, client, fleet, ledger } = fixture
    const viewer = new LiveViewer({ client, token: fixture.token })
    workplace.atEnd(() => viewer.stop())
    await viewer.opened()
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, spare: 1, answers })
    const [returning] = fleet.gateways
    if (!returning) throw new Error('No gateway was registered.')

    const ofBacklog: Answer[] = []
    // Two lanes of one outbox. Their epochs differ here, so each has its own sequence.
    const lanes = Array.from({ length: 2 }, () => {
      const gateway = new SimulatedGateway(returning, {
        client,
        ledger,
        onDelivery: ({ answer }) => ofBacklog.push({ ...answer, body: '' }),
      })
      workplace.atEnd(() => gateway.stop())
      return gateway
    })
    const [urgent, logs] = lanes
    if (!urgent || !logs) throw new Error('A gateway has two lanes.')
    const backlog: { urgent: QueuedItem[]; logs: QueuedItem[] } = { urgent: [], logs: [] }
    const offlineSince = Date.now() - OFFLINE_HOURS * HOUR_MS
    for (let at = 0; at < items; at += 1) {
      const time = new Date(offlineSince + (at / items) * OFFLINE_HOURS * HOUR_MS)
      const turn = at % 20
      if (turn < 3) backlog.urgent.push(urgent.items.alarm({ time }))
      else if (turn < 8) backlog.urgent.push(urgent.items.status({ time }))
      else backlog.logs.push(logs.items.log({ time }))
    }
    await pause(10_000)

    const backAt = Date.now()
    urgent.push(...backlog.urgent)
    logs.push(...backlog.logs)
    const alarmsDone = emptied(urgent).then((at) => at - backAt)
    const doneAt = await emptied(...lanes)
    console.log(`the backlog of ${items} items was acknowledged in ${doneAt - backAt} ms`)
    await pause(10_000)

    const found = await settleFixture(fixture, { load, verdict })
    const { delays, unannounced } = liveDelays({ ledger, eventIds: found.eventIds }, viewer.created)
    const liveIds = new Set(
      ledger
        .entries()
        .flatMap(({ gateway, mark, kind }) => (kind === 'alarm' && gateway !== returning.name ? mark : [])),
    )
    const { delays: live } = liveDelays(
      { ledger, eventIds: new Map([...found.eventIds].filter(([alertId]) => liveIds.has(alertId))) },
      viewer.created,
    )
    const inPhase = (from: number, to: number) =>
      live.filter(({ sentAt }) => sentAt >= from && sentAt < to).map(({ ms }) => ms)
    verdict.figure('backlog acknowledged in s', (doneAt - backAt) / 1000)
    verdict.figure('its alarms and statuses in s', (await alarmsDone) / 1000)
    verdict.figure('backlog items per second', items / ((doneAt - backAt) / 1000))
    verdict.percentiles('live of the others during', inPhase(backAt, doneAt))
    verdict.percentiles('live of the others before', inPhase(0, backAt))
    verdict.percentiles('live of the others after', inPhase(doneAt, Number.POSITIVE_INFINITY))
    verdict.atMost('live of the others during the backlog, p95', {
      figure: percentile(inPhase(backAt, doneAt), 0.95),
      most: 1000,
      unit: 'ms',
    })
    verdict.figure('live messages seen', delays.length)
    verdict.figure('resyncs of the open console', viewer.resyncs)
    if (viewer.resyncs === 0) verdict.atMost('creations never announced', { figure: unannounced.length, most: 0 })
    verdict.atMost('creations announced twice', { figure: viewer.repeated.length, most: 0 })
    verdict.figure('answers to the returning gateway', outcomes(ofBacklog))
    verdict.figure('answers to the others', outcomes(answers))
    verdict.memory(product.peakRss)
  },
})

/** Resolves when all of these queues are empty. */
async function emptied(...gateways: readonly SimulatedGateway[]): Promise<number> {
  while (gateways.some(({ waiting }) => waiting > 0)) await pause(5)
  return Date.now()
}
