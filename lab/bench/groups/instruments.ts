import type { InstrumentFilter } from '@benchwatch/contract/instruments/instruments'
import { instrumentOrderBy } from '@benchwatch/contract/vocabulary'
import { type Viewer, viewerNames } from '../../generate/bench-data.ts'
import type { ApiClient } from '../../product/api-client.ts'
import { type Fixture, measureTimes } from '../fixture.ts'
import { goals } from '../goals.ts'

interface InstrumentRequest {
  query?: Record<string, string>
  filter?: InstrumentFilter
}

/** Requests a page of instruments with their number. */
export function askInstruments(
  client: ApiClient,
  { query = {}, filter = {} }: InstrumentRequest,
): Promise<{ total: { instruments: number } }> {
  const parameters = new URLSearchParams({ limit: '12', ...query })
  return client.call('POST', `/api/instruments?${parameters.toString()}`, { filter })
}

const words = ['akta', 'avant', 'wave', 'sweden', 'bio', 'uppsala', 'pure-00', 'japan pure']

/**
 * Measures the list of instruments with its exact total: by every column from both ends, with keywords, filters, family
 * and range, for each view; and one instrument with its open events.
 */
export async function measureInstruments(fixture: Fixture): Promise<void> {
  const { sql } = fixture
  const { rows } = await sql.query<{ instruments: string; open: string; ids: string[] }>(`
    SELECT (SELECT count(*) FROM instrument) AS instruments,
      (SELECT count(*) FROM service_event WHERE alert_status <> 3) AS open,
      (SELECT array_agg(id::text) FROM (SELECT id FROM instrument ORDER BY id LIMIT 500) AS i) AS ids`)
  const [{ instruments, open, ids } = { instruments: '0', open: '0', ids: [] }] = rows
  const note = `${instruments} instruments, ${open} open events`
  const last = String(Math.max(0, Number(instruments) - 12))
  for (const orderBy of instrumentOrderBy) {
    await measure(fixture, { name: `by ${orderBy}`, ask: () => ({ query: { orderBy } }), note })
    await measure(fixture, { name: `by ${orderBy}, from the end`, ask: () => ({ query: { orderBy, order: 'DESC' } }) })
  }
  await measure(fixture, {
    name: 'by instrumentCustomer, last page',
    ask: () => ({ query: { orderBy: 'instrumentCustomer', offset: last } }),
  })
  await measure(fixture, {
    name: 'by instrumentDefinedSystemName, last page',
    ask: () => ({ query: { orderBy: 'instrumentDefinedSystemName', offset: last } }),
  })
  await measure(fixture, { name: '100 a page', ask: () => ({ query: { limit: '100' } }) })
  await measure(fixture, {
    name: 'a keyword',
    ask: (index) => ({ query: { keyword: words[index % words.length] ?? '' } }),
  })
  await measure(fixture, { name: 'a family', ask: () => ({ query: { instrumentFamily: 'ÄKTA pure' } }) })
  await measure(fixture, {
    name: 'a range of next services',
    ask: () => ({ query: { start: '2026-01-01', stop: '2027-01-01' } }),
  })
  await measure(fixture, {
    name: 'by status and country',
    ask: () => ({ filter: { instrumentStatus: ['ready'], instrumentCountry: ['Sweden'] } }),
  })
  await measure(fixture, { name: 'in no maintenance', ask: () => ({ filter: { maintenance: ['none'] } }) })
  for (const viewer of ['sixty', 'one'] as const) {
    await measure(fixture, { name: viewerNames[viewer], viewer, ask: () => ({}) })
    await measure(fixture, {
      name: `${viewerNames[viewer]}, by eventCount`,
      viewer,
      ask: () => ({ query: { orderBy: 'eventCount', order: 'DESC' } }),
    })
  }
  await measureTimes(fixture, {
    ...{ group: 'instruments', name: 'one instrument with its open events', goal: goals.instruments },
    ask: (index) => fixture.clients.all.call('GET', `/api/instruments/${ids[index % ids.length]}`),
  })
}

async function measure(
  fixture: Fixture,
  {
    name,
    ask,
    viewer = 'all',
    note,
  }: { name: string; ask: (index: number) => InstrumentRequest; viewer?: Viewer; note?: string },
): Promise<void> {
  await measureTimes(fixture, {
    ...{ group: 'instruments', name: `instruments, ${name}`, goal: goals.instruments, note },
    ask: (index) => askInstruments(fixture.clients[viewer], ask(index)),
  })
}
