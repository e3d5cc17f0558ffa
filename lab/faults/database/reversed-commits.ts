import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { LiveMessage } from '@benchwatch/contract/live'
import { Client } from 'pg'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { type Fixture, openFixture } from '../load/fixture.ts'
import { SimulatedGateway } from '../load/gateway-load.ts'
import { type Answer, type HttpClient, jsonOf } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'
import type { Workplace } from '../script/workplace.ts'

/** Enough time for a message to arrive: several intervals of the publisher. */
const TRAVEL_MS = 300

/**
 * Transactions take their sequence numbers in one order and commit in the other. A reader of "everything after the last
 * number I saw" would then miss the late one for ever. Here each message must arrive exactly once, at a console that
 * stays connected and at one that reconnects in between, and the changes of one event in the order in which they were
 * made.
 */
await runFault({
  name: 'reversed-commits',
  parameters: { rounds: 40, events: 10 },
  async run({ workplace, verdict, parameters: { rounds, events } }) {
    const fixture = await openFixture(workplace, { gateways: 1, instrumentsPerGateway: 1 })
    const { product, client, token } = fixture
    const staying = watch(workplace, { client, token, reconnectMs: 100 })
    const returning = watch(workplace, { client, token, reconnectMs: 20 })
    await Promise.all([staying.viewer.opened(), returning.viewer.opened()])
    const marks = await reverseOutboxRows({ workplace, fixture, rounds, drop: () => returning.viewer.drop() })
    const changes = await reverseClaims({ workplace, fixture, rounds, events, drop: () => returning.viewer.drop() })
    await pause(3000)

    for (const [name, { messages, viewer }] of Object.entries({ staying, returning })) {
      const seenMarks = messages.flatMap((message) => markOf(message) ?? [])
      verdict.atMost(`${name}: messages of reversed rows that never came`, {
        figure: marks.filter((mark) => !seenMarks.includes(mark)).length,
        most: 0,
      })
      verdict.atMost(`${name}: that came twice`, { figure: seenMarks.length - new Set(seenMarks).size, most: 0 })
      verdict.atMost(`${name}: numbers that did not grow`, { figure: viewer.disordered, most: 0 })
      verdict.atMost(`${name}: resyncs`, { figure: viewer.resyncs, most: 0 })
      verdict.figure(`${name}: connections`, viewer.connections)
      const versions = claimVersions(messages)
      verdict.atMost(`${name}: events whose changes did not come once each and in order`, {
        figure: [...changes].filter(([id, expected]) => expected.join() !== (versions.get(id) ?? []).join()).length,
        most: 0,
      })
    }
    verdict.figure('reversed pairs of rows', marks.length / 2)
    verdict.figure(
      'changes of events',
      [...changes.values()].reduce((sum, versions) => sum + versions.length, 0),
    )
    verdict.memory(product.peakRss)
  },
})

interface Watched {
  viewer: LiveViewer
  messages: LiveMessage[]
}

function watch(workplace: Workplace, options: { client: HttpClient; token: string; reconnectMs: number }): Watched {
  const messages: LiveMessage[] = []
  const viewer = new LiveViewer({ ...options, onMessage: ({ message }) => messages.push(message) })
  workplace.atEnd(() => viewer.stop())
  return { viewer, messages }
}

interface Reversal {
  workplace: Workplace
  fixture: Fixture
  rounds: number
  /** Breaks the connection of the console that reconnects. */
  drop(): void
}

/**
 * Writes to the outbox from two connections as the product does: the first takes the lower number, the second commits
 * first, and the console reconnects between the two commits. Returns the marks of all messages.
 */
async function reverseOutboxRows({ workplace, fixture, rounds, drop }: Reversal): Promise<string[]> {
  const [first, second] = [await connect(workplace, fixture), await connect(workplace, fixture)]
  const marks: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [late, early] = [`reversed-${round}-late`, `reversed-${round}-early`]
    await first.query('BEGIN')
    await announce(first, late)
    await second.query('BEGIN')
    await announce(second, early)
    await second.query('COMMIT')
    // In every other round the early one is published and seen, and the connection is dropped, before the late one
    // commits.
    if (round % 2 === 0) await pause(TRAVEL_MS)
    if (round % 4 < 2) drop()
    if (round % 3 === 0) await pause(TRAVEL_MS)
    await first.query('COMMIT')
    marks.push(late, early)
  }
  await pause(TRAVEL_MS)
  return marks
}

async function announce(client: Client, mark: string): Promise<void> {
  // Deletes an event that never existed: no console changes, and its number identifies the message.
  const message = { entity: 'alarm', action: 'delete', property: null, payload: { id: mark, eventId: mark } }
  await client.query(`INSERT INTO live_outbox (customer_id, message) SELECT min(id), $1::jsonb FROM customer`, [
    JSON.stringify(message),
  ])
}

/**
 * Claims events while another connection locks one of the rows: the claims behind the lock begin first and commit last.
 * Returns the versions that each event went through.
 */
async function reverseClaims({
  workplace,
  fixture,
  rounds,
  events,
  drop,
}: Reversal & { events: number }): Promise<Map<string, number[]>> {
  const { client, token, fleet, ledger } = fixture
  const [registered] = fleet.gateways
  if (!registered) throw new Error('No gateway was registered.')
  const gateway = new SimulatedGateway(registered, { client, ledger })
  workplace.atEnd(() => gateway.stop())
  gateway.push(...Array.from({ length: events }, () => gateway.items.alarm()))
  while (gateway.waiting > 0) await pause(20)
  const { values } = jsonOf<{ values: { alarm: ServiceEvent }[] }>(
    await client.send({ method: 'POST', path: `/api/alarms?limit=${events}`, token, body: '{"filter":{}}' }),
  )
  const me = jsonOf<{ id: string }>(await client.send({ method: 'GET', path: '/api/users/me', token })).id
  const ids = values.map(({ alarm }) => alarm.id)
  const changes = new Map<string, number[]>(ids.map((id) => [id, []]))
  const holder = await connect(workplace, fixture)
  const change = (id: string, body: object) =>
    client.send({ method: 'PUT', path: `/api/alarms/${id}`, token, body: JSON.stringify(body) })
  const note = (id: string, answer: Answer) => {
    const { version } = jsonOf<ServiceEvent>(answer)
    const versions = changes.get(id)
    if (versions && versions.at(-1) !== version) versions.push(version)
  }
  for (const id of ids) note(id, await change(id, { claimedBy: me }))
  for (const id of ids) note(id, await change(id, { alertStatus: 'CLOSED', reasonClosed: 'No action required' }))
  for (let round = 0; round < rounds; round += 1) {
    const [held, free] = [ids[round % ids.length], ids[(round + 1) % ids.length]]
    if (held === undefined || free === undefined) throw new Error('At least two events are needed.')
    await holder.query('BEGIN')
    await holder.query('SELECT 1 FROM service_event WHERE id = $1 FOR UPDATE', [held])
    const waiting = change(held, { reasonClosedComment: `round ${round}, held` })
    note(free, await change(free, { reasonClosedComment: `round ${round}, free` }))
    if (round % 3 === 0) drop()
    await holder.query('COMMIT')
    note(held, await waiting)
  }
  return changes
}

/** Returns the versions in which each event was announced as changed, in the order of arrival, one for each change. */
function claimVersions(messages: readonly LiveMessage[]): Map<string, number[]> {
  const versions = new Map<string, number[]>()
  for (const message of messages) {
    if (message.entity !== 'alarm' || message.action !== 'update') continue
    const { id, version } = message.payload
    const seen = versions.get(id) ?? []
    // A change of several properties is sent as one message for each, all with the same version.
    if (seen.at(-1) !== version) seen.push(version)
    versions.set(id, seen)
  }
  return versions
}

function markOf(message: LiveMessage): string | undefined {
  return message.entity === 'alarm' && message.action === 'delete' ? message.payload.id : undefined
}

async function connect(workplace: Workplace, { databaseUrl }: Fixture): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl() })
  client.on('error', () => undefined)
  await client.connect()
  workplace.atEnd(() => client.end())
  return client
}
