import { expect, it } from 'vitest'
import { readOutboxSearch, writeOutboxSearch } from './outbox.search.ts'

it('contains whose messages are listed, which is open and which part of it, and omits defaults', () => {
  const search = { to: 'anna@', message: '12', part: 'headers' } as const
  expect(writeOutboxSearch(search)).toEqual({ to: 'anna@', message: '12', part: 'headers' })
  expect(readOutboxSearch(writeOutboxSearch(search))).toEqual(search)
  expect(writeOutboxSearch(readOutboxSearch({}))).toEqual({})
})

it('reads an address that anybody may have written', () => {
  expect(readOutboxSearch({ to: 'x'.repeat(300), message: '1 OR 1', part: 'script' })).toEqual({
    to: 'x'.repeat(200),
    message: null,
    part: 'html',
  })
})
