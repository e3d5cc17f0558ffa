import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readingAt } from './timeline-moment.ts'

/** An hour before UTC in winter. */
beforeAll(() => void vi.stubEnv('TZ', 'Europe/Stockholm'))
afterAll(() => void vi.unstubAllEnvs())

const at = (text: string) => new Date(text).getTime()
const now = at('2026-11-20T14:00:00Z')
const known = {
  statuses: [
    { value: 'ready' as const, from: at('2026-11-20T06:00:00Z'), to: at('2026-11-20T09:04:00Z') },
    { value: 'method run' as const, from: at('2026-11-20T09:04:00Z'), to: null },
  ],
  connections: [{ value: 'Connected' as const, from: at('2026-10-01T00:00:00Z'), to: null }],
  maintenances: [{ id: '1', start: '2026-11-20T12:00:00.000Z', end: null, reason: 'Service visit' }],
  runtimes: [{ day: '2026-11-20', from: at('2026-11-19T23:00:00Z'), to: at('2026-11-20T23:00:00Z'), seconds: 27_000 }],
}
const words = (instant: string) =>
  Object.fromEntries(
    readingAt(at(instant), known, { now, siteZone: 'Europe/Stockholm' }).facts.map((fact) => [fact.name, fact.words]),
  )

it('reads everything that held at an instant', () => {
  expect(words('2026-11-20T13:00:00Z')).toEqual({
    Status: 'method run since 20-Nov-2026 10:04 (4 h 56 min)',
    Connection: 'Connected since 01-Oct-2026 02:00 (50 days 14 h)',
    Maintenance: 'since 20-Nov-2026 13:00: Service visit',
    'Run time': '7.5 h on 20-Nov-2026',
  })
})

it('says what is not known, and of what is to come its maintenance alone', () => {
  expect(words('2026-09-01T00:00:00Z')).toEqual({
    Status: 'not known',
    Connection: 'not known',
    Maintenance: 'none',
    'Run time': 'no data',
  })
  expect(words('2026-11-21T00:00:00Z')).toEqual({ Maintenance: 'since 20-Nov-2026 13:00: Service visit' })
})

it('calls a status the last one where the connection was lost', () => {
  const lost = { ...known, connections: [{ value: 'Edge Issue' as const, from: at('2026-11-20T12:30:00Z'), to: null }] }
  const names = readingAt(at('2026-11-20T13:00:00Z'), lost, { now, siteZone: 'UTC' }).facts.map(({ name }) => name)
  expect(names).toEqual(['Last status', 'Connection', 'Maintenance', 'Run time'])
})

it('tells the time at the site where its clock differs', () => {
  const reading = (siteZone: string) => readingAt(now, known, { now, siteZone })
  expect(reading('Europe/Berlin').siteTime).toBeNull()
  expect(reading('Asia/Tokyo').siteTime).toBe('Nov 20, 2026 @ 23:00 (Asia/Tokyo)')
})
