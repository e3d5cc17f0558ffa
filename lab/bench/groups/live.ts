import { closedLoop } from '../../measure/sampling.ts'
import { connectBeside } from '../../product/database.ts'
import { LiveClient } from '../../product/live-client.ts'
import { claimFor, type Fixture, measureTimes, takeNewEvents } from '../fixture.ts'
import { GatewaySender } from '../gateway-sender.ts'
import { goals } from '../goals.ts'

/** Measures the time from a user's click, or an instrument's alarm, to the message on another user's screen. */
export async function measureLive(fixture: Fixture): Promise<void> {
  const screen = await LiveClient.open(fixture.admin)
  const bell = await openBell(fixture)
  const events = await takeNewEvents(fixture.sql, fixture.sampling.samples + 20)
  const sampling = { ...fixture.sampling, samples: Math.min(fixture.sampling.samples, events.length - 12) }
  const change = await claimFor(fixture.sql, fixture.data.logins.all)
  const claim = async (index: number) => {
    const event = events[index]
    const arrived = screen.arrival(
      ({ entity, action, payload }) =>
        entity === 'alarm' && action === 'update' && 'id' in payload && payload.id === String(event),
    )
    await Promise.all([arrived, fixture.clients.all.call('PUT', `/api/alarms/${event}`, change)])
  }
  const gateways = fixture.data.gateways
    .slice(0, 20)
    .map((gateway) => new GatewaySender(fixture.product.baseUrl, gateway))
  const raise = async (index: number) => {
    const sender = gateways[index % gateways.length]
    if (!sender) throw new Error('There is no gateway.')
    // Nothing else sends, so the next new event is this one.
    const arrived = screen.arrival(({ entity, action }) => entity === 'alarm' && action === 'create')
    await Promise.all([arrived, sender.send(sender.alarms(1))])
  }
  for (const { name, work, options } of [
    { name: 'claim → message on another screen', work: claim, options: sampling },
    { name: 'ingest → message that "N new" counts', work: raise, options: fixture.sampling },
  ]) {
    await measureTimes(
      { ...fixture, sampling: options },
      {
        ...{ group: 'live', name, ask: work, goal: goals.live },
        floor: { how: 'NOTIFY to LISTEN on another connection', ask: bell.ring },
      },
    )
  }
  for (const sender of gateways) sender.close()
  screen.close()
  await bell.close()
  await measureCommits(fixture)
}

const CONNECTIONS = 16
const ROUNDS = 3
const ROUND_SECONDS = 4
const change = 'INSERT INTO bench_change DEFAULT VALUES'
const row = (table: string) => `INSERT INTO ${table} (user_id, message) VALUES (0, '{"entity": "bench"}')`
/** A change and a second row: in any table, as a live message, and as one that notifies the leader. */
const commits = {
  without: `WITH told AS (${row('bench_row')}) ${change}`,
  told: `WITH told AS (${row('live_outbox')}) ${change}`,
  notified: `WITH told AS (${row('live_outbox')}), changed AS (${change}) SELECT pg_notify('bench_bell', '')`,
}

/** Measures what announcing a change costs its transaction; the kinds take turns, and the medians count. */
async function measureCommits({ sql, product, report }: Fixture): Promise<void> {
  await sql.query('CREATE TABLE bench_change (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)')
  await sql.query('CREATE TABLE bench_row (LIKE live_outbox INCLUDING ALL)')
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectBeside(product.dataDir)))
  const rates = { without: [] as number[], told: [] as number[], notified: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ['without', 'told', 'notified'] as const) {
      const { times, seconds } = await closedLoop(
        (worker) => clients[worker]?.query(commits[kind]) ?? Promise.resolve(),
        {
          ...{ workers: CONNECTIONS, seconds: ROUND_SECONDS },
        },
      )
      rates[kind].push(times.length / seconds)
    }
  }
  await Promise.all(clients.map((client) => client.end()))
  await sql.query('DROP TABLE bench_change, bench_row')
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const [without, told, notified] = [median(rates.without), median(rates.told), median(rates.notified)]
  report({
    group: 'live',
    name: 'commits with a live message ÷ without, 16 connections',
    unit: '×',
    value: told / without,
    note: `${Math.round(told)} ÷ ${Math.round(without)} a second; with NOTIFY as well ${Math.round(notified)}`,
    goal: goals.announced,
  })
}

async function openBell({
  sql,
  product,
}: Fixture): Promise<{ ring(index: number): Promise<void>; close(): Promise<void> }> {
  const listener = await connectBeside(product.dataDir)
  await listener.query('LISTEN bench_bell')
  return {
    async ring(index) {
      const heard = new Promise<void>((resolve) => {
        listener.once('notification', () => resolve())
      })
      await sql.query(`NOTIFY bench_bell, '${index}'`)
      await heard
    },
    close: () => listener.end(),
  }
}
