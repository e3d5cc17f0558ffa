import { expect, it } from 'vitest'
import { defaultEventSearch, readEventSearch } from './events.search.ts'

it('alertStatus is cut at 40 characters', () => {
  const forty = `1_NEW,${'x'.repeat(25)},3_CLOSED`
  expect(forty).toHaveLength(40)
  expect(readEventSearch({ alertStatus: forty }).filter).toEqual({ alertStatus: ['1_NEW', '3_CLOSED'] })
  expect(readEventSearch({ alertStatus: `${forty},2_IN_PROGRESS` }).filter).toEqual({
    alertStatus: ['1_NEW', '3_CLOSED'],
  })
  expect(readEventSearch({ alertStatus: `x${forty}` }).filter).toEqual({})
})

it('start and stop longer than 40 characters are no dates', () => {
  const start = `2026-11-13T00:00:00.000Z${'0'.repeat(40)}`
  expect(readEventSearch({ start, stop: start })).toEqual(defaultEventSearch)
})
