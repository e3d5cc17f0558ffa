import { describe, expect, it } from 'vitest'
import { beyond, extended, type ListWalk, missingSide, placeIn } from './list-walk.ts'

const names = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `e${from + index}`)
/** The second page of 12 among 382: e13 to e24. */
const walk: ListWalk = { address: {}, offset: 12, total: 382, names: names(13, 24) }

describe('the place of an event in its list', () => {
  it('counts from 1 over all pages, with the neighbours on both sides', () => {
    expect(placeIn(walk, 'e14')).toEqual({ place: 14, total: 382, previous: 'e13', next: 'e15' })
  })

  it('does not exist for an event that the list did not show', () => {
    expect(placeIn(walk, 'e99')).toBeNull()
    expect(missingSide(walk, 'e99')).toBeNull()
  })

  it('is near an end only at a page border that is not the end of the list', () => {
    expect(missingSide(walk, 'e16')).toBeNull()
    expect(missingSide(walk, 'e21')).toBeNull()
    expect(missingSide(walk, 'e22')).toBe('after')
    expect(missingSide(walk, 'e15')).toBe('before')
    expect(missingSide({ ...walk, total: 24 }, 'e24')).toBeNull()
    expect(missingSide({ ...walk, offset: 0 }, 'e13')).toBeNull()
  })
})

describe('the next page', () => {
  it('is read with an overlap, so that events that moved up are not skipped', () => {
    expect(beyond(walk, 'after')).toEqual({ offset: 0, limit: 100 })
    expect(beyond({ ...walk, offset: 200 }, 'after')).toEqual({ offset: 162, limit: 100 })
  })

  it('continues after the last known event', () => {
    expect(extended(walk, 'after', names(1, 40)).names).toEqual(names(13, 40))
  })

  it('keeps the places of events that left the list after they were closed', () => {
    // e13 to e20 were closed and left: what follows moved up by eight.
    const next = extended(walk, 'after', [...names(1, 12), ...names(21, 48)])
    // Events before the first known one belong to the page before.
    expect(next.names).toEqual(names(13, 48))
    expect(placeIn(next, 'e25')).toMatchObject({ place: 25, previous: 'e24' })
  })

  it('takes everything when all known events have left', () => {
    const first = { ...walk, offset: 0, names: names(1, 12) }
    expect(extended(first, 'after', names(13, 40)).names).toEqual(names(1, 40))
  })

  it('is the end of the list if nothing follows', () => {
    const last = extended(walk, 'after', names(1, 24))
    expect(last.total).toBe(24)
    expect(missingSide(last, 'e24')).toBeNull()
  })

  it('does not repeat an event that changed its place in the order', () => {
    expect(extended(walk, 'after', [...names(14, 24), 'e25', 'e13']).names).toEqual([...names(13, 24), 'e25'])
  })
})

describe('the page before', () => {
  it('continues before the first known event', () => {
    const before = extended(walk, 'before', names(1, 60))
    expect([before.offset, before.names[0], before.names.length]).toEqual([0, 'e1', 24])
    expect(placeIn(before, 'e13')).toMatchObject({ place: 13, previous: 'e12' })
  })

  it('leaves out events that are new at the start of the list', () => {
    expect(extended(walk, 'before', ['new2', 'new1', ...names(1, 60)]).names[0]).toBe('e1')
  })
})
