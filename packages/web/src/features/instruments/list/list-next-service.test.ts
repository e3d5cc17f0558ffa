import { describe, expect, it } from 'vitest'
import { daysOf, movingServiceRanges, serviceDays, serviceLabel, usualServiceRange } from './list-next-service.ts'

const now = new Date(2026, 10, 20, 15, 4).getTime()

describe('the days of the next service', () => {
  it('are the viewer’s days, and come back as they were', () => {
    const range = { start: '2026-03-28', stop: '2026-03-30' }
    const days = serviceDays(range)
    expect(days).toEqual({ start: new Date(2026, 2, 28), stop: new Date(2026, 2, 30) })
    expect(days && daysOf(days)).toEqual(range)
  })

  it('are none where neither end is chosen; an open end is open', () => {
    expect(serviceDays({ start: null, stop: null })).toBeNull()
    expect(serviceLabel({ start: null, stop: null })).toBeNull()
    expect(serviceLabel({ start: '2026-11-20', stop: null })).toBe('From 20-Nov-2026')
    expect(serviceLabel({ start: null, stop: '2026-11-20' })).toBe('Until 19-Nov-2026')
    expect(serviceLabel({ start: '1970-01-01', stop: '2026-11-20' })).toBe('Until 19-Nov-2026')
    expect(serviceLabel({ start: '2026-11-05', stop: '2026-12-01' })).toBe('05-Nov-2026 – 30-Nov-2026')
    expect(serviceLabel({ start: '2026-11-20', stop: '2026-11-21' })).toBe('20-Nov-2026')
  })

  it('begin, once they are asked for, with today and what is due in 90 days', () => {
    expect(usualServiceRange(now)).toEqual({ start: '2026-11-20', stop: '2027-02-19' })
    const next90 = movingServiceRanges(now).find(({ label }) => label === 'Next 90 days')
    expect(next90?.range).toEqual(usualServiceRange(now))
  })

  it('overdue is everything before today', () => {
    expect(movingServiceRanges(now)[0]).toMatchObject({ label: 'Overdue', range: { stop: '2026-11-20' } })
  })
})
