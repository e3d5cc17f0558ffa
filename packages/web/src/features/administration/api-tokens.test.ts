import { expect, it } from 'vitest'
import { expiryInstant, expiryLimits } from './api-tokens.tsx'

const now = new Date(2026, 10, 20, 14, 2)

it('is so many days from now', () => {
  expect(expiryInstant(30, '', now)).toBe(new Date(2026, 11, 20, 14, 2).toISOString())
})

it('is the end of a chosen day', () => {
  expect(expiryInstant('date', '2026-12-24', now)).toBe(new Date(2026, 11, 24, 23, 59, 59, 999).toISOString())
})

it.each(['', '2026-11-20', '2028-11-20', 'tomorrow'])('is none for %j: from tomorrow on, within two years', (day) => {
  expect(expiryInstant('date', day, now)).toBeNull()
})

it('names the days between which to choose', () => {
  expect(expiryLimits(now)).toEqual({ min: '2026-11-21', max: '2028-11-18' })
})
