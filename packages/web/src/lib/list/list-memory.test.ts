import { beforeEach, describe, expect, it } from 'vitest'
import { defaultEventSearch, type EventSearch, eventAddress } from '../../features/events/events.search.ts'
import { lastListAddress, rememberChoice, rememberedSearch, rememberListAddress } from './list-memory.ts'

const opening = (address: object) => rememberedSearch(eventAddress, { ...address })
const choose = (next: Partial<EventSearch>, before: Partial<EventSearch> = {}) =>
  rememberChoice(eventAddress, {
    before: { ...defaultEventSearch, ...before },
    next: { ...defaultEventSearch, ...before, ...next },
  })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('remembered filters', () => {
  it('apply where the address names none', () => {
    choose({ filter: { severity: ['high'], siteCity: ['Washington, DC'] } })
    expect(opening({ keyword: 'pump' })).toMatchObject({
      keyword: 'pump',
      filter: { severity: ['high'], siteCity: ['Washington, DC'] },
    })
  })

  it('give way to the filters of the address', () => {
    choose({ filter: { severity: ['high'] } })
    expect(opening({ filters: 'severity=low' })).toBeNull()
    expect(opening({ alertStatus: '1_NEW' })).toBeNull()
  })

  it('are neither read nor written when the address says temporaryFilters=true', () => {
    choose({ filter: { severity: ['low'] }, temporaryFilters: true })
    expect(opening({})).toBeNull()
    choose({ filter: { severity: ['high'] } })
    expect(opening({ temporaryFilters: 'true' })).toBeNull()
  })

  it('are only chosen ones: paging through a shared link replaces nothing', () => {
    choose({ filter: { severity: ['high'] } })
    choose({ page: 2 }, { filter: { severity: ['low'] } })
    expect(opening({})?.filter).toEqual({ severity: ['high'] })
  })

  it('that were cleared stay away', () => {
    choose({ filter: { severity: ['high'] } })
    choose({ filter: {} }, { filter: { severity: ['high'] } })
    expect(opening({})).toBeNull()
  })

  it('with unknown values are dropped, and whatever else the storage holds does no harm', () => {
    localStorage.setItem('benchwatch.events.filters', JSON.stringify('alertStatus=9_LOST,1_NEW;colour=red'))
    expect(opening({})?.filter).toEqual({ alertStatus: ['1_NEW'] })
    for (const broken of ['{', '[]', 'null', '7']) {
      localStorage.setItem('benchwatch.events.filters', broken)
      expect(opening({})).toBeNull()
    }
  })
})

describe('remembered columns', () => {
  it('apply unless the address names columns or is temporary', () => {
    expect(opening({})).toBeNull()
    choose({ columns: ['status', 'eventId'] })
    expect(opening({})?.columns).toEqual(['status', 'eventId'])
    expect(opening({ columns: 'age' })).toBeNull()
    expect(opening({ temporaryFilters: true })).toBeNull()
    choose({ columns: null }, { columns: ['status', 'eventId'] })
    expect(opening({})).toBeNull()
  })

  it('are read with care', () => {
    localStorage.setItem('benchwatch.events.columns', '["status", "nonsense", 7, "status"]')
    expect(opening({})?.columns).toEqual(['status'])
    localStorage.setItem('benchwatch.events.columns', '{"a": 1}')
    expect(opening({})).toBeNull()
  })
})

describe('the way back to the list', () => {
  it('leads to where the list was left, and to the plain list when an event was opened by its link', () => {
    expect(lastListAddress(eventAddress)).toEqual({})
    rememberListAddress(eventAddress, { keyword: 'pump', page: '3' })
    expect(lastListAddress(eventAddress)).toEqual({ keyword: 'pump', page: '3' })
  })
})
