import { sync, type VEvent } from 'node-ical'
import { expect, it } from 'vitest'
import type { CalendarEntry } from './calendars.queries.ts'
import { calendarText } from './calendars.service.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
const asked = { name: 'Line 3', publicUrl: 'https://lab.example:8443', product: 'Benchwatch', now }
const service = (instrumentId: number, day: string): CalendarEntry => ({
  kind: 'service',
  at: Date.parse(day),
  day,
  revision: 2,
  instrumentId,
  systemName: `PILOT ${'long name '.repeat(12)}`,
  productDescription: 'ÄKTA pilot 600',
  installedProductId: 'IP-1',
  customer: 'Östra; Läkemedel',
  city: null,
  building: null,
  room: null,
})

function eventsOf(text: string): VEvent[] {
  return Object.values(sync.parseICS(text)).filter((part): part is VEvent => part?.type === 'VEVENT')
}

it('says on the day after its last entry that there are more', () => {
  const entries = [service(1, '2026-12-01'), service(2, '2026-12-03')]
  const events = eventsOf(calendarText({ ...asked, entries, hasMore: true }))
  expect(events.map(({ uid, start }) => [uid, start?.toDateString()])).toEqual([
    ['service-1@lab.example', 'Tue Dec 01 2026'],
    ['service-2@lab.example', 'Thu Dec 03 2026'],
    ['more@lab.example', 'Fri Dec 04 2026'],
  ])
  expect(eventsOf(calendarText({ ...asked, entries, hasMore: false }))).toHaveLength(2)
})

it('folds lines at 75 bytes and escapes what RFC 5545 asks for', () => {
  const text = calendarText({ ...asked, entries: [service(1, '2026-12-01')], hasMore: false })
  const longest = Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))
  expect(longest).toBeLessThanOrEqual(75)
  expect(text).toContain('DTSTART;VALUE=DATE:20261201\r\n')
  expect(text).toContain('DTSTAMP:20261120T140000Z\r\n')
  expect(text).toContain('LOCATION:Östra\\; Läkemedel\r\n')
  expect(text).toContain('SEQUENCE:20000\r\n')
  expect(eventsOf(text)[0]?.location).toBe('Östra; Läkemedel')
})
