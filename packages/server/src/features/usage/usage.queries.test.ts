import { expect, it } from 'vitest'
import { lastDays } from './usage.queries.ts'

const now = new Date('2026-11-20T14:00:00Z')

it('ends today at the site, which may be yesterday or tomorrow elsewhere', () => {
  expect(lastDays(7, { now, timeZone: 'Europe/Stockholm' })).toEqual({ from: '2026-11-14', to: '2026-11-20' })
  expect(lastDays(7, { now, timeZone: 'Pacific/Auckland' })).toEqual({ from: '2026-11-15', to: '2026-11-21' })
  expect(lastDays(30, { now: new Date('2026-11-20T05:00:00Z'), timeZone: 'America/Los_Angeles' })).toEqual({
    from: '2026-10-21',
    to: '2026-11-19',
  })
})
