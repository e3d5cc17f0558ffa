import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { isSelected } from '../../lib/list/selection.ts'
import { rememberOpened } from './list-frame.tsx'
import { useSelection } from './use-list-rows.ts'

const firstPage = ['a', 'b', 'c', 'd']
const list = { area: 'events', of: 'severity=high', total: 100, shown: firstPage, gone: [] as string[] }

beforeEach(() => sessionStorage.clear())

function selecting() {
  const { result, rerender, unmount } = renderHook((props: typeof list) => useSelection(props), { initialProps: list })
  return {
    get now() {
      return result.current
    },
    do: (change: (selection: typeof result.current) => void) => act(() => change(result.current)),
    leave: unmount,
    show: (changes: Partial<typeof list>) => rerender({ ...list, ...changes }),
    chosen: (ids: string[]) => ids.filter((id) => isSelected(result.current.selection, id)),
  }
}

it('outlives paging and sorting', () => {
  const list = selecting()
  list.do(({ toggle }) => toggle('b'))
  list.show({ shown: ['e', 'f'] })
  list.do(({ toggle }) => toggle('e'))
  list.show({ shown: ['d', 'c', 'b', 'a'] })
  expect(list.chosen(['a', 'b', 'e'])).toEqual(['b', 'e'])
  expect(list.now.count).toBe(2)
})

it('outlives a look at the page of a row, and nothing else', () => {
  const before = selecting()
  before.do(({ pressHead }) => pressHead())
  before.do(({ toggle }) => toggle('b'))
  before.leave()
  rememberOpened('events', '104882')
  const after = selecting()
  expect([after.now.count, after.chosen(['a', 'b'])]).toEqual([99, ['a']])
  after.show({ of: 'severity=low' })
  after.show({})
  after.leave()
  expect(selecting().now.count).toBe(0)

  const other = selecting()
  other.do(({ toggle }) => toggle('b'))
  other.leave()
  sessionStorage.removeItem('benchwatch.events.opened')
  expect(selecting().now.count).toBe(0)
})

it('ends with what narrowed the list, and does not come back with it', () => {
  const list = selecting()
  list.do(({ pressHead }) => pressHead())
  expect(list.now.count).toBe(100)
  list.show({ of: 'severity=low', total: 7 })
  expect(list.now).toMatchObject({ count: 0, head: 'none' })
  list.show({})
  expect(list.now.count).toBe(0)
})

it('with everything selected a press leaves a row out, and new rows belong to it', () => {
  const list = selecting()
  list.do(({ selectAll }) => selectAll())
  list.do(({ toggle }) => toggle('b'))
  expect(list.now).toMatchObject({ count: 99, head: 'some' })
  list.show({ total: 103 })
  expect(list.now.count).toBe(102)
})

it('with range reaches from the row that was pressed before, in the order shown', () => {
  const list = selecting()
  list.do(({ toggle }) => toggle('d'))
  list.do(({ toggle }) => toggle('b', { range: true }))
  expect(list.chosen(firstPage)).toEqual(['b', 'c', 'd'])
  // The clicked row decides: it was selected, so the whole range is deselected.
  list.do(({ toggle }) => toggle('d', { range: true }))
  expect(list.chosen(firstPage)).toEqual([])
})

it('forgets rows that are gone', () => {
  const list = selecting()
  list.do(({ toggle }) => toggle('a'))
  list.do(({ toggle }) => toggle('b'))
  list.show({ gone: ['a'] })
  expect(list.now.count).toBe(1)
})
