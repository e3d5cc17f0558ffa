import type { Client } from 'pg'
import { processorMsOf, processTree } from '../../faults/product/process-tree.ts'
import { copyLines } from '../../generate/copy-lines.ts'
import { FIRST_ID } from '../../generate/event-rows.ts'
import type { Goal } from '../../measure/measure.ts'
import { summarise } from '../../measure/percentiles.ts'
import { closedLoop } from '../../measure/sampling.ts'
import { connectBeside } from '../../product/database.ts'
import type { Fixture } from '../fixture.ts'
import { GatewaySender } from '../gateway-sender.ts'
import { goals } from '../goals.ts'

/** Every way of sending is measured this often, in turns; the median counts. */
const ROUNDS = 3
const ROUND_SECONDS = 5
const FLOOR_ROWS = 20_000

interface Way {
  name: string
  connections: number
  batch: number
  goal: Goal
  floor: 'single' | 'unnest'
}

const ways: readonly Way[] = [
  { name: 'ingest, single, 16 connections', connections: 16, batch: 1, goal: goals.ingestSingle, floor: 'single' },
  {
    name: 'ingest, batches of 100, 4 connections',
    connections: 4,
    batch: 100,
    goal: goals.ingestBatch,
    floor: 'unnest',
  },
  {
    name: 'ingest, batches of 500, 4 connections',
    connections: 4,
    batch: 500,
    goal: goals.ingestBatch,
    floor: 'unnest',
  },
]

/**
 * Measures new alarms per second that are acknowledged and so committed. Each connection sends for its own gateways.
 */
export async function measureIngest(fixture: Fixture): Promise<void> {
  const rates = new Map<string, number[]>()
  const times = new Map<string, number[]>()
  const processorTimes = new Map<string, number[]>()
  const note = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate])
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) {
      const run = await send(fixture, way)
      note(way.name, run.rate)
      times.set(way.name, [...(times.get(way.name) ?? []), ...run.times])
      processorTimes.set(way.name, [...(processorTimes.get(way.name) ?? []), run.processorMs])
    }
    note('single', await singleInserts(fixture))
    note('unnest', await unnestInserts(fixture.sql))
    note('copy', await copied(fixture.sql))
  }
  for (const { name, goal, floor } of ways) {
    const { p50, p95 } = summarise(times.get(name) ?? [])
    fixture.report({
      group: 'ingest',
      name,
      unit: 'events/s',
      value: middle(rates.get(name)),
      note: `request p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms; rounds ${rounds(rates.get(name))}`,
      floor: {
        value: middle(rates.get(floor)),
        how: floor === 'single' ? '16 connections, one INSERT each' : 'one connection, INSERT from unnest of 500',
      },
      goal,
    })
    fixture.report({
      ...{ group: 'ingest', name: `${name}, processor time of an event`, unit: 'ms' },
      value: middle(processorTimes.get(name)),
      note: 'server and database',
    })
  }
  fixture.report({
    group: 'ingest',
    name: 'COPY into the same table, one connection',
    unit: 'events/s',
    value: middle(rates.get('copy')),
    note: `no product; rounds ${rounds(rates.get('copy'))}`,
  })
}

async function send(
  { data, product }: Fixture,
  { connections, batch }: Way,
): Promise<{ rate: number; times: number[]; processorMs: number }> {
  // Each worker has its own gateways and takes them in turn.
  const lanes = Array.from({ length: connections }, (_, worker) =>
    data.gateways
      .filter((_gateway, index) => index % connections === worker)
      .slice(0, 12)
      .map((gateway) => new GatewaySender(product.baseUrl, gateway)),
  )
  const turns = lanes.map(() => 0)
  const next = (worker: number) => {
    const lane = lanes[worker] ?? []
    const turn = turns[worker] ?? 0
    turns[worker] = turn + 1
    const sender = lane[turn % lane.length]
    if (!sender) throw new Error('There are fewer gateways than connections.')
    return sender
  }
  const work = (worker: number) => {
    const sender = next(worker)
    return sender.send(sender.alarms(batch))
  }
  await closedLoop(work, { workers: connections, seconds: 0.5 })
  const before = usedByTree(product.pid)
  const { times, seconds } = await closedLoop(work, { workers: connections, seconds: ROUND_SECONDS })
  const used = usedByTree(product.pid) - before
  for (const sender of lanes.flat()) sender.close()
  const events = times.length * batch
  return { rate: events / seconds, times, processorMs: used / events }
}

/** Returns the processor time of the server and of the database that it started, in milliseconds. */
function usedByTree(pid: number): number {
  return processorMsOf(processTree(pid))
}

// The floors write copies of stored events with new ids, so row sizes and indexes are the same.
const columns = `created_at, log_generated_at, cleared_at, alert_id, template_id, severity, alert_type, alert_status,
  description, user_message, text_folded, instrument_id, component_id, gateway_id, site_id, customer_id, full_support,
  last_action_at`
const copyOf = `now(), now(), now(), alert_id, template_id, severity, alert_type, 3, description, user_message, text_folded,
  instrument_id, component_id, gateway_id, site_id, customer_id, full_support, now()`

async function singleInserts({ product, data }: Fixture): Promise<number> {
  const clients = await Promise.all(Array.from({ length: 16 }, () => connectBeside(product.dataDir)))
  let row = 0
  const { times, seconds } = await closedLoop(
    (worker) =>
      (clients[worker] as Client).query(
        `INSERT INTO service_event (${columns}) SELECT ${copyOf} FROM service_event WHERE id = $1 AND NOT is_edge_issue`,
        [FIRST_ID + ((row++ * 7919) % data.events)],
      ),
    { workers: 16, seconds: ROUND_SECONDS / 2 },
  )
  await Promise.all(clients.map((client) => client.end()))
  return times.length / seconds
}

interface Template {
  alert_id: string
  template_id: string
  description: string
  text_folded: string
  instrument_id: number
  component_id: number
  gateway_id: number
  site_id: number
  customer_id: number
}

/** Reads rows into memory. */
async function someEvents(sql: Client): Promise<Template[]> {
  const { rows } = await sql.query<Template>(
    `SELECT alert_id, template_id, description, text_folded, instrument_id, component_id, gateway_id, site_id, customer_id
     FROM service_event WHERE NOT is_edge_issue ORDER BY id DESC LIMIT ${FLOOR_ROWS}`,
  )
  return rows
}

const given = [
  ...(['alert_id', 'template_id', 'description', 'text_folded'] as const),
  ...(['instrument_id', 'component_id', 'gateway_id', 'site_id', 'customer_id'] as const),
]

async function unnestInserts(sql: Client): Promise<number> {
  const events = await someEvents(sql)
  const types = given.map((name, index) => `$${index + 1}::${name.endsWith('_id') && index > 3 ? 'int' : 'text'}[]`)
  const start = performance.now()
  for (let at = 0; at < events.length; at += 500) {
    const batch = events.slice(at, at + 500)
    await sql.query(
      `INSERT INTO service_event (created_at, log_generated_at, cleared_at, last_action_at, severity, alert_type,
         alert_status, full_support, ${given.join(', ')})
       SELECT now(), now(), now(), now(), 2, 1, 3, false, * FROM unnest(${types.join(', ')})`,
      given.map((name) => batch.map((event) => event[name])),
    )
  }
  return (events.length * 1000) / (performance.now() - start)
}

async function copied(sql: Client): Promise<number> {
  const events = await someEvents(sql)
  const now = new Date()
  const start = performance.now()
  await copyLines(
    sql,
    {
      table: 'service_event',
      columns: [
        ...['created_at', 'log_generated_at', 'cleared_at', 'last_action_at', 'severity', 'alert_type'],
        ...['alert_status', 'full_support', ...given],
      ],
    },
    events.map((event) => [now, now, now, now, 2, 1, 3, false, ...given.map((name) => event[name])]),
  )
  return (events.length * 1000) / (performance.now() - start)
}

function middle(values: readonly number[] = []): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function rounds(values: readonly number[] = []): string {
  return values.map((value) => Math.round(value)).join(', ')
}
