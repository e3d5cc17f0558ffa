import { INGEST_ITEM_ID } from '@benchwatch/contract/patterns'
import { expect, it } from 'vitest'
import { newEpoch } from './epoch.ts'

it('makes a UUID of version 7 that can stand in an item id', () => {
  const epoch = newEpoch(Date.parse('2026-11-20T14:02:23.000Z'))
  expect(epoch).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(`${epoch}-1`).toMatch(INGEST_ITEM_ID)
})

it('sorts later lives of an outbox after earlier ones, and no two are the same', () => {
  const now = Date.now()
  expect(newEpoch(now) < newEpoch(now + 1)).toBe(true)
  expect(newEpoch(now)).not.toBe(newEpoch(now))
})
