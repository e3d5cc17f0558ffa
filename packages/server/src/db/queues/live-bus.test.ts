import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { type NatsServer, startNatsServer } from '../../testing/emulators/nats-server.ts'
import { eventually } from '../../testing/eventually.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { inTransaction } from '../transaction.ts'
import { type LiveBus, postgresBus, subjectsOf } from './live-bus.ts'
import { startLiveFeed } from './live-feed.ts'
import { natsBus } from './nats-bus.ts'
import { type Announcement, announce } from './outbox.ts'
import { publishWaiting } from './publisher.ts'

/** Promises of both buses, then those of NATS alone. Without a NATS server on this machine, only PostgreSQL is tested. */
const hasNats = inject('natsServer') !== null
const log = createLog('silent')
let database: TestDatabase
let nats: NatsServer | undefined
let nodes: Node[] = []

interface Node {
  bus: LiveBus
  /** Numbers of the received messages by the way they came. */
  received: { seq: number; from: 'bus' | 'table'; text: string }[]
  /** The number of messages that were received before each gap. */
  gaps: number[]
  /** Replaces the users who are connected to this node. */
  connectUsers(...users: Parameters<typeof subjectsOf>[0][]): void
  stop(): Promise<void>
}

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await sql`DELETE FROM live_outbox`.execute(database.db)
  await sql`DELETE FROM live_message`.execute(database.db)
  await sql`UPDATE live_sequence SET last_seq = 0`.execute(database.db)
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  nodes = []
  await nats?.close()
  nats = undefined
})

async function startNode(createBus: () => LiveBus | Promise<LiveBus>): Promise<Node> {
  const bus = await createBus()
  const received: Node['received'] = []
  const gaps: number[] = []
  const feed = await startLiveFeed({
    db: database.db,
    bus,
    deliver: (broadcasts, from) => received.push(...broadcasts.map(({ seq, text }) => ({ seq, from, text }))),
    onGap: () => gaps.push(received.length),
    log,
  })
  const node = {
    bus,
    received,
    gaps,
    connectUsers: (...users: Parameters<typeof subjectsOf>[0][]) =>
      bus.listenTo(new Map(users.flatMap(subjectsOf).map((subject) => [subject, 1]))),
    stop: () => feed.stop(),
  }
  node.connectUsers({ userId: 1, scope: 'all' })
  nodes.push(node)
  return node
}
const overNats = (url?: string) => () => natsBus({ url: url ?? nats?.url ?? '', database, log })
/** Starts a node that is connected to NATS and has subscribed. */
async function startNatsNode(...users: Parameters<typeof subjectsOf>[0][]): Promise<Node> {
  const node = await startNode(overNats())
  if (users.length > 0) node.connectUsers(...users)
  await eventually(() => expect(node.bus.degraded()).toEqual([]))
  return node
}

const to = (audience: Announcement['audience'], text = ''): Announcement => ({
  audience,
  message: { entity: 'alarm', action: 'delete', property: null, payload: { id: text, eventId: text } },
})
const write = (...messages: Announcement[]) => inTransaction(database.db, (trx) => announce(trx, messages))
/** Writes messages and publishes them by the bus of this node, as the leader does; returns the last number. */
async function publish(node: Node, ...messages: Announcement[]): Promise<number | undefined> {
  await write(...messages)
  const published = await publishWaiting(database.db)
  if (published) await node.bus.publish(published)
  return published?.last
}
const seqs = (node: Node) => node.received.map(({ seq }) => seq)
/** Publishes until the bus itself brings a message to this node: from then on its subscriptions are known. */
async function untilCarried(leader: Node, node: Node, audience: Announcement['audience']): Promise<void> {
  await eventually(async () => {
    const last = await publish(leader, to(audience))
    await eventually(() => expect(node.received.at(-1)?.seq).toBe(last))
    expect(node.received.at(-1)?.from).toBe('bus')
  })
}
function expectNoGap(node: Node): void {
  const [first = 0] = seqs(node)
  expect(seqs(node)).toEqual(node.received.map((_, index) => first + index))
}
const lastOf = (...some: Node[]) => Math.max(...some.flatMap(seqs))

/** A way to the server whose end can stop reading. */
async function startStallingLine(address: string) {
  const [host = '', port] = address.split(':')
  const lines: Socket[] = []
  const proxy = createServer((near) => {
    const far = createConnection({ host, port: Number(port) })
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.pipe(far).pipe(near)
    far.once('close', () => near.destroy())
    near.once('close', () => far.destroy())
    lines.push(far)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `nats://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** Returns whether the server has cut the line off. */
    stall() {
      let isCut = false
      const far = lines.at(-1)
      far?.unpipe()
      far?.pause()
      // A paused socket does not report that its other end has closed it, but a write to it does.
      const probe = setInterval(() => far?.write('PING\r\n'), 20)
      far?.once('close', () => {
        clearInterval(probe)
        isCut = true
      })
      return () => isCut
    },
    close: () => proxy.close(),
  }
}

const buses = [
  { name: 'PostgreSQL', open: () => postgresBus(database) },
  ...(hasNats ? [{ name: 'NATS', open: overNats() }] : []),
]
describe.each(buses)('with $name as the bus', ({ name, open }) => {
  beforeEach(async () => {
    if (name === 'NATS') nats = await startNatsServer()
  })

  it('every node gets every message once and in order', async () => {
    const [leader, other] = [await startNode(open), await startNode(open)]
    for (let n = 0; n < 20; n += 1) await publish(leader, to({ customerId: n }), to({ userId: 1 }))
    const all = Array.from({ length: 40 }, (_, index) => index + 1)
    await eventually(() => expect([seqs(leader), seqs(other)]).toEqual([all, all]))
  })

  it('a message that the bus lost arrives within two seconds, and before later ones', async () => {
    const node = await startNode(open)
    await write(to({ customerId: 1 }))
    await publishWaiting(database.db)
    await eventually(() => expect(seqs(node)).toEqual([1]))
    await write(to({ customerId: 1 }))
    await publishWaiting(database.db)
    await publish(node, to({ customerId: 1 }))
    await eventually(() => expect(seqs(node)).toEqual([1, 2, 3]))
  })

  it('after a failover every node hears of the gap, and then of later messages alone', async () => {
    const [leader, other] = [await startNode(open), await startNode(open)]
    await publish(leader, to({ customerId: 1 }))
    await eventually(() => expect([seqs(leader), seqs(other)]).toEqual([[1], [1]]))
    await sql`UPDATE live_sequence SET timeline = '0BEF0BEF'`.execute(database.db)
    await publishWaiting(database.db)
    await eventually(() => expect([leader.gaps, other.gaps]).toEqual([[1], [1]]))
    await publish(leader, to({ customerId: 1 }))
    await eventually(() => expect([seqs(leader), seqs(other)]).toEqual(Array(2).fill([1, 1_000_002])))
    expect([leader.gaps, other.gaps]).toEqual([[1], [1]])
  })

  it('more messages than one read brings arrive', async () => {
    const node = await startNode(open)
    await publish(node, ...Array.from({ length: 2500 }, () => to({ customerId: 1 })))
    await eventually(() => expect(seqs(node)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1)))
  })
})

describe.runIf(hasNats)('NATS', () => {
  it('brings a node the messages that its users may see, and no others', async () => {
    nats = await startNatsServer()
    const leader = await startNatsNode()
    const node = await startNatsNode({ userId: 2, scope: [7] })
    const heard: { subject: string; text: string }[] = []
    const { connect } = await import('@nats-io/transport-node')
    const ear = await connect({ servers: nats.address })
    ear.subscribe('>', {
      callback(_error, message) {
        heard.push({ subject: message.subject, text: message.string() })
      },
    })
    await ear.flush()
    await untilCarried(leader, node, { customerId: 7 })
    // Again if the table was just being read, which has the messages for everybody.
    await eventually(async () => {
      await ear.flush()
      heard.length = 0
      node.received.length = 0
      const last = await publish(
        leader,
        ...[to({ customerId: 7 }, 'for 7'), to({ customerId: 8 }, 'secret of 8')],
        ...[to({ userId: 3 }, 'secret of user 3'), to({ userId: 2 }, 'for user 2')],
      )
      await eventually(() => expect(node.received.at(-1)?.seq).toBe(last))
      expect(node.received.map(({ from, text }) => [from, JSON.parse(text).payload.id])).toEqual([
        ['bus', 'for 7'],
        ['bus', 'for user 2'],
      ])
    })
    await ear.flush()
    expect(heard).toHaveLength(5)
    const ofOthers = heard.filter(({ text }) => text.includes('secret'))
    expect(ofOthers.map(({ subject }) => subject.split('.').slice(2).join('.'))).toEqual(['customer.8', 'user.3'])
    await ear.close()
  })

  it('brings a node the messages of a customer as soon as one of its users may see them', async () => {
    nats = await startNatsServer()
    const leader = await startNatsNode()
    const node = await startNatsNode({ userId: 2, scope: [7] })
    await untilCarried(leader, node, { customerId: 7 })
    node.connectUsers({ userId: 2, scope: [8] })
    // The subscription has not reached the server yet: the table has the message.
    await publish(leader, to({ customerId: 8 }, 'first'))
    await eventually(() => expect(node.received.at(-1)?.text).toContain('first'))
    await untilCarried(leader, node, { customerId: 8 })
    await eventually(async () => {
      node.received.length = 0
      await publish(leader, to({ customerId: 7 }, 'no longer'))
      const last = await publish(leader, to({ customerId: 8 }, 'second'))
      await eventually(() => expect(node.received.at(-1)?.seq).toBe(last))
      expect(node.received.map(({ text }) => JSON.parse(text).payload.id)).toEqual(['second'])
    })
  })

  it('is replaced by the table while it is away, and carries messages again when it is back', async () => {
    nats = await startNatsServer()
    const [leader, node] = [await startNatsNode(), await startNatsNode()]
    await untilCarried(leader, node, { customerId: 1 })
    await nats.kill()
    await eventually(() => expect([leader.bus.degraded(), node.bus.degraded()]).toEqual([['nats'], ['nats']]))
    node.received.length = 0
    await publish(leader, to({ customerId: 1 }, 'meanwhile'))
    await eventually(() => expect(node.received).toMatchObject([{ from: 'table' }]))
    await nats.start()
    await eventually(() => expect([leader.bus.degraded(), node.bus.degraded()]).toEqual([[], []]))
    await untilCarried(leader, node, { customerId: 1 })
    expectNoGap(node)
  })

  it('may be away when the server starts', async () => {
    nats = await startNatsServer()
    await nats.kill()
    const node = await startNode(overNats())
    await publish(node, to({ customerId: 1 }))
    await eventually(() => expect(node.received).toMatchObject([{ seq: 1, from: 'table' }]))
    expect(node.bus.degraded()).toEqual(['nats'])
    await nats.start()
    await eventually(() => expect(node.bus.degraded()).toEqual([]))
  })

  it('cuts off a node that reads too slowly, which then misses nothing', async () => {
    nats = await startNatsServer('write_deadline: "100ms"')
    const line = await startStallingLine(nats.address)
    const leader = await startNatsNode({ userId: 1, scope: [] })
    const node = await startNode(overNats(line.url))
    await eventually(() => expect(node.bus.degraded()).toEqual([]))
    await untilCarried(leader, node, { customerId: 1 })
    const isCut = line.stall()
    // The buffers of both sockets take some megabytes.
    const long = Array.from({ length: 5 }, (_, index) => to({ customerId: index }, 'x'.repeat(80_000)))
    while (!isCut()) await publish(leader, ...long)
    await eventually(() => expect(node.bus.degraded()).toEqual([]))
    await untilCarried(leader, node, { customerId: 1 })
    expectNoGap(node)
    line.close()
  })

  it('leaves messages that are too long for it to the table', async () => {
    nats = await startNatsServer('max_payload: 32KB')
    const [leader, node] = [await startNatsNode(), await startNatsNode()]
    await untilCarried(leader, node, { customerId: 1 })
    node.received.length = 0
    await publish(leader, to({ customerId: 1 }, 'x'.repeat(40_000)))
    await eventually(() => expect(node.received).toMatchObject([{ from: 'table' }]))
  })

  it.each([
    ['a user and a password', 'user: anna, password: "p@ss"', 'anna:p%40ss', 'anna:wrong'],
    ['a token', 'token: "s3cret"', 's3cret', 'guess'],
  ])('is signed in to with %s', async (_what, authorization, right, wrong) => {
    nats = await startNatsServer(`authorization { ${authorization} }`)
    const node = await startNode(overNats(`nats://${right}@${nats.address}`))
    const stranger = await startNode(overNats(`nats://${wrong}@${nats.address}`))
    await eventually(() => expect(node.bus.degraded()).toEqual([]))
    await untilCarried(node, node, { customerId: 1 })
    await eventually(() => expect(lastOf(stranger)).toBe(lastOf(node)))
    expect(stranger.bus.degraded()).toEqual(['nats'])
  })
})
