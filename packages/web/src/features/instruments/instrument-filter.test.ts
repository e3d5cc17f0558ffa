import { instrumentFilterCategories } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { familyLabel, familyTabs } from './family-tabs-model.ts'
import { appliedFilters } from './instrument-filter.ts'
import { offeredCategories } from './instrument-filter-offer.ts'

const offer = (filterData: { key: string; values: string[] }[] | undefined) =>
  offeredCategories({ filterData, chosen: {}, chosenBefore: {} })

describe('the filters of instruments', () => {
  it('are all categories of the contract, in its order', () => {
    expect(offer([]).map(({ key }) => key)).toEqual(instrumentFilterCategories.map(({ key }) => key))
  })

  it('offer the closed lists before the filter data are there, in words', () => {
    const offered = offer(undefined)
    const labels = (key: string) => offered.find((one) => one.key === key)?.options.map(({ label }) => label)
    expect(labels('orcStatus')).toEqual(['Connected', 'Edge Issue', 'Disconnected', 'Onboarding'])
    expect(labels('maintenance')).toEqual(['On', 'Scheduled', 'None'])
    expect(labels('qualifiedSystem')).toEqual(['Yes', 'No'])
    expect(labels('instrumentType')).toContain('ÄKTA pilot 600')
    expect(labels('instrumentCity')).toEqual([])
  })

  it('stand on chips, with the days of the next service, which say what they are of', () => {
    const filter = { orcStatus: ['Edge Issue', 'Disconnected', 'Onboarding'], instrumentRegion: ['EMEA'] }
    expect(
      appliedFilters({ filter, start: '2026-11-20', stop: '2026-12-01' }).map(({ label, text }) => [label, text]),
    ).toEqual([
      ['ORC status', 'Edge Issue, Disconnected +1'],
      ['Region', 'EMEA'],
      ['Next service', '20-Nov-2026 – 30-Nov-2026'],
    ])
    expect(appliedFilters({ filter: {}, start: null, stop: null })).toEqual([])
  })
})

describe('the tabs of families', () => {
  it('are All and the families that there are; WAVE 25 is shown as WAVE 25/Xuri', () => {
    expect(familyTabs(['WAVE 25', 'UniFlux'], 'All').map(familyLabel)).toEqual(['All', 'WAVE 25/Xuri', 'UniFlux'])
  })

  it('hold the family that an address names, although there is no instrument of it', () => {
    expect(familyTabs(['UniFlux'], 'ÄKTA go')).toEqual(['All', 'UniFlux', 'ÄKTA go'])
  })
})
