import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../product/database.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { compare } from '../ledger/comparison.ts'
import { openFixture } from '../load/fixture.ts'
import { Traffic, type TrafficAnswer, type TrafficKind, trafficKinds } from '../load/overload-traffic.ts'
import { asksForPatience, outcomes } from '../load/probe.ts'
import { HttpClient, jsonOf } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'

/** The number of batch callers that keep the server busy without a growing queue; there are half as many consoles. */
const BUSY: Record<TrafficKind, number> = { ingest: 8, claim: 2, list: 4 }
const BATCH_ITEMS = 50
const MOST_UNDER_WAY = 500
/** Times are measured from a little after the start of each phase. */
const SETTLE_MS = 3000
/** The memory that buffers of a thousand requests in flight may add to that of a busy server. */
const MEMORY_MB = 200
/** After the overload, one request of each kind every tenth of a second must be answered this fast. */
const CALM_MS = 1000

/**
 * The server gets as much as it can do, and then five times as much of everything. Throughput must stay near the first
 * figure, lists give way to ingest, memory is bounded, and the effects end with the overload.
 */
await runFault({
  name: 'overload',
  parameters: { times: 5, seconds: 60, measure: 15, gateways: 40 },
  async run({ workplace, verdict, parameters: { times, seconds, measure, gateways } }) {
    const fixture = await openFixture(workplace, { gateways, supervised: true })
    const { product, fleet, ledger, token } = fixture
    const client = new HttpClient(product.url, { connections: 3 * MOST_UNDER_WAY, patienceMs: 10_000 })
    workplace.atEnd(() => client.close())
    const me = jsonOf<{ id: string }>(await client.send({ method: 'GET', path: '/api/users/me', token })).id
    const unclaimed: string[] = []
    const viewer = new LiveViewer({
      client: fixture.client,
      token,
      onMessage({ message }) {
        if (message.entity === 'alarm' && message.action === 'create') unclaimed.push(message.payload.id)
      },
    })
    workplace.atEnd(() => viewer.stop())
    await viewer.opened()
    const traffic = new Traffic({
      client,
      token,
      me,
      ledger,
      gateways: fleet.gateways,
      batchItems: BATCH_ITEMS,
      unclaimed,
    })

    await traffic.closedLoop(BUSY, 5)
    const busyFrom = Date.now()
    await traffic.closedLoop(BUSY, measure)
    const busy = { from: busyFrom, to: Date.now() }
    const capacity = ratesOf(traffic, busy)
    console.log(`capacity: ${describeRates(capacity)}`)

    const overFrom = Date.now()
    const cpuBefore = process.cpuUsage()
    const offered = {
      ingest: (times * capacity.ingest) / BATCH_ITEMS,
      claim: times * capacity.claim,
      list: times * capacity.list,
    }
    const unsent = await traffic.openLoop(offered, { seconds, mostInFlight: MOST_UNDER_WAY })
    const overTo = overFrom + seconds * 1000
    const cpu = process.cpuUsage(cpuBefore)
    const endedAt = Date.now()
    const over = { from: overFrom + SETTLE_MS, to: overTo }
    const goodput = ratesOf(traffic, over)
    console.log(`at ${times} times: ${describeRates(goodput)}`)
    const calmAt = await untilCalm(traffic, endedAt)
    await pause(2000)

    const found = await withClient(fixture.databaseUrl(), (database) => compare(database, ledger))
    verdict.compared(found)
    for (const kind of trafficKinds) {
      verdict.figure(`capacity ${kind} /s`, capacity[kind])
      verdict.figure(`goodput ${kind} /s`, goodput[kind])
      const answers = traffic.between(overFrom, overTo, kind)
      verdict.figure(`answers ${kind}`, outcomes(answers))
      verdict.percentiles(
        `accepted ${kind}`,
        answers.filter(({ status }) => status === 200).map(({ tookMs }) => tookMs),
      )
    }
    verdict.figure('not sent because too many were under way', unsent)
    verdict.figure('CPU of the load in cores', (cpu.user + cpu.system) / 1e6 / ((endedAt - overFrom) / 1000))
    verdict.check('goodput of ingest', {
      figure: `${Math.round((goodput.ingest / capacity.ingest) * 100)} %`,
      goal: '≥ 80 % of capacity',
      passed: goodput.ingest >= 0.8 * capacity.ingest,
    })
    const refusals = traffic.between(overFrom, overTo).filter(({ status }) => status !== 200)
    verdict.atMost('refusals that are not 503 or 429 with Retry-After', {
      figure: refusals.filter((answer) => !asksForPatience(answer)).length,
      most: 0,
    })
    verdict.check('who is shed first', shedding(traffic, { from: overFrom, to: overTo }))
    verdict.atMost('memory that grew', {
      figure: (product.peakRssBetween(overFrom, endedAt) - product.peakRssBetween(busy.from, busy.to)) / 1e6,
      most: MEMORY_MB,
      unit: 'MB',
    })
    verdict.atMost('recovery', { figure: calmAt - endedAt, most: 10_000, unit: 'ms' })
    for (const kind of trafficKinds) {
      const after = traffic.between(endedAt, Number.POSITIVE_INFINITY, kind)
      verdict.figure(`answers ${kind} after it`, outcomes(after))
      verdict.percentiles(
        `${kind} after it`,
        after.map(({ tookMs }) => tookMs),
      )
    }
    verdict.check('the server was never restarted', {
      figure: product.lives.length,
      goal: 'one life',
      passed: product.lives.length === 1,
    })
    verdict.memory(product.peakRss)
  },
})

type Rates = Record<TrafficKind, number>

function ratesOf(traffic: Traffic, span: { from: number; to: number }): Rates {
  return { ingest: traffic.rate('ingest', span), claim: traffic.rate('claim', span), list: traffic.rate('list', span) }
}

function describeRates({ ingest, claim, list }: Rates): string {
  return `${Math.round(ingest)} events, ${Math.round(claim)} claims, ${Math.round(list)} lists a second`
}

/**
 * Checks that lists are refused before any batch, and that nearly no list is served while batches are refused: each
 * costs as much as a batch.
 */
function shedding(
  traffic: Traffic,
  span: { from: number; to: number },
): { figure: string; goal: string; passed: boolean } {
  const refused = (kind: TrafficKind) => traffic.between(span.from, span.to, kind).filter(asksForPatience)
  const share = (kind: TrafficKind) =>
    refused(kind).length / Math.max(1, traffic.between(span.from, span.to, kind).length)
  const firstOf = (answers: readonly TrafficAnswer[]) =>
    Math.min(...answers.map(({ startedAt, tookMs }) => startedAt + tookMs))
  const [lists, batches] = [firstOf(refused('list')), firstOf(refused('ingest'))]
  const seen = `refused: lists ${Math.round(share('list') * 100)} %, claims ${Math.round(share('claim') * 100)} %, batches ${Math.round(share('ingest') * 100)} %`
  const first = `first list after ${Math.round(lists - span.from)} ms, first batch after ${Math.round(batches - span.from)} ms`
  return {
    figure: `${seen}; ${first}`,
    goal: 'lists before batches, and a larger share of them',
    passed: lists <= batches && share('list') >= share('ingest'),
  }
}

/** Waits until one request of each kind is answered 200 in time, three times in a row. Returns that time. */
async function untilCalm(traffic: Traffic, since: number): Promise<number> {
  let calm = 0
  while (Date.now() < since + 60_000) {
    const began = Date.now()
    const answers = await Promise.all(trafficKinds.map((kind) => traffic.send(kind)))
    calm = answers.every(({ status, tookMs }) => status === 200 && tookMs < CALM_MS) ? calm + 1 : 0
    if (calm === 3) return began
    await pause(100)
  }
  return Number.POSITIVE_INFINITY
}
