import { expect, it } from 'vitest'
import { deletableKinds, isConfirmed } from './deletion-words.ts'

it('each deletion is shown only with its flag, for support and administrators', () => {
  expect(deletableKinds('support', ['ALLOW_EVENT_DELETE', 'ALLOW_ASSET_DELETE'])).toEqual(['instrument', 'event'])
  expect(deletableKinds('admin', ['ALLOW_USER_DELETE', 'BACKOFFICE'])).toEqual(['user'])
  expect(deletableKinds('service', ['ALLOW_EVENT_DELETE'])).toEqual([])
  expect(deletableKinds('support', [])).toEqual([])
})

it('a deletion is confirmed by the name of the thing', () => {
  expect(isConfirmed(' orc-104882 ', 'ORC-104882')).toBe(true)
  expect(isConfirmed('ORC-10488', 'ORC-104882')).toBe(false)
  expect(isConfirmed('', '')).toBe(false)
})
