import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { percentile } from '../../measure/percentiles.ts'
import { buildConsole } from '../../product/browser.ts'
import { withClient } from '../../product/database.ts'
import { EventScreen, openConsoles, SETTLED_WITHIN_MS } from '../consoles/event-screen.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { SimulatedGateway } from '../load/gateway-load.ts'
import { outcomes, Probe, type ProbeAnswer } from '../load/probe.ts'
import { ExternalPostgres } from '../product/external-postgres.ts'
import { HttpClient, jsonOf } from '../product/http-client.ts'
import { FaultyLine, type LineTrouble } from '../proxies/faulty-line.ts'
import { runFault } from '../script/fault-script.ts'

const ANSWERED_WITHIN_MS = 5000
const failure = /could not|can't|not known|not changed|went wrong|try again/i
const success = { claim: /set as owner on event/i, close: /Status: Closed/i }
/** The beginning of each status on the screen. */
const statusLabels: Record<number, RegExp> = { 1: /^New/, 2: /^In progress/, 3: /^Closed/ }
/** The number of times that a user reloads a page that did not load. */
const LOADS = 4

/**
 * The network has 500 ms of latency and one chunk in twenty resets its connection, first between consoles and the
 * server, then between the server and its database. A screen shows what the database holds, or says that it does not
 * know.
 */
await runFault({
  name: 'poor-network',
  parameters: { events: 10, latency: 500, resets: 5, rate: 20, gateways: 3 },
  async run({ workplace, verdict, parameters: { events, latency, resets, rate, gateways } }) {
    buildConsole()
    const trouble: LineTrouble = { roundTripMs: latency, resets: resets / 100 }
    const postgres = await ExternalPostgres.start(workplace)
    const toDatabase = await FaultyLine.open(workplace, { path: postgres.socket })
    const fixture = await openFixture(workplace, {
      gateways,
      databaseUrl: `postgres://benchwatch@127.0.0.1:${toDatabase.port}/benchwatch`,
      env: { ACCESS_TOKEN_MINUTES: '60', GATEWAY_SILENCE_SECONDS: '0' },
      supervised: true,
    })
    const { product, client, fleet, ledger, token } = fixture
    const direct = { ...fixture, databaseUrl: () => postgres.url }
    const toServer = await FaultyLine.open(workplace, { host: '127.0.0.1', port: Number(new URL(product.url).port) })
    const [first, second] = fleet.gateways
    if (!first || !second) throw new Error('At least three gateways are needed.')
    const gateway = new SimulatedGateway(first, { client, ledger })
    gateway.push(...Array.from({ length: 2 * events }, () => gateway.items.alarm()))
    while (gateway.waiting > 0) await pause(20)
    await gateway.stop()
    const { values } = jsonOf<{ values: { alarm: ServiceEvent }[] }>(
      await client.send({ method: 'POST', path: `/api/alarms?limit=${2 * events}`, token, body: '{"filter":{}}' }),
    )
    const browser = await openConsoles(workplace)
    const load = startLoad(workplace, fixture, { perSecond: rate, spare: 2, answers: [] })

    const alarms = values.map(({ alarm }) => alarm)
    const phases = {
      'to the server': { line: toServer, alarms: alarms.slice(0, events) },
      'to the database': { line: toDatabase, alarms: alarms.slice(events) },
    }
    for (const [name, { line, alarms: ofPhase }] of Object.entries(phases)) {
      const probing = new HttpClient(`http://127.0.0.1:${toServer.port}`)
      workplace.atEnd(() => probing.close())
      const probe = new Probe({ client: probing, token, gateway: second, ledger, everyMs: 250 })
      workplace.atEnd(() => probe.stop())
      // Signing in is not measured here: it sends a dozen queries one after the other.
      const at = `http://127.0.0.1:${toServer.port}`
      const screen = await EventScreen.open(browser, { at, person: fleet.administrator })
      const from = Date.now()
      line.trouble = trouble
      const found = await workThrough(screen, { databaseUrl: postgres.url, alarms: ofPhase })
      line.trouble = {}
      const over = Date.now()
      const backMs = Math.max(await probe.recovered('list', over), await probe.recovered('ingest', over))
      await probe.stop()
      const answers = probe.between(from, over).filter(({ of }) => of === 'list' || of === 'ingest')
      console.log(
        `${name}: ${found.steps} steps, ${found.made} changes made, ${found.loads} loads, ${line.broken} connections broken`,
      )
      report(name, found, answers)
      verdict.figure(`${name}: connections broken`, line.broken)
      verdict.atMost(`${name}: well again after`, { figure: backMs, most: ANSWERED_WITHIN_MS, unit: 'ms' })
    }
    await settleFixture(direct, { load, verdict })
    verdict.check('the server was never restarted', {
      figure: product.lives.length,
      goal: 'one life',
      passed: product.lives.length === 1 && product.life.endedAt === null,
    })
    verdict.memory(product.peakRss)

    function report(name: string, found: Found, answers: readonly ProbeAnswer[]): void {
      const took = answers.filter(({ status }) => status !== 0).map(({ tookMs }) => tookMs)
      verdict.figure(`${name}: steps, changes made`, `${found.steps}, ${found.made}`)
      verdict.figure(`${name}: loads of ${found.screens} screens`, found.loads)
      verdict.figure(`${name}: screens that never came`, found.absent)
      verdict.figure(`${name}: answers`, outcomes(answers))
      verdict.atMost(`${name}: answers p99`, { figure: percentile(took, 0.99), most: ANSWERED_WITHIN_MS, unit: 'ms' })
      verdict.atMost(`${name}: answers other than 200, 429, 503`, {
        figure: answers.filter(({ status }) => ![0, 200, 429, 503].includes(status)).length,
        most: 0,
      })
      for (const [what, wrong] of Object.entries({
        'screens that did not settle to what is stored': found.wrong,
        'changes announced that were not made': found.lies,
        'changes not made without a word': found.silences,
      })) {
        verdict.atMost(`${name}: ${what}`, { figure: wrong.length, most: 0 })
        for (const one of wrong.slice(0, 5)) console.log(`  ${name}: ${what}: ${one}`)
      }
    }
  },
})

interface Found {
  steps: number
  made: number
  screens: number
  loads: number
  /** The number of screens that never loaded. */
  absent: number
  wrong: string[]
  lies: string[]
  silences: string[]
}

interface Work {
  /** The address of the database itself, without a faulty line. */
  databaseUrl: string
  alarms: readonly ServiceEvent[]
}

/** Claims and closes each event in a browser; after each step the screen is compared with the database. */
async function workThrough(screen: EventScreen, { databaseUrl, alarms }: Work): Promise<Found> {
  const found: Found = { steps: 0, made: 0, screens: 0, loads: 0, absent: 0, wrong: [], lies: [], silences: [] }
  const stored = ({ id }: ServiceEvent) => storedState(databaseUrl, id)
  for (const alarm of alarms) {
    found.screens += 1
    const loads = await untilShown(screen, alarm)
    found.loads += loads ?? LOADS
    if (loads === null) {
      found.absent += 1
      continue
    }
    for (const step of ['claim', 'close'] as const) {
      const before = await stored(alarm)
      // Only the owner can close an event.
      if (step === 'close' && before.owner === null) continue
      found.steps += 1
      const toasts = screen.toasts.length
      const failed = await (step === 'claim' ? screen.assign('me') : screen.close()).then(
        () => null,
        (error: Error) => error.message.split('\n', 1)[0] ?? '',
      )
      if (failed === null) await screen.waitForToast(toasts)
      const settled = await untilSettled(screen, () => stored(alarm))
      const after = await stored(alarm)
      const shown = screen.toasts.slice(toasts)
      const isMade = after.version > before.version
      found.made += isMade ? 1 : 0
      const about = `${step} of ${alarm.eventId}: ${failed ?? ''} screen ${JSON.stringify(settled.shown)}, stored ${JSON.stringify(after)}, told ${JSON.stringify(shown)}`
      if (!settled.isRight) found.wrong.push(about)
      if (!isMade && shown.some((words) => success[step].test(words))) found.lies.push(about)
      const said = shown.some((words) => failure.test(words))
      if (!isMade && failed === null && !said) found.silences.push(about)
      await screen.leaveDialogs()
    }
  }
  await screen.page.context().close()
  return found
}

interface Stored {
  owner: string | null
  status: number
  version: number
}

async function storedState(databaseUrl: string, id: string): Promise<Stored> {
  return await withClient(databaseUrl, async (database) => {
    const { rows } = await database.query<Stored>(
      'SELECT claimed_by::text AS owner, alert_status::int AS status, version::int FROM service_event WHERE id = $1',
      [id],
    )
    const [row] = rows
    if (!row) throw new Error(`There is no event ${id}.`)
    return row
  })
}

async function untilSettled(
  screen: EventScreen,
  stored: () => Promise<Stored>,
): Promise<{ isRight: boolean; shown: unknown }> {
  let shown: Awaited<ReturnType<EventScreen['state']>> = null
  for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until; await pause(250)) {
    shown = await screen.state().catch(() => null)
    const { owner, status } = await stored()
    if (shown?.owner === (owner === null ? 'None' : 'Me') && statusLabels[status]?.test(shown.status)) {
      return { isRight: true, shown }
    }
  }
  return { isRight: false, shown }
}

/** Loads the page until it appears. Returns the number of attempts, or null if it never did. */
async function untilShown(screen: EventScreen, { eventId }: ServiceEvent): Promise<number | null> {
  for (let load = 1; load <= LOADS; load += 1) {
    const isShown = await screen.show(eventId).then(
      () => true,
      () => false,
    )
    if (isShown) return load
  }
  return null
}
