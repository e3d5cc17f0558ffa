import { expect, test } from 'vitest'
import { changedProperties } from './changed-properties.ts'

test('one entry per property that differs, with both values as texts', () => {
  const before = { name: 'Lund', tierOne: false, ways: ['email'], phone: null }
  const after = { name: 'Malmö', tierOne: true, ways: ['email', 'sms'], phone: null }
  expect(changedProperties(before, after)).toEqual([
    { action: 'update', property: 'name', oldValue: 'Lund', newValue: 'Malmö' },
    { action: 'update', property: 'tierOne', oldValue: 'false', newValue: 'true' },
    { action: 'update', property: 'ways', oldValue: '["email"]', newValue: '["email","sms"]' },
  ])
})

test('what was missing counts as null, and what the new object does not have is left alone', () => {
  expect(changedProperties({ id: '17' }, { name: 'Lund', phone: null })).toEqual([
    { action: 'update', property: 'name', oldValue: null, newValue: 'Lund' },
  ])
})

test('a creation is one entry with the whole object', () => {
  expect(changedProperties(undefined, { name: 'Lund' })).toEqual([{ action: 'created', newValue: '{"name":"Lund"}' }])
})
