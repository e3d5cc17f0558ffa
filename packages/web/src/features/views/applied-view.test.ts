import { type View, viewState } from '@benchwatch/contract/events/views'
import { beforeEach, describe, expect, it } from 'vitest'
import { appliedView, isSameState, lastAppliedView, rememberAppliedView } from './applied-view.ts'
import type { ViewedList } from './list-state.ts'

const stateOf = (over: object) => viewState.parse(over)
const list: ViewedList = { area: 'events', presets: [], usual: stateOf({}), read: (state) => state, describe: () => '' }
const view = (id: string, state: object): View => ({
  id,
  area: 'events',
  name: `View ${id}`,
  shared: false,
  isDefault: false,
  isOwn: true,
  ownerName: 'Anna Lind',
  state: stateOf(state),
})
const pump = view('1', { keyword: 'pump' })
const alsoPump = view('2', { keyword: 'pump' })
const valve = view('3', { keyword: 'valve' })
const applied = (state: object, lastId: string | null, views = [pump, alsoPump, valve]) => {
  const found = appliedView(views, { list, state: stateOf(state), lastId })
  return found && [found.view.id, found.isChanged]
}

describe('the view shown', () => {
  it('is found by what the list shows', () => {
    expect(applied({ keyword: 'valve' }, null)).toEqual(['3', false])
    expect(applied({ keyword: 'motor' }, null)).toBeNull()
  })

  it('is the one applied last among equal ones', () => {
    expect(applied({ keyword: 'pump' }, null)).toEqual(['1', false])
    expect(applied({ keyword: 'pump' }, '2')).toEqual(['2', false])
  })

  it('is the one applied last, changed, where the list is like no view', () => {
    expect(applied({ keyword: 'motor' }, '3')).toEqual(['3', true])
    expect(applied({ keyword: 'motor' }, 'deleted')).toBeNull()
  })

  it('is another one where the list was changed into that', () => {
    expect(applied({ keyword: 'valve' }, '1')).toEqual(['3', false])
  })

  it('is none for the usual list, but for a view of it', () => {
    expect(applied({}, '3')).toBeNull()
    expect(applied({}, null, [view('4', {})])).toEqual(['4', false])
  })
})

describe('two states are the same', () => {
  it('whatever the order of filters, their values and the members of the range', () => {
    expect(
      isSameState(
        stateOf({ filters: { a: ['1', '2'], b: ['3'], c: [] }, range: { kind: 'last', days: 7 } }),
        stateOf({ filters: { b: ['3'], a: ['2', '1'] }, range: { days: 7, kind: 'last' } }),
      ),
    ).toBe(true)
  })

  it.each<[object, object]>([
    [{ columns: ['a', 'b'] }, { columns: ['b', 'a'] }],
    [{ filters: { a: ['1'] } }, { filters: { a: ['1', '2'] } }],
    [{ filters: { a: ['1'] } }, { filters: { b: ['1'] } }],
    [{ range: { kind: 'last', days: 7 } }, { range: { kind: 'last', days: 30 } }],
    [{ order: 'ASC' }, { order: 'DESC' }],
    [{ pageSize: 25 }, {}],
  ])('but not %j and %j', (one, other) => {
    expect(isSameState(stateOf(one), stateOf(other))).toBe(false)
  })
})

describe('the tab', () => {
  beforeEach(() => sessionStorage.clear())

  it('remembers a view for each area, and forgets it', () => {
    rememberAppliedView('events', '7')
    expect([lastAppliedView('events'), lastAppliedView('instruments')]).toEqual(['7', null])
    rememberAppliedView('events', null)
    expect(lastAppliedView('events')).toBeNull()
  })
})
