import { describe, expect, it } from 'vitest'
import { readNotificationSearch, readUserId, writeNotificationSearch } from './notifications.search.ts'

describe('the address of the list of notifications', () => {
  it('is empty for one’s own, newest page', () => {
    expect(writeNotificationSearch(readNotificationSearch({}))).toEqual({})
  })

  it.each([[{ user: '7' }], [{ user: '7', page: '3', pageSize: '100' }], [{ page: '2' }]])(
    'says it all: %j',
    (address) => {
      expect(writeNotificationSearch(readNotificationSearch(address))).toEqual(address)
    },
  )

  it.each([
    ['0', '1000', 'me'],
    ['-1', '13', '1; DROP'],
    ['x', '', '9'.repeat(19)],
  ])('falls back where it says nothing: page %s, page size %s, user %s', (page, pageSize, user) => {
    expect(readNotificationSearch({ page, pageSize, user })).toEqual({ userId: null, page: 1, pageSize: 12 })
  })

  it('takes a number that the router parsed', () => {
    expect(readUserId(7)).toBe('7')
    expect(readUserId(undefined)).toBeNull()
  })
})
