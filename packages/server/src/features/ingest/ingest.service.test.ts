import { anInstrument } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import { foldInbox } from './inbox.store.ts'
import { storeBatches } from './ingest.service.ts'
import { readItems } from './read-items.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
let database: TestDatabase
let fleet: SampleFleet
let epochs = 0

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, now)
})

/** Returns items of a new outbox, with a component of its own so that tests share no latch. */
function freshItems() {
  epochs += 1
  const items = gatewayItems(`e${epochs}`, now)
  const componentName = `Pump ${String.fromCharCode(64 + epochs)} (P${epochs})`
  return {
    ...items,
    componentName,
    raised: (data: Record<string, unknown> = {}, envelope = {}) => items.raised({ componentName, ...data }, envelope),
  }
}

async function send(items: readonly unknown[], at = now) {
  const gateway = { type: 'gateway', id: fleet.gateways.helix.id, name: fleet.gateways.helix.name } as const
  const [answer] = await storeBatches(database.db, { batches: [{ gateway, items: readItems(items) }], now: at })
  if (!answer) throw new Error('no answer')
  return answer
}

async function eventsOf(componentName: string) {
  return database.db
    .selectFrom('service_event as e')
    .innerJoin('component as c', 'c.id', 'e.component_id')
    .where('c.name', '=', componentName)
    .orderBy('e.id')
    .selectAll('e')
    .select(['c.type as component_type', 'c.name_folded'])
    .execute()
}

async function messages() {
  const rows = await database.db.deleteFrom('live_outbox').returning(['id', 'customer_id', 'message']).execute()
  return rows.sort((a, b) => a.id - b.id).map(({ message }) => message)
}

describe('raised', () => {
  it('creates an event from the template, the site and the contract', async () => {
    const { raised, componentName } = freshItems()
    await messages()
    const answer = await send([raised({ alertId: 'A-1', logGeneratedAt: '2026-11-20T12:30:00.500+01:00' })])
    expect(answer).toEqual({ accepted: 1, duplicates: 0, rejected: [], ackSequence: 1 })
    const [event] = await eventsOf(componentName)
    expect(event).toMatchObject({
      created_at: now,
      log_generated_at: new Date('2026-11-20T11:30:00.500Z'),
      cleared_at: null,
      alert_id: 'A-1',
      template_id: 'P9B-1042',
      severity: 3,
      alert_type: 1,
      alert_status: 1,
      alert_source: 'INSTRUMENT',
      description: 'Pressure above limit, pump B (P9-B)',
      user_message: 'The pre-column pressure is too high. The run has been paused.',
      instrument_id: fleet.instruments.first,
      gateway_id: fleet.gateways.helix.id,
      customer_id: fleet.customers.helix,
      full_support: true,
      latched_count: 0,
      last_action_at: now,
      version: 1,
      component_type: 'Pump',
    })
    expect(event?.text_folded).toContain('pressure above limit')
    expect(await messages()).toEqual([
      {
        entity: 'instrument',
        action: 'update',
        property: 'orcStatus',
        payload: {
          id: String(fleet.instruments.first),
          instrumentInstalledProductId: 'IP-20431187',
          orcStatus: 'Connected',
        },
      },
      {
        entity: 'alarm',
        action: 'create',
        property: null,
        payload: {
          id: String(event?.id),
          eventId: String(event?.id),
          createdAt: now.toISOString(),
          severity: 'high',
          alertStatus: '1_NEW',
          instrumentInstalledProductId: 'IP-20431187',
        },
      },
    ])
    const origin = { customer_id: event?.customer_id, site_id: event?.site_id, component_id: event?.component_id }
    expect(await database.db.selectFrom('event_origin').selectAll().execute()).toContainEqual(origin)
  })

  it('prefers severity, description and user message of the gateway', async () => {
    const { raised, componentName } = freshItems()
    await send([raised({ severity: 'low', description: 'Zu hoher Druck', userMessage: 'Bitte prüfen' })])
    expect(await eventsOf(componentName)).toMatchObject([
      {
        severity: 1,
        description: 'Zu hoher Druck',
        user_message: 'Bitte prüfen',
        text_folded: 'zu hoher druck\nbitte prufen',
      },
    ])
  })

  it('treats null as absent and uses the template', async () => {
    const [without, withNull] = [freshItems(), freshItems()]
    await send([without.raised({}), withNull.raised({ severity: null, description: null, userMessage: null })])
    const told = async (componentName: string) =>
      (await eventsOf(componentName)).map(({ severity, description, user_message }) => [
        severity,
        description,
        user_message,
      ])
    expect(await told(withNull.componentName)).toHaveLength(1)
    expect(await told(withNull.componentName)).toEqual(await told(without.componentName))
  })

  it('makes an event of high severity when its template is not registered', async () => {
    const { raised, componentName } = freshItems()
    expect(await send([raised({ templateId: 'X-Y-77' })])).toMatchObject({ accepted: 1, rejected: [] })
    expect(await eventsOf(componentName)).toMatchObject([
      { severity: 3, description: `X-Y-77 on ${componentName}`, user_message: null },
    ])
  })

  it('is no 24-hour event without a contract', async () => {
    const { raised, componentName } = freshItems()
    await send([raised({}, { subject: 'IP-20431188' })])
    expect(await eventsOf(componentName)).toMatchObject([{ full_support: false }])
  })

  it('counts a repeat on the open event and announces it', async () => {
    const { raised, componentName } = freshItems()
    await send([raised()])
    await messages()
    await send([raised({ alertId: 'again' }), raised({ alertId: 'again' })])
    const [event, ...others] = await eventsOf(componentName)
    expect(others).toEqual([])
    expect(event).toMatchObject({ latched_count: 2, version: 2, last_action_at: now })
    expect(await messages()).toMatchObject([{ property: 'latchedCount', payload: { latchedCount: 2, version: 2 } }])
  })

  it('counts repeats that come in the same batch', async () => {
    const { raised, componentName } = freshItems()
    await messages()
    await send([raised(), raised(), raised()])
    expect(await eventsOf(componentName)).toMatchObject([{ latched_count: 2, version: 1 }])
    expect(await messages()).toMatchObject([{ action: 'create' }])
  })

  it('takes items however often they say that the alarm was raised, in one batch or more', async () => {
    const { raised, componentName } = freshItems()
    const most = () => Array.from({ length: 2200 }, () => raised({ count: 1_000_000 }))
    await send(most())
    await send(most())
    expect(await eventsOf(componentName)).toMatchObject([{ latched_count: 2 ** 31 - 1 }])
  })

  it('makes a new event once the old one is closed, and leaves the closed one alone', async () => {
    const { raised, componentName } = freshItems()
    await send([raised()])
    await database.db
      .updateTable('service_event')
      .set({ alert_status: 3, reason_closed: 3 })
      .where('id', '=', (await eventsOf(componentName))[0]?.id ?? 0)
      .execute()
    await send([raised()])
    expect(await eventsOf(componentName)).toMatchObject([
      { alert_status: 3, reason_closed: 3, latched_count: 0 },
      { alert_status: 1, latched_count: 0 },
    ])
  })

  it('makes an event of its own for the new customer of an instrument that moved', async () => {
    const { raised, cleared, componentName } = freshItems()
    const { helix, nordic } = fleet.customers
    const give = (customerId: number) =>
      database.db
        .updateTable('instrument')
        .set({ customer_id: customerId })
        .where('id', '=', fleet.instruments.first)
        .execute()
    await send([raised({ alertId: 'former' })])
    await give(nordic)
    await send([raised({ alertId: 'present' }), raised({ alertId: 'present' })])
    await send([cleared('former')])
    await give(helix)
    expect(await eventsOf(componentName)).toMatchObject([
      { alert_id: 'former', customer_id: helix, latched_count: 0, cleared_at: expect.any(Date) },
      { alert_id: 'present', customer_id: nordic, latched_count: 1, cleared_at: null },
    ])
  })
})

describe('cleared', () => {
  it('sets clearedAt and nothing that users decide', async () => {
    const { raised, cleared, componentName } = freshItems()
    await send([raised({ alertId: 'c-1' })])
    await messages()
    await send([cleared('c-1', { time: '2026-11-20T14:10:00.000Z' })])
    expect(await eventsOf(componentName)).toMatchObject([
      { cleared_at: new Date('2026-11-20T14:10:00.000Z'), alert_status: 1, version: 2, last_action_at: now },
    ])
    expect(await messages()).toMatchObject([
      { property: 'clearedAt', payload: { clearedAt: '2026-11-20T14:10:00.000Z', version: 2 } },
    ])
  })

  it('finds its event by the alert id of a repeat', async () => {
    const { raised, cleared, componentName } = freshItems()
    await send([raised({ alertId: 'r-1' })])
    await send([raised({ alertId: 'r-2' })])
    await send([cleared('r-2')])
    const [event] = await eventsOf(componentName)
    expect(event?.cleared_at).not.toBeNull()
  })

  it('ends the latch: raise, clear, raise in one batch are two events', async () => {
    const { raised, cleared, componentName } = freshItems()
    await send([raised({ alertId: 'x' }), cleared('x'), raised({ alertId: 'y' })])
    expect((await eventsOf(componentName)).map((event) => event.cleared_at !== null)).toEqual([true, false])
  })

  it('permits a new event in the batch that clears the old one', async () => {
    const { raised, cleared, componentName } = freshItems()
    await send([raised({ alertId: 'before' })])
    await send([raised({ alertId: 'repeat' }), cleared('before'), raised({ alertId: 'after' })])
    expect(await eventsOf(componentName)).toMatchObject([
      { alert_id: 'before', latched_count: 1, cleared_at: expect.any(Date) },
      { alert_id: 'after', latched_count: 0, cleared_at: null },
    ])
  })

  it('is not lost when it overtakes its raise', async () => {
    const { raised, cleared, componentName } = freshItems()
    const raise = raised({ alertId: 'overtaken' })
    await send([cleared('overtaken')])
    expect(await eventsOf(componentName)).toEqual([])
    await send([raise])
    const [event] = await eventsOf(componentName)
    expect(event?.cleared_at).toEqual(new Date(now.getTime() + 2000))
    expect(await database.db.selectFrom('pending_clear').selectAll().execute()).toEqual([])
  })

  it('also clears a closed event', async () => {
    const { raised, cleared, componentName } = freshItems()
    await send([raised({ alertId: 'closed' })])
    await database.db.updateTable('service_event').set({ alert_status: 3 }).where('alert_id', '=', 'closed').execute()
    await send([cleared('closed')])
    const [event] = await eventsOf(componentName)
    expect(event).toMatchObject({ alert_status: 3 })
    expect(event?.cleared_at).not.toBeNull()
  })
})

describe('status', () => {
  const statusOf = (id: number) =>
    database.db
      .selectFrom('instrument')
      .select(['status', 'status_sequence', 'unknown_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  it('is the newest by the gateway’s counting, whatever arrives last; the history keeps all', async () => {
    const { status } = freshItems()
    const [first, second, third] = [status('ready'), status('method run'), status('wash')]
    await messages()
    await send([second])
    await send([third])
    await send([first])
    expect((await statusOf(fleet.instruments.first)).status).toBe('wash')
    expect((await messages()).map(({ payload }) => payload)).toMatchObject([
      { instrumentStatus: 'method run' },
      { instrumentStatus: 'wash' },
    ])
    const history = await database.db
      .selectFrom('instrument_status_history')
      .select('status')
      .where('instrument_id', '=', fleet.instruments.first)
      .orderBy('at')
      .execute()
    expect(history.map(({ status: one }) => one)).toEqual(['ready', 'method run', 'wash'])
  })

  it('of a wiped gateway wins although it counts from one again', async () => {
    await send([freshItems().status('hold')])
    expect((await statusOf(fleet.instruments.first)).status).toBe('hold')
  })

  it('announces nothing while it stays the same', async () => {
    const { status } = freshItems()
    await send([status('paused')])
    await messages()
    await send([status('paused')])
    expect(await messages()).toEqual([])
  })

  it('notes since when it is unknown', async () => {
    const { status } = freshItems()
    await messages()
    await send([status('Unknown')])
    await send([status('Unknown')])
    const since = new Date(now.getTime() + 1000)
    expect((await statusOf(fleet.instruments.first)).unknown_at).toEqual(since)
    await send([status('ready')])
    expect((await statusOf(fleet.instruments.first)).unknown_at).toBeNull()
    expect((await messages()).map(({ property, payload }) => [property, payload])).toMatchObject([
      ['instrumentStatus', { instrumentStatus: 'Unknown' }],
      ['unknownAt', { unknownAt: since.toISOString() }],
      ['instrumentStatus', { instrumentStatus: 'ready' }],
      ['unknownAt', { unknownAt: null }],
    ])
  })

  it('at the moment of the alarm stays with the event', async () => {
    const { raised, status, componentName } = freshItems()
    const time = '2026-11-20T15:00:00.000Z'
    const running = status('method run', { time: '2026-11-20T14:59:00.000Z' })
    const alarm = raised({ logGeneratedAt: time }, { time })
    const stopped = status('alarms and errors', { time })
    await send([stopped, alarm, running])
    expect(await eventsOf(componentName)).toMatchObject([{ instrument_status_at_event: 'method run' }])
  })

  it('now is used as the status at an alarm that is older than the history', async () => {
    const { raised, status, componentName } = freshItems()
    await send([status('wash', { subject: 'IP-20431188', time: '2026-11-20T15:00:00.000Z' })])
    await send([raised({ logGeneratedAt: '2020-01-01T00:00:00.000Z' }, { subject: 'IP-20431188' })])
    expect(await eventsOf(componentName)).toMatchObject([{ instrument_status_at_event: 'wash' }])
  })
})

describe('statuses with a reason', () => {
  it('keep it with the instrument until the next status, and say so live', async () => {
    const { status } = freshItems()
    const subject = 'IP-20431188'
    const reasonNow = async () =>
      (
        await database.db
          .selectFrom('instrument')
          .select('status_reason')
          .where('installed_product_id', '=', subject)
          .executeTakeFirst()
      )?.status_reason
    const item = status('disconnected', { subject })
    await messages()
    await send([{ ...item, data: { instrumentStatus: 'disconnected', reason: 'The broker is away.' } }])
    expect(await reasonNow()).toBe('The broker is away.')
    expect(await messages()).toContainEqual(
      expect.objectContaining({
        property: 'statusReason',
        payload: expect.objectContaining({ statusReason: 'The broker is away.' }),
      }),
    )
    await send([status('ready', { subject })])
    expect(await reasonNow()).toBe(null)
  })
})

describe('a raise that represents many alarms', () => {
  it('makes an event that counts them, and adds them to an open one', async () => {
    const { raised, componentName } = freshItems()
    await send([raised({ alertId: 'storm', count: 40 })])
    await send([raised({ alertId: 'storm', count: 5 })])
    expect(await eventsOf(componentName)).toMatchObject([{ alert_id: 'storm', latched_count: 44 }])
  })
})

describe('log lines and heartbeats', () => {
  it('are kept in their order', async () => {
    const { log } = freshItems()
    const timestamp = '2026-11-20T13:00:00.123Z'
    await send([
      log([
        {
          timestamp,
          message: 'first',
          module: 'P9-B',
          level: 'Warning',
          eventCode: '12',
          userName: 'anna',
          hostname: 'PC-1',
        },
        { timestamp, message: 'second' },
      ]),
    ])
    const lines = await database.db.selectFrom('log_entry').selectAll().orderBy('ts').orderBy('id').execute()
    expect(lines).toMatchObject([
      {
        message: 'first',
        module: 'P9-B',
        level: 'Warning',
        event_code: '12',
        user_name: 'anna',
        hostname: 'PC-1',
        log_type: 'VID',
      },
      { message: 'second', module: null, ts: new Date(timestamp), instrument_id: fleet.instruments.first },
    ])
  })

  it('show when the gateway was seen, written at most every five seconds', async () => {
    const { heartbeat } = freshItems()
    const seen = async () =>
      (
        await database.db
          .selectFrom('gateway')
          .select('last_seen_at')
          .where('name', '=', 'GW-UPP-01')
          .executeTakeFirst()
      )?.last_seen_at
    const later = (seconds: number) => new Date(now.getTime() + 3_600_000 + seconds * 1000)
    await send([heartbeat()], later(0))
    expect(await seen()).toEqual(later(0))
    await send([heartbeat()], later(4))
    expect(await seen()).toEqual(later(0))
    await send([heartbeat()], later(6))
    expect(await seen()).toEqual(later(6))
    // The clock of the server was ahead and is set back.
    await send([heartbeat()], later(-600))
    expect(await seen()).toEqual(later(-600))
  })
})

async function rangesOf(series: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom('taken_number')
    .where('series', '=', series)
    .orderBy('block')
    .select('numbers')
    .execute()
  return rows.map(({ numbers }) => numbers)
}

/** Takes items with the statement of the releases before ranges, and returns those that are new to it. */
async function takeAsEarlierRelease(ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ item_id: string }>`
    INSERT INTO gateway_inbox (gateway_id, item_id, received_at)
    SELECT ${fleet.gateways.helix.id}, item_id, ${now} FROM unnest(${[...ids]}::text[]) AS item_id
    ON CONFLICT DO NOTHING RETURNING item_id`.execute(database.db)
  return rows.map(({ item_id }) => item_id)
}

describe('repeats', () => {
  it('of a batch change nothing and are counted', async () => {
    const { raised, status, log, heartbeat, componentName } = freshItems()
    const batch = [
      raised(),
      status('ready'),
      log([{ timestamp: now.toISOString(), message: 'once only' }]),
      heartbeat(),
    ]
    expect(await send(batch)).toMatchObject({ accepted: 4, duplicates: 0 })
    expect(await send(batch)).toMatchObject({ accepted: 0, duplicates: 4, rejected: [], ackSequence: 4 })
    expect(await eventsOf(componentName)).toMatchObject([{ latched_count: 0 }])
    expect(
      await database.db.selectFrom('log_entry').where('message', '=', 'once only').selectAll().execute(),
    ).toHaveLength(1)
  })

  it('within a batch and within a group count too', async () => {
    const { raised, componentName } = freshItems()
    const item = raised()
    const gateway = { type: 'gateway', id: fleet.gateways.helix.id, name: 'GW-UPP-01' } as const
    const batch = { gateway, items: readItems([item, item]) }
    const answers = await storeBatches(database.db, { batches: [batch, { ...batch }], now })
    expect(answers.map(({ accepted, duplicates }) => [accepted, duplicates])).toEqual([
      [1, 1],
      [0, 2],
    ])
    expect(await eventsOf(componentName)).toMatchObject([{ latched_count: 0 }])
  })

  it('are recognised by their numbers, in whatever order these come, and kept as ranges', async () => {
    const epoch = `ranges-${now.getTime()}`
    const items = gatewayItems(epoch, now)
    const sent = Array.from({ length: 40 }, () => items.heartbeat()).map((item) => ({ ...item }))
    const alarmsFirst = [...sent.slice(30), ...sent.slice(0, 10)]
    expect(await send(alarmsFirst)).toMatchObject({ accepted: 20, duplicates: 0 })
    expect(await rangesOf(`${epoch}-`)).toEqual(['{[1,11),[31,41)}'])
    expect(await send(sent)).toMatchObject({ accepted: 20, duplicates: 20 })
    expect(await rangesOf(`${epoch}-`)).toEqual(['{[1,41)}'])
    expect(await send(sent)).toMatchObject({ accepted: 0, duplicates: 40 })
  })

  it('differ from items whose number is the same with other zeros, or lies in another block', async () => {
    const epoch = `zeros-${now.getTime()}`
    const ids = ['1', '01', '001', '0', '00', '65535', '65536', '9999999999999999']
    const items = ids.map((number) => ({ ...gatewayItems(epoch, now).heartbeat(), id: `${epoch}-${number}` }))
    expect(await send(items)).toMatchObject({ accepted: ids.length, duplicates: 0 })
    expect(await send(items)).toMatchObject({ accepted: 0, duplicates: ids.length })
    expect(await rangesOf(`${epoch}-`)).toEqual([
      '{[0,2),[65535,65536)}',
      '{[65536,65537)}',
      '{[9999999999999999,10000000000000000)}',
    ])
  })

  it('of items that an earlier release took are recognised before and after they became ranges', async () => {
    const epoch = `earlier-${now.getTime()}`
    const items = Array.from({ length: 30 }, (_, index) => ({
      ...gatewayItems(epoch, now).heartbeat(),
      id: `${epoch}-${index + 1}`,
    }))
    await takeAsEarlierRelease(items.slice(0, 20).map(({ id }) => id))
    expect(await send(items.slice(0, 10))).toMatchObject({ accepted: 0, duplicates: 10 })
    expect(await foldInbox(database.db, 15)).toBe(15)
    expect(await send(items.slice(0, 25))).toMatchObject({ accepted: 5, duplicates: 20 })
    expect(await foldInbox(database.db, 15)).toBe(5)
    expect(await foldInbox(database.db, 15)).toBe(0)
    expect(await send(items)).toMatchObject({ accepted: 5, duplicates: 25 })
    expect(await rangesOf(`${epoch}-`)).toEqual(['{[1,31)}'])
  })

  it('are recognised by an earlier release that still runs beside this one', async () => {
    const epoch = `beside-${now.getTime()}`
    const ids = [1, 2, 3].map((number) => `${epoch}-${number}`)
    expect(await send(ids.slice(0, 2).map((id) => ({ ...gatewayItems(epoch, now).heartbeat(), id })))).toMatchObject({
      accepted: 2,
    })
    expect(await takeAsEarlierRelease(ids)).toEqual([ids[2]])
    expect(await takeAsEarlierRelease(ids)).toEqual([])
  })

  it('of an alarm by two transactions at once make one event', async () => {
    const { raised, componentName } = freshItems()
    const raises = Array.from({ length: 8 }, () => raised())
    await Promise.all(raises.map((raise) => send([raise])))
    expect(await eventsOf(componentName)).toMatchObject([{ latched_count: 7 }])
  })
})

describe('the record', () => {
  it('has one row for a batch, and none for one without news', async () => {
    const { raised, heartbeat, status } = freshItems()
    const rows = () =>
      database.db
        .selectFrom('audit')
        .select(['new_value', 'actor_type', 'actor_name'])
        .where('entity_type', '=', 'gateway')
        .where('action', '=', 'batch')
        .orderBy('id')
        .execute()
    const before = (await rows()).length
    const batch = [raised(), status('ready'), { id: 'bad' }]
    await send(batch)
    await send([heartbeat()])
    const added = (await rows()).slice(before)
    expect(added).toHaveLength(1)
    expect(added[0]).toMatchObject({ actor_type: 'gateway', actor_name: 'GW-UPP-01' })
    expect(JSON.parse(added[0]?.new_value ?? '')).toEqual({
      items: 2,
      duplicates: 0,
      rejected: 1,
      first: `e${epochs}-1`,
      last: `e${epochs}-2`,
    })
  })
})

// The last of this file: the instrument stays with its new customer.
describe('after an instrument moved to another customer', () => {
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
  const sent = (count: number) => ({
    source: `/gateways/${fleet.gateways.nordic.name}`,
    time: minutes(count).toISOString(),
  })
  const sendNordic = (items: readonly unknown[], count: number, more: { origin?: 'retry' } = {}) => {
    const gateway = { type: 'gateway', id: fleet.gateways.nordic.id, name: fleet.gateways.nordic.name } as const
    return storeBatches(database.db, {
      batches: [{ gateway, items: readItems(items), ...more }],
      now: minutes(count),
    })
  }
  const moveToNordic = (count: number) => {
    const writing = { actor: { type: 'command', name: 'test' } as const, at: minutes(count) }
    const moved = anInstrument({ site: 'nordic-pharma-oslo', gateway: 'GW-OSL-01', contract: null, contact: null })
    return inTransaction(database.db, (trx) => upsertInstruments(trx, writing, [moved]))
  }

  it('a late alarm from before belongs to the former one, a newer one to the present one', async () => {
    const { raised, componentName } = freshItems()
    await send([raised({ alertId: 'before' })])
    await moveToNordic(10)
    const items = [
      raised({ alertId: 'repeat' }, sent(8)),
      raised({ alertId: 'other', templateId: 'X-Y-78' }, sent(9)),
      raised({ alertId: 'after' }, sent(11)),
    ]
    await sendNordic(items, 12)

    const events = await eventsOf(componentName)
    const former = { customer_id: fleet.customers.helix, site_id: events[0]?.site_id }
    expect(events).toMatchObject([
      { alert_id: 'before', latched_count: 1, ...former },
      { alert_id: 'other', latched_count: 0, ...former, full_support: false },
      { alert_id: 'after', latched_count: 0, customer_id: fleet.customers.nordic },
    ])
    expect(events[2]?.site_id).not.toBe(former.site_id)
  })

  it('an alarm that a gateway of the present one saw before the registry named it is theirs', async () => {
    const { raised, componentName } = freshItems()
    const writing = { actor: { type: 'command', name: 'test' } as const, at: minutes(20) }
    await inTransaction(database.db, (trx) => upsertInstruments(trx, writing, [anInstrument()]))
    const early = raised({ alertId: 'early' }, sent(25))
    const [refused] = await sendNordic([early], 25)
    expect(refused?.rejected).toMatchObject([{ code: 'other-gateway-instrument' }])
    await moveToNordic(30)
    await sendNordic([early], 31, { origin: 'retry' })
    await sendNordic([raised({ alertId: 'by a slow clock', templateId: 'X-Y-78' }, sent(29))], 31)
    const theirs = { customer_id: fleet.customers.nordic }
    expect(await eventsOf(componentName)).toMatchObject([theirs, theirs])
  })

  it('a late alarm of the former one names neither run nor status of the present one, nor does a late status give its reason', async () => {
    const { raised, status, componentName } = freshItems()
    const reported = { instrumentStatus: 'alarms and errors', reason: 'Sentence of the former one' }
    const running = status('method run', sent(40), 'Run of the present one')
    await sendNordic([running], 41)
    await sendNordic(
      [
        raised({ alertId: 'late', logGeneratedAt: minutes(45).toISOString() }, sent(8)),
        status('alarms and errors', { ...sent(9), data: reported }),
      ],
      46,
    )
    expect(await eventsOf(componentName)).toMatchObject([
      {
        customer_id: fleet.customers.helix,
        run_id: null,
        instrument_status_at_event: expect.not.stringMatching('method run'),
      },
    ])
    const { status_reason } = await database.db
      .selectFrom('instrument')
      .where('id', '=', fleet.instruments.first)
      .select('status_reason')
      .executeTakeFirstOrThrow()
    expect(status_reason).toBeNull()
  })
})
