import { setTimeout as pause } from 'node:timers/promises'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { outcomes } from '../load/probe.ts'
import { type Answer, HttpClient } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'

/**
 * The ways in which a request that is sent after SIGTERM may fail: refused, asked to retry, or reset. A reset occurs
 * when a request crosses the end of its idle connection on the way: no server can answer it, and it was not read.
 */
const refusals = new Set(['ECONNREFUSED', '503', 'ECONNRESET'])
const LISTERS = 8

/**
 * SIGTERM under load with open consoles, as in every deployment. Requests in flight are answered, no new ones are
 * accepted, sockets are asked to reconnect, the process ends by itself, and the next one continues at once.
 */
await runFault({
  name: 'graceful-stop',
  parameters: { rounds: 5, rate: 500, gateways: 20, consoles: 20 },
  async run({ workplace, verdict, parameters: { rounds, rate, gateways, consoles } }) {
    const fixture = await openFixture(workplace, { gateways })
    const { product, ledger, token } = fixture
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, answers })
    const viewers = Array.from(
      { length: consoles },
      () => new LiveViewer({ client: fixture.client, token, reconnectMs: 200 }),
    )
    for (const viewer of viewers) workplace.atEnd(() => viewer.stop())
    const listing = { isOver: false }
    const lister = new HttpClient(product.url)
    const lists = Array.from({ length: LISTERS }, () => listAgain({ lister, token, answers, listing }))
    workplace.atEnd(() => {
      listing.isOver = true
    })

    const stopMs: number[] = []
    const nextReadyMs: number[] = []
    const codes: string[] = []
    const closeCodes: number[] = []
    const cut: Answer[] = []
    let resets = 0
    let mute = 0
    for (let round = 1; round <= rounds; round += 1) {
      await Promise.all(viewers.map((viewer) => viewer.opened()))
      await pause(3000 + Math.random() * 1000)
      const closingsBefore = viewers.map((viewer) => viewer.closings.length)
      const signalledAt = Date.now()
      const life = await product.terminate()
      const endedAt = life.endedAt ?? Date.now()
      stopMs.push(endedAt - signalledAt)
      codes.push(String(life.code ?? life.signal))
      product.launch()
      nextReadyMs.push((await product.ready({ since: endedAt })) - endedAt)
      await pause(500)
      closeCodes.push(
        ...viewers.flatMap((viewer, at) => viewer.closings.slice(closingsBefore[at]).map(({ code }) => code)),
      )
      const sentBefore = answers.filter(
        ({ startedAt, tookMs }) => startedAt < signalledAt && startedAt + tookMs >= signalledAt,
      )
      const sentAfter = answers.filter(({ startedAt }) => startedAt >= signalledAt && startedAt < endedAt)
      cut.push(...sentBefore.filter(({ status }) => status === 0))
      cut.push(...sentAfter.filter((one) => one.status !== 200 && !refusals.has(String(one.status || one.failure))))
      resets += sentAfter.filter(({ failure }) => failure === 'ECONNRESET').length
      mute += sentAfter.filter(({ status, retryAfterSeconds }) => status === 503 && retryAfterSeconds === null).length
      console.log(
        `stop ${round}: ended with ${codes.at(-1)} after ${stopMs.at(-1)} ms, next ready ${nextReadyMs.at(-1)} ms later; under way: ${outcomes(sentBefore)}; sent during the stop: ${outcomes(sentAfter)}`,
      )
    }
    listing.isOver = true
    await Promise.all(lists)
    await settleFixture(fixture, { load, verdict })
    verdict.atMost('stop, slowest', { figure: Math.max(...stopMs), most: 10_000, unit: 'ms' })
    verdict.check('exit codes', {
      figure: codes.join(', '),
      goal: 'all 0',
      passed: codes.every((code) => code === '0'),
    })
    verdict.check('codes with which sockets were closed', {
      figure: [...new Set(closeCodes)].join(', '),
      goal: `1012, each of ${consoles} once a stop`,
      passed: closeCodes.length === consoles * rounds && closeCodes.every((code) => code === 1012),
    })
    verdict.atMost('requests that were cut off', { figure: cut.length, most: 0 })
    verdict.figure('sent during the stop and reset', resets)
    verdict.atMost('503 without Retry-After', { figure: mute, most: 0 })
    if (cut.length > 0) verdict.figure('how they were cut off', outcomes(cut))
    verdict.atMost('next start ready, slowest', { figure: Math.max(...nextReadyMs), most: 3000, unit: 'ms' })
    verdict.atMost('creations announced twice', {
      figure: viewers.reduce((sum, { repeated }) => sum + repeated.length, 0),
      most: 0,
    })
    verdict.figure(
      'resyncs',
      viewers.reduce((sum, { resyncs }) => sum + resyncs, 0),
    )
    verdict.figure('processor time of the costliest start ms', product.startCpuMs)
    verdict.figure('events acknowledged', ledger.acknowledged)
    verdict.memory(product.peakRss)
  },
})

interface Listing {
  lister: HttpClient
  token: string
  answers: Answer[]
  listing: { isOver: boolean }
}

async function listAgain({ lister, token, answers, listing }: Listing): Promise<void> {
  while (!listing.isOver) {
    const answer = await lister.send({ method: 'POST', path: '/api/alarms?limit=50', token, body: '{"filter":{}}' })
    answers.push({ ...answer, body: '' })
    await pause(answer.status === 200 ? 20 : 100)
  }
}
