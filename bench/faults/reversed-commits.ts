import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceEvent } from '@benchwatch/contract/events'
import type { LiveMessage } from '@benchwatch/contract/live'
import { Client } from 'pg'
import { LiveViewer } from './consoles/live-viewer.ts'
import { SimulatedGateway } from './load/gateway-load.ts'
import { openScene, type Scene } from './load/scene.ts'
import { type Answer, type HttpClient, jsonOf } from './product/http-client.ts'
import { runFault } from './script/fault-script.ts'
import type { Workplace } from './script/workplace.ts'

/** Time for a message to travel: several beats of the publisher. */
const TRAVEL_MS = 300

/**
 * Transactions take their places in one order and commit in the other. Whoever reads "everything after the number that I
 * saw" would then miss the late one for ever; here each message must come exactly once, to a console that stays and to
 * one that comes back in between, and changes of one event in the order in which they were made.
 */
await runFault({
  name: 'reversed-commits',
  parameters: { rounds: 40, events: 10 },
  async run({ workplace, verdict, parameters: { rounds, events } }) {
    const scene = await openScene(workplace, { gateways: 1, instrumentsPerGateway: 1 })
    const { product, client, token } = scene
    const staying = watch(workplace, { client, token, reconnectMs: 100 })
    const returning = watch(workplace, { client, token, reconnectMs: 20 })
    await Promise.all([staying.viewer.opened(), returning.viewer.opened()])
    const marks = await reverseOutboxRows({ workplace, scene, rounds, drop: () => returning.viewer.drop() })
    const changes = await reverseClaims({ workplace, scene, rounds, events, drop: () => returning.viewer.drop() })
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
        figure: [...changes].filter(([id, wanted]) => wanted.join() !== (versions.get(id) ?? []).join()).length,
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
  scene: Scene
  rounds: number
  /** Breaks the line of the console that comes back. */
  drop(): void
}

/**
 * Two connections write to the outbox as the product does: the first takes the lower number, the second commits first,
 * and the console that comes back does so between the two commits. Returns the marks of all messages.
 */
async function reverseOutboxRows({ workplace, scene, rounds, drop }: Reversal): Promise<string[]> {
  const [first, second] = [await connect(workplace, scene), await connect(workplace, scene)]
  const marks: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [late, early] = [`reversed-${round}-late`, `reversed-${round}-early`]
    await first.query('BEGIN')
    await announce(first, late)
    await second.query('BEGIN')
    await announce(second, early)
    await second.query('COMMIT')
    // In every other round the early one is published, seen and the line dropped before the late one commits.
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
  // A deletion of an event that never was: no console changes by it, and its number names the message.
  const message = { entity: 'alarm', action: 'delete', property: null, payload: { id: mark, eventId: mark } }
  await client.query(`INSERT INTO live_outbox (customer_id, message) SELECT min(id), $1::jsonb FROM customer`, [
    JSON.stringify(message),
  ])
  await client.query("SELECT pg_notify('live_outbox', '')")
}

/**
 * Claims of events while another connection holds one of the rows: those behind the lock begin first and commit last.
 * Returns the versions that each event went through by them.
 */
async function reverseClaims({
  workplace,
  scene,
  rounds,
  events,
  drop,
}: Reversal & { events: number }): Promise<Map<string, number[]>> {
  const { client, token, fleet, ledger } = scene
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
  const holder = await connect(workplace, scene)
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

/** Versions in which each event was announced as changed, in the order of arrival; one per change. */
function claimVersions(messages: readonly LiveMessage[]): Map<string, number[]> {
  const versions = new Map<string, number[]>()
  for (const message of messages) {
    if (message.entity !== 'alarm' || message.action !== 'update') continue
    const { id, version } = message.payload
    const seen = versions.get(id) ?? []
    // A change of several properties comes as one message for each, with one version.
    if (seen.at(-1) !== version) seen.push(version)
    versions.set(id, seen)
  }
  return versions
}

function markOf(message: LiveMessage): string | undefined {
  return message.entity === 'alarm' && message.action === 'delete' ? message.payload.id : undefined
}

async function connect(workplace: Workplace, { databaseUrl }: Scene): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl() })
  client.on('error', () => undefined)
  await client.connect()
  workplace.atEnd(() => client.end())
  return client
}
