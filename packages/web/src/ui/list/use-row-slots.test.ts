import { describe, expect, it } from 'vitest'
import { nextSlots } from './use-list-rows.ts'

const slotsOf = (before: ReadonlyMap<string, number>, ids: readonly string[]) =>
  ids.map((id) => nextSlots(before, ids).get(id))

describe('places of rows', () => {
  const page = nextSlots(new Map(), ['a', 'b', 'c'])

  it('are in order on the first page', () => {
    expect([...page]).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ])
  })

  it('are the same for the rows of another page', () => {
    expect(slotsOf(page, ['d', 'e', 'f'])).toEqual([0, 1, 2])
  })

  it('stay with rows that stay, and go from those that went to those that came', () => {
    expect(slotsOf(page, ['x', 'a', 'b'])).toEqual([2, 0, 1])
    expect(slotsOf(page, ['c', 'x', 'y', 'z'])).toEqual([2, 0, 1, 3])
  })

  it('are never used twice', () => {
    let slots = new Map<string, number>()
    for (const ids of [['a', 'b', 'c'], ['c'], ['d', 'c', 'e', 'f'], [], ['f', 'g']]) {
      slots = nextSlots(slots, ids)
      expect(new Set(slots.values()).size).toBe(ids.length)
    }
  })
})
