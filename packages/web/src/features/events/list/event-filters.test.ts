import { eventFilterCategories } from '@benchwatch/contract/vocabulary'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { describe, expect, it } from 'vitest'
import type { EventFilterChoice } from '../events.search.ts'
import { appliedFilters, type FilterNames, filterValueLabel, offeredCategories } from './event-filters.ts'

const names: FilterNames = {
  users: [
    { id: 'u-nair', name: 'Priya Nair' },
    { id: 'u-me', name: 'Anna Lind' },
    { id: 'u-berg', name: 'Jonas Berg' },
  ],
  viewerId: 'u-me',
  types: seededTypes,
}
const filterData = [
  { key: 'owner', values: ['u-nair', 'u-me', 'u-berg', 'SYSTEM', 'none'] },
  { key: 'instrumentType', values: ['Wave25', 'AKTAPilot600'] },
  { key: 'siteCountry', values: ['Norway', 'Sweden'] },
  { key: 'componentName', values: [] },
]
const offer = (chosen: EventFilterChoice = {}, data: typeof filterData | null = filterData) =>
  Object.fromEntries(
    offeredCategories({ filterData: data ?? undefined, chosen, names }).map((category) => [category.key, category]),
  )
const labels = (category: { options: { label: string }[] } | undefined) => category?.options.map(({ label }) => label)

describe('filter categories', () => {
  it('are all there, in their order, labelled Module and Component for componentName and componentType', () => {
    const all = offeredCategories({ filterData, chosen: {}, names })
    expect(all.map(({ key }) => key)).toEqual(eventFilterCategories.map(({ key }) => key))
    expect(all).toHaveLength(17)
    expect(offer().componentName?.label).toBe('Module')
    expect(offer().componentType?.label).toBe('Component')
  })

  it('of closed lists read in words', () => {
    const offered = offer()
    expect(labels(offered.alertStatus)).toEqual(['New', 'In progress', 'Closed'])
    expect(labels(offered.alertType)).toEqual(['Alarm', 'Alert'])
    expect(labels(offered.severity)).toEqual(['High', 'Medium', 'Low'])
    expect(labels(offered.instrumentType)).toEqual(['Wave 25/Xuri', 'ÄKTA pilot 600'])
    expect(labels(offered.qualifiedSystem)).toEqual(['Yes', 'No'])
    expect(offered.qualifiedSystem?.options.map(({ value }) => value)).toEqual(['true', 'false'])
  })

  it('list owners: Me, None and Automatic first, then users by name', () => {
    expect(labels(offer().owner)).toEqual(['Me', 'None', 'Automatic', 'Jonas Berg', 'Priya Nair'])
  })

  it('keep what is chosen and not offered any more, so that it can be taken away', () => {
    expect(offer({ siteCountry: ['Atlantis', 'Sweden'] }).siteCountry?.options).toEqual([
      { value: 'Norway', label: 'Norway' },
      { value: 'Sweden', label: 'Sweden' },
      { value: 'Atlantis', label: 'Atlantis', note: '(not offered any more)' },
    ])
  })

  it('keep what was chosen as the panel opened, so that a slip can be undone', () => {
    const [country] = offeredCategories({
      filterData,
      chosen: {},
      chosenBefore: { siteCountry: ['Atlantis'] },
      names,
    }).filter(({ key }) => key === 'siteCountry')
    expect(labels(country)).toEqual(['Norway', 'Sweden', 'Atlantis'])
  })

  it('match a chosen value whatever its case', () => {
    expect(offer({ siteCountry: ['sweden'] }).siteCountry?.options.map(({ value }) => value)).toEqual([
      'Norway',
      'sweden',
    ])
  })

  it('that are closed can be chosen from without filter data; others show what is chosen', () => {
    const offered = offer({ siteCountry: ['Sweden'] }, null)
    expect(labels(offered.severity)).toEqual(['High', 'Medium', 'Low'])
    expect(offered.siteCountry?.options).toEqual([{ value: 'Sweden', label: 'Sweden' }])
  })

  it('say where a choice finds no edge issues: every one but region, country, city, customer, type, status, severity, owner and reason', () => {
    const finding = offeredCategories({ filterData, chosen: {}, names }).filter(({ hint }) => hint === undefined)
    expect(finding.map(({ key }) => key).sort()).toEqual(
      [
        'siteRegion',
        'siteCountry',
        'siteCity',
        'enterpriseName',
        'alertType',
        'alertStatus',
        'severity',
        'owner',
        'reasonClosed',
      ].sort(),
    )
    expect(offer().instrumentType?.hint).toBe('Not available for Edge Issue events')
  })
})

describe('the name of an owner', () => {
  it('is not guessed: it is awaited, and unknown where nobody has that id', () => {
    expect(filterValueLabel('owner', 'u-gone', names)).toBe('Unknown user')
    expect(filterValueLabel('owner', 'u-berg', { ...names, users: undefined })).toBe('…')
  })
})

describe('chips', () => {
  it('name two values and count the others', () => {
    const filter = { siteCountry: ['Sweden', 'Norway', 'Japan', 'Italy', 'Chile'], alertType: ['1'] }
    expect(appliedFilters(filter, names)).toEqual([
      { key: 'alertType', label: 'Event type', text: 'Alarm', full: 'Alarm' },
      {
        key: 'siteCountry',
        label: 'Country',
        text: 'Sweden, Norway +3',
        full: 'Sweden, Norway, Japan, Italy, Chile',
      },
    ])
  })
})
