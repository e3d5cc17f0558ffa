import type { Cluster } from '../../cluster/cluster.ts'
import { withClient } from '../../product/database.ts'
import { raceForEvents } from '../consoles/claim-races.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { GatewayItems } from '../load/gateway-items.ts'
import { sendBatch, settle } from '../load/gateway-load.ts'
import type { NotifiedPerson } from '../messages/notified-people.ts'
import { type RegisteredGateway, signIn } from '../product/fleet.ts'
import { type Answer, HttpClient, jsonOf } from '../product/http-client.ts'
import type { Verdict } from '../script/verdict.ts'
import type { Workplace } from '../script/workplace.ts'

/** Failures per account and address that the servers allow. */
export const SIGN_IN_LIMITS = { SIGN_IN_FAILURES_PER_ACCOUNT: '5', SIGN_IN_FAILURES_PER_ADDRESS: '20' }
const INACTIVITY_SECONDS = 4 * 3600
const RACES = 40
const BATCHES = 10
const BATCH_ITEMS = 20
const CLOSED_WITHIN_MS = 5000

interface Shared {
  workplace: Workplace
  verdict: Verdict
  cluster: Cluster
  ledger: Ledger
  /** A gateway that nothing else sends for. */
  gateway: RegisteredGateway
  people: readonly [NotifiedPerson, NotifiedPerson]
  who: { userId: string; password: string }
}

/** Checks state that four servers share, asking a different server each time. */
export async function checkSharedState(shared: Shared): Promise<void> {
  const clients = shared.cluster.servers.map(({ url }) => new HttpClient(url))
  shared.workplace.atEnd(() => clients.forEach((client) => client.close()))
  await checkSessions(shared, clients)
  await checkTabs(shared)
  await checkAccountLimit(shared, clients)
  await checkAddressLimit(shared)
  await checkBatches(shared, clients)
  await checkRaces(shared, clients)
  await checkExports(shared, clients)
}

/** A session of one server counts on all; signed out on the next one, it counts on none, and its console is closed. */
async function checkSessions({ workplace, verdict, who }: Shared, clients: readonly HttpClient[]): Promise<void> {
  let unknown = 0
  let outlasting = 0
  let open = 0
  for (const [at, client] of clients.entries()) {
    const token = await signIn(client, who)
    const statuses = async () =>
      (await Promise.all(clients.map((one) => one.send({ method: 'GET', path: '/api/users/me', token })))).map(
        ({ status }) => status,
      )
    unknown += (await statuses()).filter((status) => status !== 200).length
    const viewer = new LiveViewer({ client: next(clients, at + 2), token, reconnectMs: CLOSED_WITHIN_MS })
    workplace.atEnd(() => viewer.stop())
    await viewer.opened()
    await next(clients, at + 1).send({ method: 'POST', path: '/api/auth/sign-out', token, body: '{}' })
    outlasting += (await statuses()).filter((status) => status !== 401).length
    const isClosed = await within(CLOSED_WITHIN_MS, () => viewer.closings.length > 0)
    open += isClosed ? 0 : 1
    void viewer.stop()
  }
  verdict.atMost('sessions of one server that another does not know', { figure: unknown, most: 0 })
  verdict.atMost('sessions that outlast their sign-out on another server', { figure: outlasting, most: 0 })
  verdict.atMost('consoles left open by a sign-out on another server', { figure: open, most: 0 })
}

/**
 * Four tabs of a browser refresh their session at the same moment over one server each, and get one successor. A tab
 * that nobody uses does not end the session while another one is used, and does not move the last activity back.
 */
async function checkTabs({ verdict, cluster: { servers, postgres }, who }: Shared): Promise<void> {
  const post = async (at: number, { path, body, cookie }: { path: string; body: object; cookie?: string }) => {
    const answer = await fetch(`${servers[at % servers.length]?.url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) },
      body: JSON.stringify(body),
    })
    await answer.arrayBuffer()
    const [set = ''] = answer.headers.getSetCookie().filter((one) => one.startsWith('benchwatch_refresh='))
    return { status: answer.status, cookie: set.split(';', 1)[0] ?? '' }
  }
  const { cookie } = await post(0, { path: 'sign-in', body: who })
  const tabs = await Promise.all(
    servers.map((_, at) => post(at, { path: 'refresh', body: { idleSeconds: 0 }, cookie })),
  )
  verdict.check('four tabs that refresh at once: answers, successors', {
    figure: `${tabs.map(({ status }) => status).join(' ')}, ${new Set(tabs.map((tab) => tab.cookie)).size}`,
    goal: '200 200 200 200, 1',
    passed: tabs.every((tab) => tab.status === 200 && tab.cookie === tabs[0]?.cookie),
  })
  const lastActivity = () =>
    withClient(postgres.url, async (database) => {
      const { rows } = await database.query<{ at: Date }>(
        'SELECT last_activity_at AS at FROM session ORDER BY last_activity_at DESC LIMIT 1',
      )
      return rows[0]?.at.getTime() ?? 0
    })
  const before = await lastActivity()
  let held = tabs[0]?.cookie ?? ''
  const statuses: number[] = []
  for (let at = 1; at <= servers.length; at += 1) {
    const tab = await post(at, { path: 'refresh', body: { idleSeconds: INACTIVITY_SECONDS + 60 }, cookie: held })
    statuses.push(tab.status)
    held = tab.cookie
  }
  verdict.check('unused tabs on each server while another is used: answers', {
    figure: statuses.join(' '),
    goal: '200 200 200 200',
    passed: statuses.every((status) => status === 200),
  })
  verdict.atMost('last activity moved by unused tabs', {
    figure: Math.abs((await lastActivity()) - before),
    most: 0,
    unit: 'ms',
  })
}

async function attempt(client: HttpClient, userId: string): Promise<string> {
  const body = JSON.stringify({ userId, password: 'not this one' })
  return codeOf(await client.send({ method: 'POST', path: '/api/auth/sign-in', body }))
}

/** Each server counts the failures of all. */
async function checkAccountLimit({ verdict }: Shared, clients: readonly HttpClient[]): Promise<void> {
  const allowed: string[] = []
  for (let failure = 0; failure < Number(SIGN_IN_LIMITS.SIGN_IN_FAILURES_PER_ACCOUNT); failure += 1)
    allowed.push(await attempt(next(clients, failure), 'guessed@benchwatch.example'))
  const refused = await Promise.all(clients.map((client) => attempt(client, 'guessed@benchwatch.example')))
  verdict.check('guesses of one account over all servers before and after the limit', {
    figure: `${tally(allowed)}; ${tally(refused)}`,
    goal: `bad-credentials 5; attempts-exceeded 4`,
    passed:
      allowed.every((code) => code === 'bad-credentials') && refused.every((code) => code === 'attempts-exceeded'),
  })
}

/** HAProxy passes the caller's address to the servers, and each server counts the failures on all of them. */
async function checkAddressLimit({ workplace, verdict, cluster }: Shared): Promise<void> {
  const from = (localAddress: string) => {
    const client = new HttpClient(cluster.url, { localAddress })
    workplace.atEnd(() => client.close())
    return client
  }
  const [guesser, neighbour] = [from('127.0.0.9'), from('127.0.0.8')]
  const allowed: string[] = []
  for (let failure = 0; failure < Number(SIGN_IN_LIMITS.SIGN_IN_FAILURES_PER_ADDRESS); failure += 1)
    allowed.push(await attempt(guesser, `guess-${failure}@benchwatch.example`))
  const refused = await attempt(guesser, 'one-more@benchwatch.example')
  const elsewhere = await attempt(neighbour, 'one-more@benchwatch.example')
  verdict.check('guesses of one address through HAProxy, one more, one from another address', {
    figure: `${tally(allowed)}; ${refused}; ${elsewhere}`,
    goal: 'bad-credentials 20; too-many-requests; bad-credentials',
    passed:
      allowed.every((code) => code === 'bad-credentials') &&
      refused === 'too-many-requests' &&
      elsewhere === 'bad-credentials',
  })
}

/** The same batch to all servers at the same moment. */
async function checkBatches({ verdict, ledger, gateway }: Shared, clients: readonly HttpClient[]): Promise<void> {
  const items = new GatewayItems(gateway, ledger)
  const taken = { accepted: 0, duplicates: 0, refused: 0 }
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const alarms = Array.from({ length: BATCH_ITEMS }, () => items.alarm())
    const ids = alarms.map(({ id }) => id)
    ledger.noteSending(gateway.name, ids)
    const answers = await Promise.all(
      clients.map((client) => sendBatch(client, { gateway: gateway.name, key: gateway.key, items: alarms })),
    )
    for (const answer of answers) {
      if (answer.status !== 200) taken.refused += 1
      else {
        const { accepted, duplicates } = settle(ledger, { gateway: gateway.name, ids, answer })
        taken.accepted += accepted
        taken.duplicates += duplicates
      }
    }
  }
  const once = BATCHES * BATCH_ITEMS
  verdict.check('the same batch to all servers at once: accepted, duplicates, refused', {
    figure: Object.values(taken).join(', '),
    goal: `${once}, ${once * (clients.length - 1)}, 0`,
    passed: taken.accepted === once && taken.duplicates === once * (clients.length - 1),
  })
}

/** Two people claim each of some events at the same moment, over two servers, every other time with the version. */
async function checkRaces({ verdict, cluster, people }: Shared, clients: readonly HttpClient[]): Promise<void> {
  const ids = await withClient(cluster.postgres.url, async (database) => {
    const { rows } = await database.query<{ id: string }>(
      'SELECT id::text FROM service_event WHERE claimed_by IS NULL ORDER BY service_event.id LIMIT $1',
      [RACES],
    )
    return rows.map(({ id }) => id)
  })
  const [anna, bo] = people
  const raced = await raceForEvents(
    [
      { client: next(clients, 1), person: anna },
      { client: next(clients, 3), person: bo },
    ],
    ids,
  )
  verdict.atMost('claims over two servers without one winner and one 412', {
    figure: raced.wrong.length + (ids.length - RACES),
    most: 0,
  })
  verdict.atMost('take-overs over two servers that were not one after the other', {
    figure: raced.wrongTakeovers.length,
    most: 0,
  })
  verdict.atMost('owners that two servers report differently', { figure: raced.disagreements.length, most: 0 })
}

/** An export of each server is read from all others. */
async function checkExports({ verdict, people: [anna] }: Shared, clients: readonly HttpClient[]): Promise<void> {
  let wrong = 0
  for (const [at, client] of clients.entries()) {
    const body = JSON.stringify({ type: 'event', ids: [], mode: 'exclude', details: 'BASIC', filter: {} })
    const made = await client.send({ method: 'POST', path: '/api/export', token: anna.token, body })
    const { url, rows } = jsonOf<{ url: string; rows: number }>(made)
    const others = clients.filter((_, other) => other !== at)
    const files = await Promise.all(others.map((other) => other.send({ method: 'GET', path: url })))
    wrong += files.filter((file) => file.status !== 200 || file.body.split('\r\n').length !== rows + 2).length
  }
  verdict.atMost('exports of one server that another does not serve whole', { figure: wrong, most: 0 })
}

function next(clients: readonly HttpClient[], at: number): HttpClient {
  const client = clients[at % clients.length]
  if (!client) throw new Error('There are no servers.')
  return client
}

function codeOf({ status, body, failure }: Answer): string {
  if (failure !== null) return failure
  return (JSON.parse(body) as { code?: string }).code ?? String(status)
}

function tally(codes: readonly string[]): string {
  return [...Map.groupBy(codes, (code) => code)].map(([code, all]) => `${code} ${all.length}`).join(', ')
}

/** Looks every 20 ms until it is so or the time is over. Returns whether it is. */
async function within(ms: number, isSo: () => boolean): Promise<boolean> {
  const until = Date.now() + ms
  while (!isSo() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
  return isSo()
}
