import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { type CloseReason, personCloseReasons } from '@benchwatch/contract/vocabulary'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import { sql } from 'kysely'
import { readConfig } from '../config.ts'
import type { Db, Trx } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { deleteEvents } from '../features/deletions/deletions.service.ts'
import type { NewServiceEvent } from '../features/events/change-record.ts'
import { changeServiceEvent } from '../features/events/events.service.ts'
import { insertServiceEvents } from '../features/events/events.store.ts'
import { lockInstruments } from '../features/ingest/inbox.store.ts'
import { storeBatches } from '../features/ingest/ingest.service.ts'
import { readItems } from '../features/ingest/read-items.ts'
import { dayAt, isFullSupport } from '../features/registry/full-support.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { type BusyFleet, changeContract, changeSite, moveInstrument, renameCustomer, someStatus } from './busy-fleet.ts'
import { descriptions, userMessages } from './event-fixture.ts'
import { type GatewayItems, gatewayItems } from './gateway-items.ts'

/**
 * Concurrent writers that do everything that changes search results: raise, repeat and clear through ingest, insert,
 * roll back, claim, close, delete, move instruments, change contracts.
 */
export interface Writers {
  /** Number of times each action was done. */
  actions: Readonly<Record<Action, number>>
  /**
   * Lets the writers do so many more actions, together. Without a limit they would take the time of the reader, and the
   * slower the machine, the more of them a test would pay for.
   */
  allow(actions: number): void
  /** Lets each writer finish its current action. Throws the error of any writer. */
  stop(): Promise<void>
}

export type Action = keyof typeof weights

const weights = {
  ingest: 5,
  insert: 4,
  giveUp: 2,
  change: 9,
  mail: 1,
  deleteEvents: 1,
  moveInstrument: 2,
  changeContract: 2,
  changeSite: 1,
  renameCustomer: 1,
}

interface WritersInput {
  fleet: BusyFleet
  seed: string
  /** Concurrent loops; the database needs as many connections. */
  writers: number
  now: Date
  /** With this many events, the writers only change events. */
  maxEvents: number
}

interface ActionContext {
  db: Db
  fleet: BusyFleet
  random: SeededRandom
  /** Outboxes by gateway; each writer has its own outbox lifetime for each gateway. */
  outboxes: Map<string, GatewayItems>
  life: string
  now: Date
  count(events: number): void
}

export function startWriters(db: Db, { fleet, seed, writers, now, maxEvents }: WritersInput): Writers {
  const counts = Object.fromEntries(Object.keys(weights).map((action) => [action, 0])) as Record<Action, number>
  let isStopping = false
  let allowed = 0
  let allowance = Promise.withResolvers<void>()
  let events = 0
  const write = async (life: string) => {
    const random = seededRandom(`${seed}/${life}`)
    const outboxes = new Map<string, GatewayItems>()
    const count = (more: number) => {
      events += more
    }
    while (!isStopping) {
      if (allowed === 0) {
        await allowance.promise
        continue
      }
      allowed -= 1
      const mayInsert = events < maxEvents
      const action = random.weighted(Object.keys(weights) as Action[], (one) =>
        mayInsert || (one !== 'ingest' && one !== 'insert') ? weights[one] : 0,
      )
      const isDone = await actions[action]({ db, fleet, random, outboxes, life, now, count }).then(
        () => true,
        (error: unknown) => {
          // The others have kept the registry busy for longer than a registration waits.
          if (error instanceof ProblemError && error.code === 'unavailable') return false
          throw error
        },
      )
      if (isDone) counts[action] += 1
    }
  }
  const allow = (actions: number) => {
    allowed += actions
    allowance.resolve()
    allowance = Promise.withResolvers()
  }
  const running = Promise.all(Array.from({ length: writers }, (_, index) => write(`w${seed}-${index}`)))
  // stop() reports the error; until then the other writers continue.
  running.catch(() => undefined)
  return {
    actions: counts,
    allow,
    async stop() {
      isStopping = true
      allow(0)
      await running
    },
  }
}

const actions: Record<Action, (context: ActionContext) => Promise<unknown>> = {
  ingest,
  insert,
  giveUp,
  change,
  mail,
  deleteEvents: takeOut,
  moveInstrument,
  changeContract,
  changeSite,
  renameCustomer,
}

const MINUTE_MS = 60_000

const spans: { days: [number, number]; weight: number }[] = [
  { days: [-3, 0], weight: 4 },
  { days: [-40, 0], weight: 1 },
  { days: [-1 / 12, 0], weight: 1 },
  { days: [0, 1], weight: 1 },
]

/**
 * Multiples of ten minutes, so that many are equal and hourly rules meet their exact instant; some a few milliseconds
 * later, so that ends of ranges have close neighbours; some from a clock that is ahead.
 */
function someInstant(random: SeededRandom, around: Date): Date {
  const [from, to] = random.weighted(spans, ({ weight }) => weight).days
  const at = around.getTime() + random.between(from, to) * 1440 * MINUTE_MS
  return new Date(Math.floor(at / (10 * MINUTE_MS)) * 10 * MINUTE_MS + random.pick([0, 0, 1, 2, 2500]))
}

const templates = ['P9B-1042', 'P9-B-7', 'UV-100']
const components = ['Pump A (P9-A)', 'Pump B (P9-B)', 'Mixer', 'Valve V_1 (V9)', 'pH-Sonde Ø (C9)']

const runs = [null, 'Lot 7', 'B-2026/11 %', 'mAb; 14']

/** Ingests a batch of one gateway or of two at once, as when requests are stored together. */
async function ingest({ db, fleet, random, outboxes, life, now, count }: ActionContext): Promise<void> {
  const batches = []
  for (const gateway of new Set([random.pick(fleet.gateways), random.pick(fleet.gateways)])) {
    const outbox = outboxes.get(gateway.name) ?? gatewayItems(life, now, gateway.name)
    outboxes.set(gateway.name, outbox)
    const behind = await db
      .selectFrom('instrument')
      .where('gateway_id', '=', gateway.id)
      .select('installed_product_id')
      .execute()
    if (behind.length === 0) continue
    const items = Array.from({ length: random.integer(1, 6) }, () => {
      const envelope = { subject: random.pick(behind).installed_product_id }
      const alertId = `alert-${random.integer(1, 9)}`
      if (random.chance(0.2)) return outbox.status(someStatus(random), envelope, random.pick(runs))
      if (random.chance(0.3)) return outbox.cleared(alertId, envelope)
      const raised = {
        alertId,
        templateId: random.pick(templates),
        componentName: random.pick(components),
        alertType: random.pick([1, 2]),
        severity: random.pick(['low', 'medium', 'high']),
        description: random.pick(descriptions),
        userMessage: random.pick(userMessages) ?? undefined,
      }
      return outbox.raised(raised, envelope)
    })
    // Sometimes an item comes twice.
    if (random.chance(0.3)) items.push(random.pick(items))
    batches.push({ gateway: { type: 'gateway', id: gateway.id, name: gateway.name } as const, items: readItems(items) })
  }
  await storeBatches(db, { batches, now: someInstant(random, now) })
  count(batches.length * 2)
}

async function insert(context: ActionContext): Promise<void> {
  context.count(await inTransaction(context.db, (trx) => insertSome(trx, context)))
}

class GivenUp extends Error {}

/** Inserts, then rolls everything back. */
async function giveUp(context: ActionContext): Promise<void> {
  const done = inTransaction(context.db, async (trx) => {
    await insertSome(trx, context)
    throw new GivenUp()
  })
  await done.catch((error: unknown) => {
    if (!(error instanceof GivenUp)) throw error
  })
}

/** Holds the instruments' locks, as ingest does, so that no contract changes in the meantime. */
async function insertSome(trx: Trx, { fleet, random, now }: ActionContext): Promise<number> {
  const named = await componentsOf(trx)
  const chosen = Array.from({ length: random.integer(1, 20) }, () => random.pick(fleet.instruments).key)
  const locked = await lockInstruments(trx, [...new Set(chosen)])
  const contracts = await trx
    .selectFrom('instrument as i')
    .innerJoin('contract as c', 'c.id', 'i.contract_id')
    .where('i.installed_product_id', 'in', chosen)
    .select(['i.id', 'c.sla_term as slaTerm', 'c.start_date as startDate', 'c.end_date as endDate'])
    .execute()
  const events = chosen.map((key): NewServiceEvent => {
    const instrument = locked.get(key)
    const isEdgeIssue = instrument === undefined || random.chance(0.15)
    const gateway = random.pick(fleet.gateways)
    const site = fleet.sites.find(({ id }) => id === (isEdgeIssue ? gateway.siteId : instrument.siteId))
    if (!site) throw new Error('A site is missing.')
    const createdAt = someInstant(random, now)
    const contract = contracts.find(({ id }) => id === instrument?.id) ?? null
    return {
      createdAt,
      logGeneratedAt: createdAt,
      clearedAt: random.chance(0.7) ? createdAt : null,
      alertId: `alert-${random.integer(1, 9)}`,
      templateId: random.pick(templates),
      severity: random.pick(['low', 'medium', 'high']),
      alertType: random.pick([1, 2]),
      alertSource: isEdgeIssue ? 'EDGE_ISSUE' : 'INSTRUMENT',
      isEdgeIssue,
      description: random.pick(descriptions),
      userMessage: random.pick(userMessages),
      instrumentId: isEdgeIssue ? null : instrument.id,
      componentId: isEdgeIssue || random.chance(0.2) ? null : random.pick(named),
      gatewayId: gateway.id,
      siteId: site.id,
      customerId: site.customerId,
      instrumentStatusAtEvent: null,
      fullSupport: !isEdgeIssue && isFullSupport(contract, dayAt(site.timeZone, createdAt)),
    }
  })
  return (await insertServiceEvents(trx, events)).size
}

async function componentsOf(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('component').select('id').execute()
  return rows.map(({ id }) => id)
}

const config = readConfig({ DEMO: 'off', HOST: '127.0.0.1' })
/** Errors that changes may return because another writer was faster or the change is not allowed. */
const refusals = new Set(['not-found', 'not-owner', 'bad-change', 'unknown-owner', 'status-conflict'])

async function change({ db, fleet, random, now }: ActionContext): Promise<void> {
  const event = await someEvent(db, random)
  if (!event) return
  const owner = fleet.users.find(({ id }) => id === event.claimed_by)
  const caller = owner && random.chance(0.8) ? owner : random.pick(fleet.users)
  const done = changeServiceEvent(
    { db, config, clock: { now: () => someInstant(random, now) } },
    { id: String(event.id), caller, change: someChange(random, fleet), ifMatch: undefined },
  )
  await done.catch((error: unknown) => {
    if (!(error instanceof ProblemError && refusals.has(error.code))) throw error
  })
}

function someChange(random: SeededRandom, { users }: BusyFleet): ServiceEventChange {
  const claimedBy = String(random.pick(users).id)
  const reasonClosed = random.pick(personCloseReasons) satisfies CloseReason
  return random.weighted<ServiceEventChange>(
    [
      { claimedBy },
      { claimedBy, alertStatus: 'IN_PROGRESS' },
      { alertStatus: 'IN_PROGRESS' },
      { alertStatus: 'CLOSED', reasonClosed, serviceMaxCaseNumber: '00012345' },
      { reasonClosedComment: 'Seen' },
    ],
    ({ alertStatus }) => (alertStatus === 'CLOSED' ? 2 : 1),
  )
}

/** Does what the product does on its own: sends an e-mail, which may close the event. */
async function mail({ db, random, now }: ActionContext): Promise<void> {
  const event = await someEvent(db, random)
  if (!event) return
  await db
    .updateTable('service_event')
    .set({
      automatic_email_sent_at: someInstant(random, now),
      ...(random.chance(0.5) && { alert_status: 3, claimed_by: 0, reason_closed: 5 }),
    })
    .where('id', '=', event.id)
    .where('alert_status', '<>', 3)
    .execute()
}

/** Deletes one event, or all of one kind, so that a position loses its first, its last or its only one. */
async function takeOut({ db, random, now }: ActionContext): Promise<void> {
  const event = await someEvent(db, random)
  if (!event) return
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      SELECT o.id FROM service_event e JOIN service_event o ON o.id = e.id OR (${random.chance(0.2)}
        AND o.instrument_id IS NOT DISTINCT FROM e.instrument_id AND o.site_id = e.site_id
        AND o.component_id IS NOT DISTINCT FROM e.component_id)
      WHERE e.id = ${event.id} LIMIT 20`.execute(trx)
    await deleteEvents(trx, { ids: rows.map(({ id }) => id), scope: 'all', actor: { type: 'system' }, at: now })
  })
}

async function someEvent(db: Db, random: SeededRandom) {
  const ends = await db
    .selectFrom('service_event')
    .select((eb) => [eb.fn.min('id').as('first'), eb.fn.max('id').as('last')])
    .executeTakeFirst()
  return db
    .selectFrom('service_event')
    .where('id', '>=', random.integer(ends?.first ?? 0, ends?.last ?? 0))
    .orderBy('id')
    .limit(1)
    .select(['id', 'claimed_by'])
    .executeTakeFirst()
}
