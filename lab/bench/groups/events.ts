import { FIRST_ID } from '../../generate/event-rows.ts'
import { closedLoop } from '../../measure/sampling.ts'
import { claimFor, type Fixture, measureTimes, takeNewEvents } from '../fixture.ts'
import { goals } from '../goals.ts'
import { askList, rangeOf } from '../searches.ts'

/**
 * Measures reading, claiming and closing one event. The times are those of the request over the loopback, so they
 * include the server and the way to it.
 */
export async function measureEvents(fixture: Fixture): Promise<void> {
  const id = (index: number) => FIRST_ID + ((index * 104_729 * 31) % fixture.data.events)
  const reads = [
    { name: 'details by id', goal: goals.event, path: (index: number) => `/api/alarms/${id(index)}` },
    { name: 'details by number', path: (index: number) => `/api/alarms/event/ORC-${id(index)}` },
    { name: 'history', path: (index: number) => `/api/alarms/${id(index)}/history` },
    {
      name: 'outcomes of its error',
      goal: goals.outcomes,
      path: (index: number) => `/api/alarms/${id(index)}/outcomes`,
    },
  ]
  for (const { name, path, goal } of reads) {
    await measureTimes(fixture, {
      ...{ group: 'events', name, goal },
      ask: (index) => fixture.clients.all.call('GET', path(index)),
      floor: {
        how: 'the row by its key',
        ask: (index) => fixture.sql.query('SELECT * FROM service_event WHERE id = $1', [id(index)]),
      },
    })
  }
  await measureRate(fixture, {
    name: 'details by id',
    ask: (index) => fixture.clients.all.call('GET', `/api/alarms/${id(index)}`),
  })
  await measureRate(fixture, {
    name: 'list of one event',
    ask: () => askList(fixture.clients.all, { range: rangeOf('7 days'), query: { limit: '1' } }),
  })
  await measureChanges(fixture)
}

const CONNECTIONS = 16

/** Measures how many requests per second are answered over 16 connections; the client shares the cores. */
async function measureRate(
  { report }: Fixture,
  { name, ask }: { name: string; ask: (index: number) => Promise<unknown> },
): Promise<void> {
  let index = 0
  const work = () => ask(index++)
  await closedLoop(work, { workers: CONNECTIONS, seconds: 1 })
  const { times, seconds } = await closedLoop(work, { workers: CONNECTIONS, seconds: 5 })
  report({
    ...{ group: 'events', name: `${name}, ${CONNECTIONS} connections`, unit: 'requests/s' },
    value: times.length / seconds,
  })
}

const closing = { alertStatus: 'CLOSED', reasonClosed: 'No action required', reasonClosedComment: 'Measured.' }

async function measureChanges(fixture: Fixture): Promise<void> {
  // Each sample needs an untouched event, and SQL needs as many again.
  const needed = fixture.sampling.samples + 30
  const events = await takeNewEvents(fixture.sql, 2 * needed)
  const half = Math.floor(events.length / 2)
  const ofProduct = (index: number) => events[index]
  const ofFloor = (index: number) => events[half + index]
  const sampling = { ...fixture.sampling, samples: Math.min(fixture.sampling.samples, half - 10) }
  const put = (event: number | undefined, change: object) =>
    fixture.clients.all.call('PUT', `/api/alarms/${event}`, change)
  const byHand = (event: number | undefined, assignments: string) =>
    fixture.sql.query(
      `UPDATE service_event SET ${assignments}, version = version + 1, last_action_at = now() WHERE id = $1 RETURNING id`,
      [event],
    )
  const owner = `claimed_by = (SELECT id FROM app_user WHERE login = '${fixture.data.logins.all}')`
  const claimed = new Set<number | undefined>()
  const claim = await claimFor(fixture.sql, fixture.data.logins.all)
  const claimOnce = async (event: number | undefined) => {
    claimed.add(event)
    await put(event, claim)
  }
  const changes = [
    {
      name: 'claim',
      work: claimOnce,
      assignments: `alert_status = 2, ${owner}, claimed_at = now()`,
    },
    {
      name: 'close',
      work: (event: number | undefined) => put(event, closing),
      assignments: 'alert_status = 3, closed_at = now(), reason_closed = 3',
    },
  ]
  for (const { name, work, assignments } of changes) {
    // The number of claimed events depends on the time limit, and only the owner may close one.
    if (name === 'close') for (const event of events.slice(0, half)) if (!claimed.has(event)) await claimOnce(event)
    await measureTimes(
      { ...fixture, sampling },
      {
        ...{ group: 'events', name: `${name}, request over loopback`, goal: goals.change },
        ask: (index) => work(ofProduct(index)),
        floor: {
          how: 'UPDATE of the row, committed; no record',
          ask: (index) => byHand(ofFloor(index), assignments),
        },
      },
    )
  }
}
