import { expect, test } from 'vitest'
import { advisoryLocks } from './advisory-locks.ts'

test('each advisory lock has its own key', () => {
  const keys = Object.values(advisoryLocks)
  expect(new Set(keys).size).toBe(keys.length)
})
