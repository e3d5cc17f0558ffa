import { describe, expect, it } from 'vitest'
import { readEventSearch } from '../features/events/events.search.ts'
import { closedFor, createdOn, createdThen, ofCustomer, openNow, searched } from './events-behind.ts'
import { TableRow } from './table-rows.ts'

const query = { from: '2026-11-01', to: '2026-11-20', customers: ['Helix, "Biologics"'] }
const row = (cells: Record<string, string>) =>
  new TableRow(
    Object.keys(cells).map((key) => ({ key, label: key, kind: 'text' })),
    Object.values(cells),
  )
const range = { start: '2026-11-01T00:00:00.000Z', stop: '2026-11-21T00:00:00.000Z', temporaryFilters: true }

describe('the events behind a figure', () => {
  it('are those of the same days in UTC and the same customers', () => {
    expect(readEventSearch(createdThen(query))).toMatchObject({ ...range, filter: { enterpriseName: query.customers } })
    expect(readEventSearch(createdThen({ ...query, customers: [] })).filter).toEqual({})
  })

  it('of a column are those of its days', () => {
    expect(readEventSearch(createdOn(query, '2026-11-16', 5))).toMatchObject({
      start: '2026-11-16T00:00:00.000Z',
      stop: '2026-11-21T00:00:00.000Z',
    })
  })

  it('of an age are the open ones of that age, whatever the days', () => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    expect(readEventSearch(openNow(query, now, '1 to 7 days'))).toMatchObject({
      start: '2026-11-13T12:00:00.000Z',
      stop: '2026-11-19T12:00:00.000Z',
      filter: { alertStatus: ['1_NEW', '2_IN_PROGRESS'], enterpriseName: query.customers },
    })
    expect(readEventSearch(openNow(query, now, '30 days and more'))).toMatchObject({
      start: '1970-01-01T00:00:00.000Z',
      stop: '2026-10-21T12:00:00.000Z',
    })
    expect(readEventSearch(openNow(query, now))).toMatchObject({ start: '1970-01-01T00:00:00.000Z', stop: null })
  })

  it('of a bar are narrowed to what the bar represents', () => {
    expect(readEventSearch(ofCustomer(row({ customer: 'Öberg' }), query)).filter).toEqual({ enterpriseName: ['Öberg'] })
    expect(readEventSearch(closedFor(row({ reason: 'Duplicate event' }), query)).filter).toMatchObject({
      reasonClosed: ['Duplicate event'],
    })
    expect(readEventSearch(searched('instrument')(row({ instrument: 'IP-1' }), query)).keyword).toBe('IP-1')
  })
})
