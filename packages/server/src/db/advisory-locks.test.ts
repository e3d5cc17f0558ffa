import { expect, test } from 'vitest'
import { advisoryLocks } from './advisory-locks.ts'

test('each advisory lock has a key of its own', () => {
  const keys = Object.values(advisoryLocks)
  expect(new Set(keys).size).toBe(keys.length)
})
