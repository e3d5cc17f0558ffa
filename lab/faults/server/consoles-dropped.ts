import { setTimeout as pause } from 'node:timers/promises'
import { ConsoleCrowd } from '../consoles/console-crowd.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { outcomes } from '../load/probe.ts'
import { signIn } from '../product/fleet.ts'
import { type Answer, HttpClient } from '../product/http-client.ts'
import { processorMs } from '../product/process-tree.ts'
import { runFault } from '../script/fault-script.ts'

const BACK_WITHIN_MS = 15_000
/** A core counts as busy from this share on. */
const BUSY = 0.9
const BUSY_AT_MOST_MS = 10_000
const LOOK_MS = 500
/** The sockets of this script while consoles connect. */
const AT_ONCE = 50

/**
 * Every live connection breaks at once, as when a load balancer is restarted, five times. All consoles reconnect as the
 * console does, each receives what it missed, and none is refused.
 */
await runFault({
  name: 'consoles-dropped',
  parameters: { consoles: 2000, drops: 5, sessions: 20, rate: 5, gateways: 5 },
  async run({ workplace, verdict, parameters: { consoles, drops, sessions, rate, gateways } }) {
    const fixture = await openFixture(workplace, { gateways, supervised: true, env: { ACCESS_TOKEN_MINUTES: '60' } })
    const { product, client, token } = fixture
    const tokens = [token]
    while (tokens.length < sessions) tokens.push(await signIn(client))
    // Each browser has a connection of its own.
    const browsers = new HttpClient(product.url, { connections: consoles })
    workplace.atEnd(() => browsers.close())
    const crowd = new ConsoleCrowd(consoles, { client: browsers, tokens })
    workplace.atEnd(() => crowd.stop())
    await crowd.gather(AT_ONCE)
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, answers })
    await pause(5000)

    const backMs: number[] = []
    const busyMs: number[] = []
    const refusedBefore = crowd.refusals.length
    for (let drop = 1; drop <= drops; drop += 1) {
      const busy = watchProcessor(product.life.pid)
      const droppedAt = Date.now()
      crowd.drop()
      while (crowd.open > 0) await pause(5)
      while (crowd.open < consoles && Date.now() < droppedAt + 4 * BACK_WITHIN_MS) await pause(20)
      backMs.push(Date.now() - droppedAt)
      await pause(5000)
      busyMs.push(busy.stop())
      const refusals = crowd.refusals.filter(({ at }) => at >= droppedAt).length
      console.log(
        `drop ${drop}: all back after ${backMs.at(-1)} ms, busy for ${busyMs.at(-1)} ms, refused ${refusals} times`,
      )
    }

    const found = await settleFixture(fixture, { load, verdict })
    const ids = [...found.eventIds.values()]
    const resyncs = crowd.members.reduce((sum, { reloads }) => sum + reloads.length, 0)
    // After a resync a console reads everything again, so it shows what it was not sent.
    const resumed = crowd.members.filter(({ reloads }) => reloads.length === 0)
    verdict.figure('consoles', consoles)
    verdict.atMost('all back, slowest', { figure: Math.max(...backMs), most: BACK_WITHIN_MS, unit: 'ms' })
    verdict.atMost('creations that a console never received', {
      figure: resumed.reduce((sum, { seen }) => sum + ids.filter((id) => !seen.has(id)).length, 0),
      most: 0,
    })
    verdict.atMost('received twice or out of order', {
      figure: crowd.members.reduce((sum, { wrong }) => sum + wrong, 0),
      most: 0,
    })
    verdict.figure('resyncs', resyncs)
    verdict.atMost(`processor of the server above ${BUSY * 100} % of a core, longest`, {
      figure: Math.max(...busyMs),
      most: BUSY_AT_MOST_MS,
      unit: 'ms',
    })
    const refusals = crowd.refusals.slice(refusedBefore)
    verdict.atMost('consoles answered 5xx', { figure: refusals.filter(({ status }) => status >= 500).length, most: 0 })
    verdict.figure('other refusals', refusals.filter(({ status }) => status < 500).length)
    verdict.atMost('gateways not answered 200', {
      figure: answers.filter(({ status }) => status !== 200).length,
      most: 0,
    })
    verdict.figure('answers to gateways', outcomes(answers))
    verdict.percentiles(
      'gateways',
      answers.map(({ tookMs }) => tookMs),
    )
    verdict.memory(product.peakRss)
  },
})

/** Adds up the time in which a process uses nearly a whole core, with all its threads, until stopped. */
function watchProcessor(pid: number): { stop(): number } {
  let busyMs = 0
  let last = { at: performance.now(), used: processorMs(pid) ?? 0 }
  const timer = setInterval(() => {
    const now = { at: performance.now(), used: processorMs(pid) ?? last.used }
    if ((now.used - last.used) / (now.at - last.at) >= BUSY) busyMs += now.at - last.at
    last = now
  }, LOOK_MS)
  return {
    stop() {
      clearInterval(timer)
      return Math.round(busyMs)
    },
  }
}
