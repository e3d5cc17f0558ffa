import { beforeEach, describe, expect, it } from 'vitest'
import { filtersToOpenWith, lastListAddress, rememberListAddress } from './list-address.ts'
import { saveFilters } from './saved-filters.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('saved filters', () => {
  it('apply where the address names none', () => {
    saveFilters({ severity: ['high'], siteCity: ['Washington, DC'] })
    expect(filtersToOpenWith({ keyword: 'pump' })).toEqual({ severity: ['high'], siteCity: ['Washington, DC'] })
  })

  it('give way to the filters of the address', () => {
    saveFilters({ severity: ['high'] })
    expect(filtersToOpenWith({ filters: 'severity=low' })).toBeNull()
    expect(filtersToOpenWith({ alertStatus: '1_NEW' })).toBeNull()
  })

  it('are not read when the address says temporaryFilters=true', () => {
    saveFilters({ severity: ['high'] })
    expect(filtersToOpenWith({ temporaryFilters: 'true' })).toBeNull()
  })

  it('with unknown values are dropped, and whatever else the storage holds does no harm', () => {
    localStorage.setItem('benchwatch.events.filters', JSON.stringify('alertStatus=9_LOST,1_NEW;colour=red'))
    expect(filtersToOpenWith({})).toEqual({ alertStatus: ['1_NEW'] })
    for (const broken of ['{', '[]', 'null', '7']) {
      localStorage.setItem('benchwatch.events.filters', broken)
      expect(filtersToOpenWith({})).toBeNull()
    }
  })
})

describe('the way back to the list', () => {
  it('leads to where the list was left, and to the plain list when an event was opened by its link', () => {
    expect(lastListAddress()).toEqual({})
    rememberListAddress({ keyword: 'pump', page: '3' })
    expect(lastListAddress()).toEqual({ keyword: 'pump', page: '3' })
  })
})
