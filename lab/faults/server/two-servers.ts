import { setTimeout as pause } from 'node:timers/promises'
import type { IngestAnswer } from '@benchwatch/contract/ingest'
import { withClient } from '../../product/database.ts'
import { raceForEvents } from '../consoles/claim-races.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { liveDelays } from '../ledger/comparison.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { GatewayItems } from '../load/gateway-items.ts'
import { GatewayLoad, SimulatedGateway, sendBatch, settle } from '../load/gateway-load.ts'
import { compareMails, countWaiting } from '../messages/mail-comparison.ts'
import { MailSink } from '../messages/mail-sink.ts'
import { addNotifiedPeople } from '../messages/notified-people.ts'
import { ExternalPostgres } from '../product/external-postgres.ts'
import { HttpClient } from '../product/http-client.ts'
import { Product } from '../product/product.ts'
import { runFault } from '../script/fault-script.ts'

const TAKE_OVER_MS = 15_000
/** Key of the lock that makes a server the leader. */
const LEADER_LOCK = 7_201_926
const TWICE_ITEMS = 20
/** The number of mails in flight in a server that dies. */
const CONNECTIONS = 4
/**
 * Messages in flight in a server that died are sent again two minutes after they were taken. This allows some time to
 * send them.
 */
const AGAIN_MS = 5 * 60_000

/**
 * Two servers share one database, with instruments and consoles on both. The leader is killed again and again, two
 * users claim the same events at the same moment over one server each, and gateways send the same batch to both.
 */
await runFault({
  name: 'two-servers',
  parameters: { kills: 6, races: 1000, rounds: 30, rate: 40, gateways: 9 },
  async run({ workplace, verdict, parameters: { kills, races, rounds, rate, gateways } }) {
    const postgres = await ExternalPostgres.start(workplace)
    const sink = await MailSink.start(workplace)
    const env = {
      SMTP_URL: sink.url,
      NOTIFICATION_MAILS_PER_HOUR: '0',
      ACCESS_TOKEN_MINUTES: '60',
      GATEWAY_SILENCE_SECONDS: '0',
    }
    const databaseUrl = postgres.url
    const fixture = await openFixture(workplace, { gateways, databaseUrl, env })
    const { product, client, fleet, ledger } = fixture
    const other = await Product.start(workplace, { databaseUrl, env, dataDir: `${workplace.folder}/other` })
    const otherClient = new HttpClient(other.url)
    workplace.atEnd(() => otherClient.close())
    const logins = ['anna@benchwatch.example', 'bo@benchwatch.example']
    const [anna, bo] = await addNotifiedPeople(
      fixture,
      logins.map((login) => ({ login })),
    )
    if (!anna || !bo) throw new Error('Two people are needed.')
    const [spare, ...busy] = fleet.gateways
    if (!spare) throw new Error('At least three gateways are needed.')

    const claims = { here: new Map<string, number>(), there: new Map<string, number>() }
    const watch = (at: HttpClient, seen: Map<string, number>) => {
      const viewer = new LiveViewer({
        client: at,
        token: anna.token,
        onMessage({ message }) {
          if (message.entity !== 'alarm' || message.action !== 'update' || message.property !== 'claimedBy') return
          seen.set(message.payload.id, (seen.get(message.payload.id) ?? 0) + 1)
        },
      })
      workplace.atEnd(() => viewer.stop())
      return viewer
    }
    const viewers = { here: watch(client, claims.here), there: watch(otherClient, claims.there) }
    await Promise.all(Object.values(viewers).map((viewer) => viewer.opened()))

    // Events for the claim races.
    const gateway = new SimulatedGateway(spare, { client, ledger })
    gateway.push(...Array.from({ length: races }, () => gateway.items.alarm()))
    while (gateway.waiting > 0) await pause(50)
    await gateway.stop()
    while (viewers.there.created.size < races) await pause(50)
    const ids = [...viewers.there.created.keys()]
    const raced = await raceForEvents(
      [
        { client, person: anna },
        { client: otherClient, person: bo },
      ],
      ids,
    )
    console.log(`${races} races: ${raced.won.join(' to ')}`)

    // The same batch to both at once.
    const twice = new GatewayItems(spare, ledger)
    const taken = { accepted: 0, duplicates: 0, refused: 0 }
    for (let round = 0; round < rounds; round += 1) {
      const items = Array.from({ length: TWICE_ITEMS }, () => twice.alarm())
      const sent = items.map(({ id }) => id)
      ledger.noteSending(spare.name, sent)
      const answers = await Promise.all(
        [client, otherClient].map((to) => sendBatch(to, { gateway: spare.name, key: spare.key, items })),
      )
      for (const answer of answers) {
        if (answer.status !== 200) {
          taken.refused += 1
          continue
        }
        const settled: IngestAnswer = settle(ledger, { gateway: spare.name, ids: sent, answer })
        taken.accepted += settled.accepted
        taken.duplicates += settled.duplicates
      }
    }

    const half = Math.ceil(busy.length / 2)
    const load = startLoad(
      workplace,
      { ...fixture, fleet: { ...fleet, gateways: busy.slice(0, half) } },
      { perSecond: rate / 2, answers: [] },
    )
    const otherLoad = new GatewayLoad({ client: otherClient, ledger, gateways: busy.slice(half), perSecond: rate / 2 })
    workplace.atEnd(() => otherLoad.stop())
    await pause(3000)
    const takeOverMs: number[] = []
    const announcedMs: number[] = []
    let leader = { leads: product, follows: other }
    for (let kill = 1; kill <= kills; kill += 1) {
      const survivor = leader.follows === product ? viewers.here : viewers.there
      const holder = await leadingBackend(databaseUrl)
      const announced = survivor.created.size
      leader.leads.kill()
      const killedAt = Date.now()
      while (Date.now() < killedAt + 60_000) {
        const now = await leadingBackend(databaseUrl)
        if (now !== null && now !== holder) break
        await pause(20)
      }
      takeOverMs.push(Date.now() - killedAt)
      while (survivor.created.size <= announced + rate / 2 && Date.now() < killedAt + 60_000) await pause(20)
      announcedMs.push(Date.now() - killedAt)
      await leader.leads.ended()
      leader.leads.launch()
      await leader.leads.ready({ since: killedAt })
      console.log(
        `kill ${kill}: another led after ${takeOverMs.at(-1)} ms, events were announced after ${announcedMs.at(-1)} ms`,
      )
      leader = { leads: leader.follows, follows: leader.leads }
      await pause(2000 + Math.random() * 2000)
    }
    const leftThere = await otherLoad.drain(60_000)
    const found = await settleFixture(fixture, { load, verdict })
    console.log('waiting for mails that were in flight in a server that died: two minutes each')
    const until = Date.now() + AGAIN_MS
    let waiting = Number.POSITIVE_INFINITY
    while (waiting > 0 && Date.now() < until) {
      await pause(1000)
      waiting = await withClient(databaseUrl, countWaiting)
    }
    const mails = await withClient(databaseUrl, (database) =>
      compareMails(database, { people: logins, taken: sink.taken }),
    )
    const repeated = [...mails.repeats.values()].reduce((sum, times) => sum + times, 0)

    verdict.atMost('unsent to the other server at the end', { figure: leftThere, most: 0 })
    verdict.figure('PostgreSQL', postgres.version)
    verdict.figure('races won', raced.won.join(' to '))
    report('races by version without one winner and one 412 that names them', raced.wrong)
    report('take-overs without a version that were not one after the other', raced.wrongTakeovers)
    report('owners that two servers report differently', raced.disagreements)
    verdict.check('the same batch to both: accepted, duplicates, refused', {
      figure: Object.values(taken).join(', '),
      goal: `${rounds * TWICE_ITEMS}, ${rounds * TWICE_ITEMS}, 0`,
      passed: taken.accepted === rounds * TWICE_ITEMS && taken.duplicates === rounds * TWICE_ITEMS,
    })
    verdict.atMost('take-over after the leader is killed, slowest', {
      figure: Math.max(...takeOverMs),
      most: TAKE_OVER_MS,
      unit: 'ms',
    })
    verdict.atMost('events announced again after it, slowest', {
      figure: Math.max(...announcedMs),
      most: TAKE_OVER_MS,
      unit: 'ms',
    })
    for (const [name, viewer] of Object.entries(viewers)) {
      const { unannounced, delays } = liveDelays({ ledger, eventIds: found.eventIds }, viewer.created)
      if (viewer.resyncs === 0)
        verdict.atMost(`console ${name}: creations never announced`, { figure: unannounced.length, most: 0 })
      verdict.atMost(`console ${name}: received twice or out of order`, {
        figure: viewer.repeated.length + viewer.disordered,
        most: 0,
      })
      verdict.figure(`console ${name}: resyncs`, viewer.resyncs)
      verdict.percentiles(
        `live ${name}`,
        delays.map(({ ms }) => ms),
      )
    }
    verdict.atMost('claims that the console of the other server did not hear', {
      figure: ids.filter(
        (id, at) => claims.here.get(id) !== (at % 2 === 0 ? 1 : 2) || claims.there.get(id) !== claims.here.get(id),
      ).length,
      most: 0,
    })
    verdict.figure('mails expected', mails.expected)
    verdict.atMost('mails that still wait', { figure: waiting, most: 0 })
    verdict.atMost('mails lost', { figure: mails.lost.length, most: 0 })
    verdict.atMost('mails that nobody expected', { figure: mails.strange.length, most: 0 })
    verdict.atMost('second mails with another Message-ID', { figure: mails.twice.length, most: 0 })
    verdict.atMost('mails that came again after a kill, with the same Message-ID', {
      figure: repeated,
      most: CONNECTIONS * kills,
    })
    verdict.memory(Math.max(product.peakRss, other.peakRss))

    function report(name: string, wrong: readonly string[]): void {
      verdict.atMost(name, { figure: wrong.length, most: 0 })
      for (const one of wrong.slice(0, 5)) console.log(`  ${one}`)
    }
  },
})

/** Returns the database process that holds the leader's lock, or null while there is no leader. */
async function leadingBackend(databaseUrl: string): Promise<number | null> {
  return await withClient(databaseUrl, async (database) => {
    const { rows } = await database.query<{ pid: number }>(
      "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted",
      [LEADER_LOCK],
    )
    return rows[0]?.pid ?? null
  })
}
