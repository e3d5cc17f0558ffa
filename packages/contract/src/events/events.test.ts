import { describe, expect, it } from 'vitest'
import { instantInput } from '../primitives.ts'
import { eventFilter, listServiceEvents, serviceEventChange, updateServiceEvent } from './events.ts'

const query = listServiceEvents.query

describe('the query of the event list', () => {
  it('defaults to the newest 20', () => {
    expect(query.parse({})).toEqual({ limit: 20, offset: 0, orderBy: 'createdAt' })
  })

  it('reads numbers, flags and order from text, order in any case', () => {
    expect(query.parse({ limit: '100', offset: '24', order: 'desc', noOwnerEvents: 'true' })).toMatchObject({
      limit: 100,
      offset: 24,
      order: 'DESC',
      noOwnerEvents: true,
    })
  })

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: 'ten' },
    { offset: '-1' },
    { order: 'up' },
    { orderBy: 'customer' },
    { keyword: 'x'.repeat(41) },
    { keyword: 'a\u0000b' },
    { start: 'yesterday' },
    { start: '2026-13-01T00:00:00Z' },
    { noOwnerEvents: '1' },
    { unknown: 'x' },
  ])('refuses %j', (bad) => {
    expect(query.safeParse(bad).success).toBe(false)
  })
})

describe('instants in requests', () => {
  it.each([
    ['2026-11-20T14:02:23.000Z', '2026-11-20T14:02:23.000Z'],
    ['2026-11-20T15:02:23+01:00', '2026-11-20T14:02:23.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(instantInput.parse(text).toISOString()).toBe(expected)
  })

  it.each(['2026-02-30', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '20 Nov 2026', ''])(
    '%j is none',
    (text) => {
      expect(instantInput.safeParse(text).success).toBe(false)
    },
  )
})

describe('filters', () => {
  it('hold lists of values by category', () => {
    expect(eventFilter.parse({ severity: ['high', 'LOW'], owner: [] })).toEqual({
      severity: ['high', 'LOW'],
      owner: [],
    })
  })

  it('exclude the values of a category with an exclamation mark', () => {
    const filter = { severity: ['high'], 'severity!': ['low'], 'owner!': ['none'] }
    expect(eventFilter.parse(filter)).toEqual(filter)
  })

  it.each([
    { colour: ['red'] },
    { 'colour!': ['red'] },
    { 'severity!!': ['low'] },
    { severity: 'high' },
    { severity: [1] },
    { severity: Array(201).fill('high') },
  ])('refuse %j', (bad) => {
    expect(eventFilter.safeParse(bad).success).toBe(false)
  })
})

describe('changes', () => {
  it('take the six fields and nothing else', () => {
    expect(serviceEventChange.safeParse({ alertStatus: 'CLOSED', reasonClosed: 'No action required' }).success).toBe(
      true,
    )
    expect(updateServiceEvent.body.safeParse({ severity: 'low' }).success).toBe(false)
    expect(serviceEventChange.safeParse({ alertStatus: '3_CLOSED' }).success).toBe(false)
    expect(serviceEventChange.safeParse({ reasonClosed: 'no action required' }).success).toBe(false)
    expect(serviceEventChange.safeParse({ reasonClosedComment: 'x'.repeat(2001) }).success).toBe(false)
  })
})
