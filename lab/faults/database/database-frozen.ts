import { setTimeout as pause } from 'node:timers/promises'
import { embeddedPlace } from '../../product/database.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { liveDelays } from '../ledger/comparison.ts'
import { openFixture, settleFixture, startLoad, startProbe } from '../load/fixture.ts'
import { asksForPatience, everything, outcomes, type Probed } from '../load/probe.ts'
import { type Answer, HttpClient } from '../product/http-client.ts'
import { processTree, signalAll } from '../product/process-tree.ts'
import { runFault } from '../script/fault-script.ts'

/** The load runs on the same machine, so a timer of 5 s may fire this much later. */
const ALLOWANCE_MS = 500

/**
 * All processes of PostgreSQL stop for a while without closing a connection, as on storage that hangs. Callers are
 * asked to retry in time, memory stays flat, and the product continues afterwards.
 */
await runFault({
  name: 'database-frozen',
  parameters: { seconds: 60, rate: 500, gateways: 20 },
  async run({ workplace, verdict, parameters: { seconds, rate, gateways } }) {
    const fixture = await openFixture(workplace, { gateways, supervised: true })
    const { product, ledger, token } = fixture
    const viewer = new LiveViewer({ client: new HttpClient(product.url), token })
    workplace.atEnd(() => viewer.stop())
    await viewer.opened()
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, spare: 1, answers })
    const probe = startProbe(workplace, fixture, { everyMs: 250 })
    // Long enough for the heap to reach its working size.
    await pause(20_000)

    const frozen = processTree(embeddedPlace(product.dataDir).postmaster)
    workplace.atEnd(() => signalAll(frozen, 'SIGCONT'))
    const frozenAt = Date.now()
    signalAll(frozen, 'SIGSTOP')
    console.log(`${frozen.length} processes of PostgreSQL are frozen for ${seconds} s …`)
    await pause(seconds * 1000)
    const thawedAt = Date.now()
    signalAll(frozen, 'SIGCONT')
    const recovered = await Promise.all(everything.map((of) => probe.recovered(of, thawedAt)))
    console.log(`thawed: ${everything.map((of, at) => `${of} after ${recovered[at]}`).join(', ')} ms`)
    await pause(5000)
    await probe.stop()

    const during = probe.between(frozenAt, thawedAt)
    const asked = during.filter(({ of }) => of !== 'health')
    const ofLoad = answers.filter(({ startedAt }) => startedAt >= frozenAt && startedAt < thawedAt)
    const toTell = [...asked, ...ofLoad].filter(
      // Requests of the last five seconds may have been answered by the thawed database.
      ({ startedAt }) => startedAt < thawedAt - 5000 - ALLOWANCE_MS,
    )
    const found = await settleFixture(fixture, { load, verdict })
    verdict.figure('answers to probes while frozen', outcomes(asked))
    verdict.figure('answers to the load while frozen', outcomes(ofLoad))
    verdict.atMost('answers while frozen that are not 503 or 429 with Retry-After', {
      figure: toTell.filter((answer) => !asksForPatience(answer)).length,
      most: 0,
    })
    verdict.atMost('slowest answer while frozen', {
      figure: Math.max(...[...asked, ...ofLoad].map(({ tookMs }) => tookMs)),
      most: 5000 + ALLOWANCE_MS,
      unit: 'ms',
    })
    const ofKind = (kind: Probed) => during.filter(({ of }) => of === kind)
    verdict.atMost('health not 200 while frozen', {
      figure: ofKind('health').filter(({ status }) => status !== 200).length,
      most: 0,
    })
    verdict.atMost('slowest health while frozen', {
      figure: Math.max(...ofKind('health').map(({ tookMs }) => tookMs)),
      most: 1000,
      unit: 'ms',
    })
    verdict.atMost('ready 200 while frozen', {
      figure: ofKind('ready').filter(({ status, startedAt }) => status === 200 && startedAt < thawedAt - 5500).length,
      most: 0,
    })
    verdict.atMost('memory that grew while frozen', {
      figure: (product.peakRssBetween(frozenAt, thawedAt) - product.peakRssBetween(frozenAt - 10_000, frozenAt)) / 1e6,
      most: 50,
      unit: 'MB',
    })
    verdict.atMost('recovery, slowest', { figure: Math.max(...recovered), most: 5000, unit: 'ms' })
    verdict.check('the server was never restarted', {
      figure: product.lives.length,
      goal: 'one life',
      passed: product.lives.length === 1,
    })
    const { delays, unannounced } = liveDelays({ ledger, eventIds: found.eventIds }, viewer.created)
    verdict.figure('resyncs of the open console', viewer.resyncs)
    if (viewer.resyncs === 0) verdict.atMost('creations never announced', { figure: unannounced.length, most: 0 })
    verdict.percentiles(
      'live before the fault',
      delays.filter(({ sentAt, ms }) => sentAt + ms < frozenAt).map(({ ms }) => ms),
    )
    verdict.memory(product.peakRss)
  },
})
