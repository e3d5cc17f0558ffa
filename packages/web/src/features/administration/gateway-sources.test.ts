import { expect, it } from 'vitest'
import { isSilent } from './gateway-sources.tsx'

const now = Date.parse('2026-11-20T14:00:00.000Z')

it('a gateway is silent ten minutes after its last contact, and before its first', () => {
  expect(isSilent('2026-11-20T13:50:00.000Z', now)).toBe(false)
  expect(isSilent('2026-11-20T13:49:59.999Z', now)).toBe(true)
  expect(isSilent(null, now)).toBe(true)
})
