import { describe, expect, it } from 'vitest'
import {
  everythingSelected,
  headState,
  idsBetween,
  isSelected,
  nothingSelected,
  pressHead,
  selectedCount,
  setSelected,
  withoutIds,
} from './selection.ts'

const some = setSelected(nothingSelected, ['a', 'b'], true)
const allBut = setSelected(everythingSelected, ['a', 'b'], false)

describe('a selection', () => {
  it('of some ids holds these and counts them', () => {
    expect(['a', 'b', 'c'].map((id) => isSelected(some, id))).toEqual([true, true, false])
    expect(selectedCount(some, 100)).toBe(2)
  })

  it('of everything but some counts the total minus the excluded', () => {
    expect(['a', 'b', 'c'].map((id) => isSelected(allBut, id))).toEqual([false, false, true])
    expect(selectedCount(allBut, 100)).toBe(98)
  })

  it('adds or removes the id depending on the mode', () => {
    expect([...setSelected(some, ['c'], true).ids]).toEqual(['a', 'b', 'c'])
    expect([...setSelected(some, ['a'], false).ids]).toEqual(['b'])
    expect([...setSelected(allBut, ['c'], false).ids]).toEqual(['a', 'b', 'c'])
    expect([...setSelected(allBut, ['a'], true).ids]).toEqual(['b'])
  })

  it('never counts below zero, when excluded rows have left the list', () => {
    expect(selectedCount(allBut, 1)).toBe(0)
    expect(headState(allBut, 1)).toBe('none')
  })

  it('forgets ids that no longer exist, in both modes', () => {
    expect([...withoutIds(some, ['a', 'z']).ids]).toEqual(['b'])
    expect(selectedCount(withoutIds(allBut, ['a']), 99)).toBe(98)
    expect(withoutIds(some, ['z'])).toBe(some)
  })

  it('does not modify earlier selections', () => {
    setSelected(some, ['c'], true)
    expect(some.ids.has('c')).toBe(false)
    expect(nothingSelected.ids.size + everythingSelected.ids.size).toBe(0)
  })
})

describe('the box in the head', () => {
  it('shows all, none and some', () => {
    expect(headState(nothingSelected, 10)).toBe('none')
    expect(headState(some, 10)).toBe('some')
    expect(headState(some, 2)).toBe('all')
    expect(headState(everythingSelected, 10)).toBe('all')
    expect(headState(allBut, 10)).toBe('some')
  })

  it('selects everything, and from everything nothing; switching the mode forgets what was selected', () => {
    expect(pressHead(nothingSelected, 10)).toBe(everythingSelected)
    expect(pressHead(some, 10)).toBe(everythingSelected)
    expect(pressHead(allBut, 10)).toBe(everythingSelected)
    expect(pressHead(everythingSelected, 10)).toBe(nothingSelected)
  })
})

describe('a range', () => {
  const shown = ['a', 'b', 'c', 'd']

  it('runs in either direction and includes both ends', () => {
    expect(idsBetween(shown, 'b', 'd')).toEqual(['b', 'c', 'd'])
    expect(idsBetween(shown, 'c', 'a')).toEqual(['a', 'b', 'c'])
  })

  it('is the second row alone when the first is on another page or there is none', () => {
    expect(idsBetween(shown, 'z', 'c')).toEqual(['c'])
    expect(idsBetween(shown, null, 'c')).toEqual(['c'])
  })
})
