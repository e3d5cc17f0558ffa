import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { WebSocket } from 'ws'
import { UsageError } from './arguments.ts'
import { hasNats, startNats } from './cluster/nats-process.ts'
import { ExternalPostgres } from './faults/product/external-postgres.ts'
import { processorMsOf, residentBytes } from './faults/product/process-tree.ts'
import { Product } from './faults/product/product.ts'
import { Workplace } from './faults/script/workplace.ts'
import { describeMachine } from './measure/machine.ts'
import { summarise } from './measure/percentiles.ts'
import { withClient } from './product/database.ts'

const USAGE = `Usage: npm run lab -- consoles [--consoles 10000] [--servers 4] [--customers 100] [--rate 50] [--seconds 20] [--bus postgresql|nats]
Measures the time from a commit to its live message on many consoles, with both buses or one of them.
--customers  of which each console's user sees one
--rate       messages per second, each for one customer`

const defaults = { consoles: '10000', servers: '4', customers: '100', rate: '50', seconds: '20' }
/** Sockets of this program while consoles connect. */
const AT_ONCE = 50
const METRICS_TOKEN = 'token-of-the-lab'
const REST_MS = 10_000
/** The number of the message within its text. */
const NUMBER = /"eventId": ?"(\d+)"/

type Size = Record<keyof typeof defaults, number>

/** Measures both buses one after the other, each with servers, database and consoles of its own. */
export async function runConsoles(args: readonly string[]): Promise<void> {
  const { size, buses } = readArguments(args)
  const machine = describeMachine()
  console.log(`${machine.cpu}, ${machine.cores} cores, load ${machine.load}, commit ${machine.commit}`)
  console.log(
    `${size.consoles} consoles of ${size.customers} customers on ${size.servers} servers, ${size.rate} messages/s`,
  )
  for (const bus of buses) {
    const workplace = new Workplace(`consoles-${bus}`)
    try {
      await measure(workplace, { size, bus })
    } finally {
      await workplace.end()
    }
  }
}

function readArguments(args: readonly string[]): { size: Size; buses: readonly string[] } {
  const names = Object.keys(defaults) as (keyof Size)[]
  try {
    const options = Object.fromEntries([...names, 'bus'].map((name) => [name, { type: 'string' as const }]))
    const given: Record<string, string | undefined> = parseArgs({ args: [...args], options }).values
    const size = Object.fromEntries(names.map((name) => [name, Number(given[name] ?? defaults[name])])) as Size
    if (Object.values(size).some((number) => !Number.isInteger(number) || number < 1))
      throw new Error('Give whole numbers.')
    const all = hasNats() ? ['postgresql', 'nats'] : ['postgresql']
    const buses = given.bus === undefined ? all : all.filter((bus) => bus === given.bus)
    if (buses.length === 0) throw new Error(`The bus ${given.bus} cannot be measured on this machine.`)
    return { size, buses }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`, { cause: error })
  }
}

async function measure(workplace: Workplace, { size, bus }: { size: Size; bus: string }): Promise<void> {
  const postgres = await ExternalPostgres.start(workplace)
  const nats = bus === 'nats' ? await startNats(workplace) : null
  const env = {
    EVENT_INDEX: 'off',
    DATABASE_POOL_SIZE: '6',
    GATEWAY_SILENCE_SECONDS: '0',
    METRICS_TOKEN,
    ...(nats && { NATS_URL: nats.url }),
  }
  const servers: Product[] = []
  for (let index = 0; index < size.servers; index += 1)
    servers.push(
      await Product.start(workplace, {
        databaseUrl: postgres.url,
        env,
        dataDir: join(workplace.folder, String(index)),
      }),
    )
  await withClient(postgres.url, async (database) => {
    const customers = await addUsers(database, size)
    const crowd = await openConsoles(workplace, { servers, size })
    const usage = () => ({
      servers: processorMsOf(servers.map(({ life }) => life.pid)),
      postgres: processorMsOf(postgres.pids),
      nats: processorMsOf(nats ? [nats.pid] : []),
    })
    const spent = async (work: () => Promise<unknown>) => {
      const before = usage()
      await work()
      const after = usage()
      return {
        servers: after.servers - before.servers,
        postgres: after.postgres - before.postgres,
        nats: after.nats - before.nats,
      }
    }
    await pause(2000)
    const rest = await spent(() => pause(REST_MS))
    console.log(
      `\n${bus}\n  at rest, of a core: servers ${share(rest.servers)}, PostgreSQL ${share(rest.postgres)}, NATS ${share(rest.nats)}`,
    )
    const messages = size.rate * size.seconds
    const expected = crowd.perCustomer.reduce((sum, count, at) => sum + count * timesOf(at, { messages, size }), 0)
    const busy = await spent(async () => {
      await publish(database, { customers, crowd, size })
      for (let waited = 0; crowd.times.length < expected && waited < 15_000; waited += 100) await pause(100)
    })
    const { p50, p95, p99, max } = summarise(crowd.times)
    const ways = await Promise.all(servers.map(({ url }) => batchesOf(url)))
    const ms = (used: number) => `${(used / messages).toFixed(2)} ms`
    console.log(
      [
        `  commit → console: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${max.toFixed(0)} ms`,
        `  arrived ${crowd.times.length} of ${expected}, to others ${crowd.wrong}`,
        `  batches by their way to the servers: ${ways.join('; ')}`,
        `  processor time of a message: servers ${ms(busy.servers)}, PostgreSQL ${ms(busy.postgres)}, NATS ${ms(busy.nats)}`,
        `  memory of a server: ${servers.map(({ life }) => Math.round((residentBytes(life.pid) ?? 0) / 1e6)).join(', ')} MB`,
      ].join('\n'),
    )
  })
}

/** Returns how many batches of live messages came to a server by the bus and how many from the table. */
async function batchesOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const counts = [...(await answer.text()).matchAll(/^benchwatch_live_batches_total\{from="(\w+)"\} (\d+)$/gm)]
  return counts.map(([, from, count]) => `${from} ${count}`).join(', ')
}

/** Returns how many of the messages are about this customer: they take turns. */
function timesOf(customer: number, { messages, size }: { messages: number; size: Size }): number {
  return Math.floor(messages / size.customers) + (customer < messages % size.customers ? 1 : 0)
}

function share(used: number): string {
  return `${((used / REST_MS) * 100).toFixed(1)} %`
}

/** Adds customers, and for each console a user of one of them with a session and a live token. Returns the customers. */
async function addUsers(database: Client, { consoles, customers }: Size): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO customer (key, name, name_folded) SELECT 'c' || n, 'c' || n, 'c' || n FROM generate_series(1, $1) AS n
     RETURNING id`,
    [customers],
  )
  const ids = rows.map(({ id }) => id)
  await database.query(
    `WITH added AS (
       INSERT INTO app_user (login, email, role) SELECT 'u' || n, '', 'customer' FROM generate_series(0, $1 - 1) AS n
       RETURNING id, substr(login, 2)::int AS n),
     scoped AS (INSERT INTO user_customer SELECT id, ($2::int[])[1 + n % $3] FROM added),
     opened AS (
       INSERT INTO session (user_id, refresh_hash, last_activity_at) SELECT id, sha256(('r' || n)::bytea), now() FROM added
       RETURNING id, user_id)
     INSERT INTO live_token (token_hash, session_id, expires_at)
     SELECT sha256(('t' || n)::bytea), o.id, now() + interval '1 hour' FROM opened o JOIN added a ON a.id = o.user_id`,
    [consoles, ids, customers],
  )
  return ids
}

interface Crowd {
  /** Times from the commit to a console, in milliseconds. */
  times: number[]
  /** Messages to consoles of other customers. */
  wrong: number
  /** Number of consoles by customer. */
  perCustomer: number[]
  /** Times of the commits by the number of the message. */
  committedAt: number[]
}

async function openConsoles(
  workplace: Workplace,
  { servers, size }: { servers: readonly Product[]; size: Size },
): Promise<Crowd> {
  const crowd: Crowd = {
    times: [],
    wrong: 0,
    perCustomer: Array.from({ length: size.customers }, () => 0),
    committedAt: [],
  }
  const sockets: WebSocket[] = []
  workplace.atEnd(() => {
    for (const socket of sockets) socket.terminate()
  })
  const open = (index: number) =>
    new Promise<void>((opened, failed) => {
      const customer = index % size.customers
      // The customers' consoles are spread over all servers.
      const server = servers[Math.floor(index / size.customers) % servers.length]
      const socket = new WebSocket(`${server?.url.replace('http', 'ws')}/api/live?token=t${index}`, {
        perMessageDeflate: false,
      })
      socket.on('error', failed)
      socket.on('close', (code) => failed(new Error(`A console was closed with ${code}.`)))
      socket.once('message', () => {
        crowd.perCustomer[customer] = (crowd.perCustomer[customer] ?? 0) + 1
        opened()
        socket.on('message', (data: Buffer) => {
          const at = performance.now()
          const number = Number(NUMBER.exec(data.toString())?.[1])
          if (number % size.customers !== customer) crowd.wrong += 1
          // A console may get the message before this program learns of the commit.
          crowd.times.push(Math.max(0, at - (crowd.committedAt[number] ?? at)))
        })
      })
      sockets.push(socket)
    })
  for (let from = 0; from < size.consoles; from += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, size.consoles - from) }, (_, at) => open(from + at)))
  return crowd
}

/** Writes one message after the other, as a change does in its transaction. */
async function publish(
  database: Client,
  { customers, crowd, size }: { customers: readonly number[]; crowd: Crowd; size: Size },
): Promise<void> {
  const began = performance.now()
  for (let number = 0; number < size.rate * size.seconds; number += 1) {
    await pause(Math.max(0, began + (number * 1000) / size.rate - performance.now()))
    const payload = { id: String(number), eventId: String(number), description: 'x'.repeat(500) }
    await database.query('INSERT INTO live_outbox (customer_id, message) VALUES ($1, $2)', [
      customers[number % size.customers],
      JSON.stringify({ entity: 'alarm', action: 'delete', property: null, payload }),
    ])
    crowd.committedAt[number] = performance.now()
  }
}
