import { describe, expect, it } from 'vitest'
import { defaultEventSearch } from '../events.search.ts'
import { eventRange, listRequest, rangeOfAddress } from './event-list-request.ts'

const noon = new Date(2026, 10, 20, 12).getTime()
const midnight = (month: number, day: number) => new Date(2026, month - 1, day).toISOString()

describe('the date range', () => {
  it("is the last 7 days by default, from the start of day to the end of today in the viewer's zone", () => {
    expect(eventRange({ start: null, stop: null }, noon)).toEqual({ start: midnight(11, 13), stop: midnight(11, 21) })
  })

  it('with only a start runs to the end of today; with only a stop it starts 7 days before', () => {
    expect(eventRange({ start: midnight(1, 1), stop: null }, noon).stop).toBe(midnight(11, 21))
    expect(eventRange({ start: null, stop: midnight(10, 20) }, noon).start).toBe(midnight(10, 13))
  })

  it('later than today is clamped to today', () => {
    expect(eventRange({ start: midnight(11, 18), stop: midnight(12, 24) }, noon)).toEqual({
      start: midnight(11, 18),
      stop: midnight(11, 21),
    })
    expect(eventRange({ start: midnight(12, 1), stop: midnight(12, 24) }, noon)).toEqual(
      eventRange({ start: null, stop: null }, noon),
    )
  })

  it('is left out of the address where it is the default, so that it moves along; any other is named', () => {
    expect(rangeOfAddress(eventRange({ start: null, stop: null }, noon), noon)).toEqual({ start: null, stop: null })
    const other = { start: midnight(11, 12), stop: midnight(11, 21) }
    expect(rangeOfAddress(other, noon)).toEqual(other)
  })
})

describe('the request', () => {
  it('skips (page - 1) × page size', () => {
    expect(listRequest({ ...defaultEventSearch, page: 3, pageSize: 25 }, noon).query).toMatchObject({
      limit: '25',
      offset: '50',
    })
  })

  it('names keyword, range, order, page and filter, each as the address has it', () => {
    const search = {
      ...defaultEventSearch,
      keyword: ' pump ',
      start: midnight(11, 1),
      stop: midnight(11, 5),
      order: 'ASC' as const,
      orderBy: 'siteCity' as const,
      page: 2,
      pageSize: 50 as const,
      filter: { severity: ['high'] },
    }
    expect(listRequest(search, noon)).toEqual({
      query: {
        keyword: 'pump',
        start: midnight(11, 1),
        stop: midnight(11, 5),
        order: 'ASC',
        orderBy: 'siteCity',
        limit: '50',
        offset: '50',
      },
      body: { filter: { severity: ['high'] } },
    })
  })

  it('sends parameters only when defined', () => {
    const { query, body } = listRequest({ ...defaultEventSearch, keyword: ' ' }, noon)
    expect(Object.keys(query).sort()).toEqual(['limit', 'offset', 'order', 'orderBy', 'start', 'stop'])
    expect(body).toEqual({ filter: {} })
  })

  it('asks for one quick filter by its flag', () => {
    const flags = { noOwner: 'noOwnerEvents', noAction: 'noActionEvents', fullSupport: 'fullSupportEvents' } as const
    for (const quick of ['noOwner', 'noAction', 'fullSupport'] as const) {
      const { query } = listRequest({ ...defaultEventSearch, quick }, noon)
      const sent = Object.entries(query).filter(([name]) => name.endsWith('Events'))
      expect(sent).toEqual([[flags[quick], 'true']])
    }
  })
})
