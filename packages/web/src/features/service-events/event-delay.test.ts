import { describe, expect, it } from 'vitest'
import { isDelayed } from './event-delay.ts'

describe('delayed', () => {
  it('is an event stored at least one hour after the instrument logged it', () => {
    const logGeneratedAt = '2026-11-20T10:00:00.000Z'
    expect(isDelayed({ logGeneratedAt, createdAt: '2026-11-20T11:00:00.000Z' })).toBe(true)
    expect(isDelayed({ logGeneratedAt, createdAt: '2026-11-20T10:59:59.999Z' })).toBe(false)
  })
})
