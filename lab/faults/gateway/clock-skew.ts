import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import { withClient } from '../../product/database.ts'
import { compare } from '../ledger/comparison.ts'
import { openFixture } from '../load/fixture.ts'
import { SimulatedGateway } from '../load/gateway-load.ts'
import { jsonOf } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** An event is 'Delayed' if it was stored at least this long after it happened (specification: Constants). */
const DELAYED_MS = 3_600_000

/** A wrong clock, and the time that it shows at a given moment. */
interface Clock {
  name: string
  at(now: number): Date
}

const offset = (name: string, ms: number): Clock => ({ name, at: (now) => new Date(now + ms) })
const fixed = (name: string, instant: string): Clock => ({ name, at: () => new Date(instant) })

/** The nights are those of Stockholm, where the sites are: 2:30 occurs twice in October and never in March. */
const clocks: Clock[] = [
  offset('right', 0),
  offset('10 minutes ahead', 10 * MINUTE_MS),
  offset('10 minutes behind', -10 * MINUTE_MS),
  offset('a day ahead', DAY_MS),
  offset('a day behind', -DAY_MS),
  offset('59 minutes behind', -59 * MINUTE_MS),
  offset('61 minutes behind', -61 * MINUTE_MS),
  fixed('1970', '1970-01-01T00:00:00.000Z'),
  fixed('2099', '2099-12-31T23:59:59.999Z'),
  fixed('October night, first 2:30', '2026-10-25T02:30:00+02:00'),
  fixed('October night, second 2:30', '2026-10-25T02:30:00+01:00'),
  fixed('March night, the hour that is not', '2026-03-29T02:30:00+01:00'),
  fixed('leap day', '2028-02-29T12:00:00.000Z'),
  fixed('a millisecond before the year', '2027-12-31T23:59:59.999Z'),
]

/** Reported in this order, each dated before the one that came before it. */
const statuses: InstrumentStatus[] = ['method run', 'hold', 'ready']

/**
 * The clocks of gateways are wrong. Their times are kept as sent, the product orders and counts by its own time, and
 * nothing is refused.
 */
await runFault({
  name: 'clock-skew',
  parameters: { rounds: 5 },
  async run({ workplace, verdict, parameters: { rounds } }) {
    const fixture = await openFixture(workplace, { gateways: clocks.length, instrumentsPerGateway: 1 })
    const { client, fleet, ledger, token, product } = fixture
    const gateways = fleet.gateways.map((gateway) => new SimulatedGateway(gateway, { client, ledger }))
    for (const gateway of gateways) workplace.atEnd(() => gateway.stop())
    const began = Date.now()
    /** The times that each gateway sent with its alarms, by alert id. */
    const said = new Map<string, { clock: string; logGeneratedAt: string; isCleared: boolean }>()
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, clock] of clocks.entries()) {
        const gateway = gateways[index]
        const instrument = gateway?.items.gateway.instruments[0]
        if (!gateway || instrument === undefined) throw new Error('Each clock needs a gateway with an instrument.')
        const shown = clock.at(Date.now())
        for (const [turn, instrumentStatus] of statuses.entries()) {
          // The clock is set back between two reports: the sequence, not the time, says which one is newer.
          const time = new Date(Math.max(0, shown.getTime() - turn * MINUTE_MS))
          gateway.push(gateway.items.status({ instrument, instrumentStatus, time }))
        }
        const alarm = gateway.items.alarm({ instrument, time: shown })
        const { alertId } = (JSON.parse(alarm.text) as { data: { alertId: string } }).data
        const isCleared = round % 2 === 1
        gateway.push(alarm)
        if (isCleared) {
          const time = new Date(Math.max(0, shown.getTime() - 5 * MINUTE_MS))
          gateway.push(gateway.items.cleared({ instrument, alertId, time }))
        }
        said.set(alertId, { clock: clock.name, logGeneratedAt: shown.toISOString(), isCleared })
      }
      await pause(300)
    }
    while (gateways.some(({ waiting }) => waiting > 0)) await pause(20)
    const ended = Date.now()

    const answer = await client.send({ method: 'POST', path: '/api/alarms?limit=100', token, body: '{"filter":{}}' })
    const listedAt = Date.now()
    const { values, total } = jsonOf<{ values: { alarm: ServiceEvent }[]; total: { events: number } }>(answer)
    const events = values.map(({ alarm }) => alarm)
    const found = await withClient(fixture.databaseUrl(), (database) => compare(database, ledger))
    const shownStatuses = await withClient(fixture.databaseUrl(), (database) =>
      database.query<{ status: string }>("SELECT status FROM instrument WHERE installed_product_id LIKE 'IP-FLT-%'"),
    )
    const wrong = events.filter(({ alertId, logGeneratedAt, date }) => {
      const report = said.get(alertId)
      return report?.logGeneratedAt !== logGeneratedAt || date !== logGeneratedAt
    })
    const createdAt = (event: ServiceEvent) => Date.parse(event.createdAt)
    const isDelayed = (event: ServiceEvent) => createdAt(event) - Date.parse(event.logGeneratedAt) >= DELAYED_MS
    const shouldBeDelayed = new Set([
      'a day behind',
      '61 minutes behind',
      ...clocks.filter(({ at }) => at(began).getTime() < began - DAY_MS).map(({ name }) => name),
    ])

    verdict.compared(found)
    verdict.figure('clocks', clocks.map(({ name }) => name).join('; '))
    verdict.atMost('rejected', { figure: ledger.rejected, most: 0 })
    verdict.check('events listed', {
      figure: events.length,
      goal: `all ${said.size}, as the totals say`,
      passed: events.length === said.size && total.events === said.size,
    })
    verdict.atMost('not kept as said', { figure: wrong.length, most: 0 })
    verdict.atMost('created outside the time of the run', {
      figure: events.filter((event) => createdAt(event) < began - 1 || createdAt(event) > ended + 1).length,
      most: 0,
    })
    verdict.atMost('negative ages', { figure: events.filter((event) => createdAt(event) > listedAt).length, most: 0 })
    verdict.atMost('places in the list that are not by the time of the server', {
      figure: events.filter((event, at) => at > 0 && createdAt(event) > createdAt(events[at - 1] ?? event)).length,
      most: 0,
    })
    verdict.atMost('wrongly delayed or not', {
      figure: events.filter((event) => isDelayed(event) !== shouldBeDelayed.has(said.get(event.alertId)?.clock ?? ''))
        .length,
      most: 0,
    })
    verdict.atMost('returned to normal or not against what was said', {
      figure: events.filter((event) => (event.clearedAt !== null) !== said.get(event.alertId)?.isCleared).length,
      most: 0,
    })
    verdict.atMost('instruments whose status is not the last one counted', {
      figure: shownStatuses.rows.filter(({ status }) => status !== statuses.at(-1)).length,
      most: 0,
    })
    verdict.memory(product.peakRss)
  },
})
