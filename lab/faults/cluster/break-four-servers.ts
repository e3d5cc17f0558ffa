import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { UsageError } from '../../arguments.ts'
import { type Cluster, startCluster } from '../../cluster/cluster.ts'
import { withClient } from '../../product/database.ts'
import { ConsoleCrowd } from '../consoles/console-crowd.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { compare, liveDelays } from '../ledger/comparison.ts'
import { Ledger } from '../ledger/ledger.ts'
import { GatewayLoad } from '../load/gateway-load.ts'
import { outcomes } from '../load/probe.ts'
import { registerFleet, signIn } from '../product/fleet.ts'
import { type Answer, HttpClient } from '../product/http-client.ts'
import { processorMsOf, signalAll } from '../product/process-tree.ts'
import type { Product } from '../product/product.ts'
import type { Verdict } from '../script/verdict.ts'
import type { Workplace } from '../script/workplace.ts'
import { addPeople, Claimer, lostClaims } from './people.ts'
import { checkSharedState, SIGN_IN_LIMITS } from './shared-state.ts'

/** The parameters of the faults that break four servers, with their defaults. */
export const fourServers = {
  consoles: 2000,
  customers: 100,
  rate: 500,
  gateways: 100,
  claims: 2,
  /** Seconds for which the killed and the frozen server stay away. */
  away: 20,
}

const METRICS_TOKEN = 'token-of-the-lab'
const SKEW_SECONDS = 10
/** The place of the server whose clock is wrong. */
const SKEWED = 3
const TROUBLE_MS = 5000
/** HAProxy finds a frozen server within eight seconds. */
const UNANSWERED_MS = 10_000
const TAKE_OVER_MS = 15_000
/** The sockets of this script while consoles connect. */
const AT_ONCE = 50
const CALM_MS = 5000
const MEASURED_MS = 10_000

interface Breaking {
  workplace: Workplace
  verdict: Verdict
  parameters: typeof fourServers
}

/**
 * Four servers behind HAProxy serve gateways, consoles and people who claim events; the clock of one is ten seconds
 * ahead. All are restarted one after the other, the leader is killed, and the next leader is frozen. Nothing that was
 * acknowledged is lost, no console misses a message, and nobody is without an answer for more than five seconds.
 */
export async function breakFourServers(
  { workplace, verdict, parameters }: Breaking,
  { hasNats }: { hasNats: boolean },
): Promise<void> {
  const { consoles, customers, rate, gateways, claims, away } = parameters
  const cluster = await startCluster(workplace, {
    hasNats,
    env: {
      ...{ ...SIGN_IN_LIMITS, METRICS_TOKEN, ACCESS_TOKEN_MINUTES: '60', EVENT_INDEX: 'off' },
      ...{ GATEWAY_SILENCE_SECONDS: '0', DATABASE_POOL_SIZE: '6' },
    },
    envOf: { [SKEWED]: wrongClock() },
  })
  const { haproxy, postgres, servers } = cluster
  const [first] = servers
  if (!first) throw new Error('A cluster has servers.')
  const clientOf = (connections: number) => {
    const client = new HttpClient(cluster.url, { connections })
    workplace.atEnd(() => client.close())
    return client
  }
  const client = clientOf(64)
  const fleet = await registerFleet(first, {
    client: new HttpClient(first.url),
    databaseUrl: postgres.url,
    gateways: gateways + 1,
    customers,
    instrumentsPerGateway: 1,
  })
  const [spare, ...busy] = fleet.gateways
  if (!spare) throw new Error('A gateway is needed.')
  const ledger = new Ledger()
  const { engineers, watchers } = await withClient(postgres.url, (database) =>
    addPeople(database, { client, like: fleet.administrator }),
  )
  verdict.figure('PostgreSQL', postgres.version)
  verdict.check('the clock of one server is ahead by', {
    figure: await skewOf(servers[SKEWED]),
    goal: `${SKEW_SECONDS} s`,
    passed: Math.abs((await skewOf(servers[SKEWED])) - SKEW_SECONDS) <= 1,
  })

  const crowd = new ConsoleCrowd(consoles, {
    client: clientOf(consoles),
    tokens: watchers.map(({ token }) => token),
  })
  workplace.atEnd(() => crowd.stop())
  await crowd.gather(AT_ONCE)
  const unclaimed: string[] = []
  const witness = new LiveViewer({
    client,
    token: await signIn(client),
    onMessage({ message }) {
      if (message.entity === 'alarm' && message.action === 'create') unclaimed.push(message.payload.id)
    },
  })
  workplace.atEnd(() => witness.stop())
  await witness.opened()
  await checkSharedState({
    ...{ workplace, verdict, cluster, ledger },
    ...{ gateway: spare, people: engineers, who: fleet.administrator },
  })
  unclaimed.length = 0

  const answersOf = new Map<string, Answer[]>(busy.map(({ name }) => [name, []]))
  const load = new GatewayLoad({
    client: clientOf(gateways),
    ledger,
    gateways: busy,
    perSecond: rate,
    onDelivery: ({ gateway, answer }) => answersOf.get(gateway)?.push({ ...answer, body: '' }),
  })
  workplace.atEnd(() => load.stop())
  const [anna] = engineers
  const claimer = new Claimer({ client, person: anna, everyMs: 1000 / claims, next: () => unclaimed.pop() })
  workplace.atEnd(() => claimer.stop())
  const fromConsole = crowd.refusals.length
  await pause(CALM_MS)
  const perItem = await processorPerItem(cluster, ledger)
  verdict.figure('processor time of an item', perItem)
  console.log(`processor time of an item: ${perItem}`)

  const restartedMs = await restartAll(cluster, { calm: () => settled(crowd, consoles) })
  const killed = await leaderOf(servers)
  const killedAt = Date.now()
  servers[killed]?.kill()
  const [noticedKillMs, killTakeOverMs] = await Promise.all([
    haproxy.noticed(killed).then(() => Date.now() - killedAt),
    untilToldAgain(postgres.url, witness),
  ])
  await pause(Math.max(0, killedAt + away * 1000 - Date.now()))
  await relaunch(cluster, killed)
  await settled(crowd, consoles)
  console.log(`killed: noticed after ${noticedKillMs} ms, new events were announced after ${killTakeOverMs} ms`)

  const frozen = await leaderOf(servers)
  const frozenPids = [servers[frozen]?.life.pid ?? 0]
  const frozenAt = Date.now()
  workplace.atEnd(() => signalAll(frozenPids, 'SIGCONT'))
  signalAll(frozenPids, 'SIGSTOP')
  const [noticedFreezeMs, freezeTakeOverMs] = await Promise.all([
    haproxy.noticed(frozen).then(() => Date.now() - frozenAt),
    untilToldAgain(postgres.url, witness),
  ])
  await pause(Math.max(0, frozenAt + away * 1000 - Date.now()))
  signalAll(frozenPids, 'SIGCONT')
  await haproxy.resume(frozen)
  await settled(crowd, consoles)
  console.log(`frozen: noticed after ${noticedFreezeMs} ms, new events were announced after ${freezeTakeOverMs} ms`)
  await pause(CALM_MS)

  await claimer.stop()
  const left = await load.drain(120_000)
  await untilToldAll(postgres.url, witness)
  await settled(crowd, consoles)
  await withClient(postgres.url, async (database) => {
    const found = await compare(database, ledger)
    verdict.compared(found)
    verdict.atMost('unsent at the end', { figure: left, most: 0 })
    verdict.atMost('rejected', { figure: ledger.rejected, most: 0 })
    verdict.figure('claims acknowledged', claimer.claimed.length)
    verdict.atMost('acknowledged claims lost', {
      figure: await lostClaims(database, { claimed: claimer.claimed, person: anna }),
      most: 0,
    })
    await judgeConsoles(database, { verdict, crowd, watchers })
    const { delays } = liveDelays({ ledger, eventIds: found.eventIds }, witness.created)
    verdict.percentiles(
      'live',
      delays.map(({ ms }) => ms),
    )
  })
  verdict.figure('leader', `server ${killed + 1} was killed, server ${frozen + 1} frozen`)
  verdict.atMost('new events announced after the leader is killed', {
    figure: killTakeOverMs,
    most: TAKE_OVER_MS,
    unit: 'ms',
  })
  verdict.atMost('new events announced after the leader is frozen', {
    figure: freezeTakeOverMs,
    most: TAKE_OVER_MS,
    unit: 'ms',
  })
  verdict.figure('HAProxy noticed the kill and the freeze after ms', `${noticedKillMs}, ${noticedFreezeMs}`)
  verdict.figure('restart of one server, slowest ms', Math.max(...restartedMs))
  const perGateway = [...answersOf.values()]
  const callers = [...perGateway, claimer.answers]
  verdict.figure('answers to gateways', outcomes(perGateway.flat()))
  verdict.figure('answers to claims', outcomes(claimer.answers))
  verdict.figure('slowest answer ms', Math.max(...callers.flat().map(({ tookMs }) => tookMs)))
  verdict.atMost('a gateway or person only answered 5xx, longest', {
    figure: Math.max(...callers.map((answers) => longestTrouble(answers.filter(({ status }) => status !== 0)))),
    most: TROUBLE_MS,
    unit: 'ms',
  })
  verdict.atMost('a gateway or person without a good answer, longest', {
    figure: Math.max(...callers.map(longestTrouble)),
    most: UNANSWERED_MS,
    unit: 'ms',
  })
  const refusals = crowd.refusals.slice(fromConsole)
  verdict.figure('consoles answered 5xx', refusals.filter(({ status }) => status >= 500).length)
  verdict.atMost('consoles that are away at the end', { figure: consoles - crowd.open, most: 0 })
  const absences = crowd.members.flatMap((member) => member.absences)
  const phases = {
    'the restarts': 0,
    'the kill': killedAt,
    'the freeze': frozenAt,
    'the end': Number.POSITIVE_INFINITY,
  }
  const begins = Object.values(phases)
  for (const [at, phase] of Object.keys(phases).slice(0, -1).entries()) {
    const within = absences.filter(({ from }) => from >= (begins[at] ?? 0) && from < (begins[at + 1] ?? 0))
    verdict.atMost(`a console away in ${phase}, longest`, {
      figure: Math.max(0, ...within.map(({ ms }) => ms)),
      most: TAKE_OVER_MS,
      unit: 'ms',
    })
  }
  verdict.memory(Math.max(...servers.map(({ peakRss }) => peakRss)))
}

/** Returns the processor time of an acknowledged item before anything is broken, in words. */
async function processorPerItem({ servers, postgres, haproxy }: Cluster, ledger: Ledger): Promise<string> {
  const usage = () => ({
    servers: processorMsOf(servers.map(({ life }) => life.pid)),
    PostgreSQL: processorMsOf(postgres.pids),
    HAProxy: processorMsOf([haproxy.pid]),
    'gateways and consoles': processorMsOf([process.pid]),
  })
  const before = { ...usage(), items: ledger.acknowledged }
  await pause(MEASURED_MS)
  const after = usage()
  const items = ledger.acknowledged - before.items
  const parts = Object.entries(after).map(
    ([name, ms]) => `${name} ${((ms - before[name as keyof typeof after]) / items).toFixed(1)}`,
  )
  return `${parts.join(', ')} ms, at ${((items * 1000) / MEASURED_MS).toFixed(0)} items/s`
}

/** Compares what each console heard with the table of messages. */
async function judgeConsoles(
  database: Client,
  { verdict, crowd, watchers }: { verdict: Verdict; crowd: ConsoleCrowd; watchers: readonly { customer: number }[] },
): Promise<void> {
  const { rows } = await database.query<{ seq: string; customer: number }>(
    'SELECT seq, customer_id AS customer FROM live_message WHERE customer_id IS NOT NULL ORDER BY seq',
  )
  const numbers = Map.groupBy(
    rows.map(({ seq, customer }) => ({ seq: Number(seq), customer })),
    ({ customer }) => customer,
  )
  let missed = 0
  let told = 0
  for (const [at, { heard, beganAfter, reloads }] of crowd.members.entries()) {
    const customer = watchers[at % watchers.length]?.customer ?? 0
    const known = new Set(heard)
    told += known.size
    missed += (numbers.get(customer) ?? []).filter(
      ({ seq }) =>
        seq > (beganAfter ?? 0) && !known.has(seq) && !reloads.some(({ after, last }) => seq > after && seq <= last),
    ).length
  }
  verdict.figure('consoles', crowd.members.length)
  verdict.figure('messages to consoles', told)
  verdict.atMost('messages that a console missed', { figure: missed, most: 0 })
  verdict.atMost('messages twice, out of order or of another customer', {
    figure: crowd.members.reduce((sum, { wrong }) => sum + wrong, 0) + strangers(crowd, { rows, watchers }),
    most: 0,
  })
  verdict.figure(
    'consoles that read everything again in place of more than 1,000 messages',
    crowd.members.filter(({ reloads }) => reloads.length > 0).length,
  )
}

/** Counts the messages that consoles heard about customers of others. */
function strangers(
  crowd: ConsoleCrowd,
  { rows, watchers }: { rows: readonly { seq: string; customer: number }[]; watchers: readonly { customer: number }[] },
): number {
  const customerOf = new Map(rows.map(({ seq, customer }) => [Number(seq), customer]))
  return crowd.members.reduce((sum, { heard }, at) => {
    const own = watchers[at % watchers.length]?.customer
    return sum + heard.filter((seq) => customerOf.has(seq) && customerOf.get(seq) !== own).length
  }, 0)
}

/** Restarts each server as operators do: HAProxy sends it nothing new, it ends, it starts again. */
async function restartAll(cluster: Cluster, { calm }: { calm: () => Promise<void> }): Promise<number[]> {
  const restartedMs: number[] = []
  for (const [place, server] of cluster.servers.entries()) {
    const began = Date.now()
    await cluster.haproxy.drain(place)
    await server.terminate()
    await relaunch(cluster, place)
    restartedMs.push(Date.now() - began)
    console.log(`server ${place + 1} restarted within ${restartedMs.at(-1)} ms`)
    await calm()
  }
  return restartedMs
}

async function relaunch({ servers, haproxy }: Cluster, place: number): Promise<void> {
  const server = servers[place]
  await server?.ended()
  server?.launch()
  await server?.ready({ since: server.life.startedAt })
  await haproxy.resume(place)
}

/** Waits until all consoles are connected, or for three minutes: the verdict then says for how long one was away. */
async function settled(crowd: ConsoleCrowd, consoles: number): Promise<void> {
  const until = Date.now() + 180_000
  while (crowd.open < consoles && Date.now() < until) await pause(50)
}

/** Returns the place of the server that leads. */
async function leaderOf(servers: readonly Product[]): Promise<number> {
  for (let waited = 0; waited < 30_000; waited += 200) {
    for (const [place, { url }] of servers.entries()) {
      const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
      if (/^benchwatch_leader 1$/m.test(await answer.text())) return place
    }
    await pause(200)
  }
  throw new Error('No server leads.')
}

/** Waits until a console learns of an event that was stored after this moment, and returns how long that took. */
async function untilToldAgain(databaseUrl: string, witness: LiveViewer): Promise<number> {
  const since = Date.now()
  const newest = await withClient(databaseUrl, async (database) => {
    const { rows } = await database.query<{ id: string }>('SELECT max(id) AS id FROM service_event')
    return Number(rows[0]?.id)
  })
  const isTold = () => [...witness.created.keys()].some((id) => Number(id) > newest)
  while (!isTold() && Date.now() < since + 60_000) await pause(50)
  return Date.now() - since
}

/** Waits until a console that sees everything has heard the last message. */
async function untilToldAll(databaseUrl: string, witness: LiveViewer): Promise<void> {
  await pause(2000)
  const last = await withClient(databaseUrl, async (database) => {
    const { rows } = await database.query<{ last: string }>('SELECT last_seq AS last FROM live_sequence')
    return Number(rows[0]?.last)
  })
  for (let waited = 0; (witness.lastSeq ?? 0) < last && waited < 30_000; waited += 50) await pause(50)
  await pause(2000)
}

/** Returns how many seconds the clock of a server is ahead, from the Date of an answer, in whole seconds. */
async function skewOf(server: Product | undefined): Promise<number> {
  const answer = await fetch(`${server?.url}/api/health`)
  return Math.round((Date.parse(answer.headers.get('date') ?? '') + 500 - Date.now()) / 1000)
}

/** Returns the environment in which libfaketime moves the clock of a process, but not its timers. */
function wrongClock(): Record<string, string> {
  const libraries = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime/libfaketimeMT.so.1'))
  const library = libraries.find((path) => existsSync(path))
  if (library === undefined) throw new UsageError('libfaketime is not installed. On Debian: apt-get install faketime')
  return { LD_PRELOAD: library, FAKETIME: `+${SKEW_SECONDS}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

/**
 * Returns the longest time in milliseconds in which a caller got only 5xx or no answer: from the first such request
 * to the end of the next one that was answered otherwise, or to the end of the last.
 */
export function longestTrouble(answers: readonly Pick<Answer, 'status' | 'startedAt' | 'tookMs'>[]): number {
  let longest = 0
  let since: number | null = null
  for (const { status, startedAt, tookMs } of answers.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const hasTrouble = status === 0 || status >= 500
    if (hasTrouble) since ??= startedAt
    if (since !== null) longest = Math.max(longest, startedAt + tookMs - since)
    if (!hasTrouble) since = null
  }
  return longest
}
