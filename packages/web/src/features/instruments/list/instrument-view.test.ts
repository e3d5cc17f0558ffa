import { viewState } from '@benchwatch/contract/events/views'
import { instrumentFilterCategories } from '@benchwatch/contract/vocabulary'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { describe, expect, it } from 'vitest'
import { familyLabel } from '../../../lib/instrument-type.ts'
import { isSameState } from '../../views/applied-view.ts'
import { defaultInstrumentSearch, type InstrumentSearch } from '../instruments.search.ts'
import { familyTabs } from './instrument-list.tsx'
import { appliedFilters, instrumentViews, offeredCategories, searchOfView, viewOfSearch } from './instrument-view.ts'
import { movingServiceRanges } from './list-next-service.ts'

const now = new Date(2026, 10, 20, 14, 2).getTime()
const daysLater = (days: number) => new Date(2026, 10, 20 + days, 9, 30).getTime()
const search = (over: Partial<InstrumentSearch> = {}): InstrumentSearch => ({ ...defaultInstrumentSearch, ...over })
const views = instrumentViews({ hasUsage: true, types: seededTypes })
const rangeNamed = (name: string) => {
  const named = movingServiceRanges(now).find(({ label }) => label === name)
  if (named === undefined) throw new Error(`no range ${name}`)
  return named.range
}

describe('the built-in views', () => {
  const filtered = (hasUsage: boolean) =>
    instrumentViews({ hasUsage, types: seededTypes }).presets.map(({ name, state }) => {
      const { filter, start, stop } = searchOfView(state, defaultInstrumentSearch, now)
      return [name, filter, start, stop]
    })

  it('find what needs attention', () => {
    expect(filtered(true)).toEqual([
      ['Lost connection', { orcStatus: ['Edge Issue', 'Disconnected'] }, null, null],
      ['Service overdue', {}, '1970-01-01', '2026-11-20'],
      ['In maintenance', { maintenance: ['on'] }, null, null],
      ['Limit reached', { usageLimit: ['reached'] }, null, null],
    ])
  })

  it('leave the usage limit to those who may see usage', () => {
    expect(filtered(false).map(([name]) => name)).toEqual(['Lost connection', 'Service overdue', 'In maintenance'])
  })
})

describe('a view of the list of instruments', () => {
  it('keeps family, filters, keyword, range, sort, columns and page size, and gives them back', () => {
    const set = search({
      pageSize: 50,
      keyword: 'pump',
      instrumentFamily: 'WAVE 25',
      filter: { instrumentCity: ['Washington, DC'] },
      order: 'DESC',
      orderBy: 'eventCount',
      columns: ['events', 'instrument'],
      start: '2026-03-01',
      stop: '2026-03-04',
    })
    const state = viewOfSearch(set, now)
    expect(viewState.parse(state)).toEqual(state)
    expect(searchOfView(state, defaultInstrumentSearch, daysLater(40))).toEqual(set)
  })

  it('of the usual list is empty', () => {
    expect(views.usual).toEqual(viewState.parse({}))
    expect(isSameState(views.read(viewState.parse({})), views.usual)).toBe(true)
    expect(views.describe(views.usual)).toBe('Default list')
  })

  it.each([
    ['Overdue', '1970-01-01', '2026-12-30'],
    ['Next 30 days', '2026-12-30', '2027-01-30'],
  ])('with the range %s moves along with the calendar', (name, start, stop) => {
    const state = viewOfSearch(search(rangeNamed(name)), now)
    expect(searchOfView(state, defaultInstrumentSearch, daysLater(40))).toMatchObject({ start, stop })
  })

  it('leaves alone which instruments an address limits the list to', () => {
    const state = viewOfSearch(search({ instruments: ['IP-1'], keyword: 'pump' }), now)
    expect(JSON.stringify(state)).not.toContain('IP-1')
    const limited = search({ instruments: ['IP-2'], temporaryFilters: true })
    expect(searchOfView(state, limited, now)).toMatchObject({
      keyword: 'pump',
      instruments: ['IP-2'],
      temporaryFilters: true,
    })
  })

  it('reads in a few words', () => {
    const set = search({
      instrumentFamily: 'WAVE 25',
      filter: { maintenance: ['on'], orcStatus: ['Edge Issue'] },
      keyword: 'x',
      orderBy: 'eventCount',
      order: 'DESC',
      columns: ['events'],
      pageSize: 25,
      ...rangeNamed('Overdue'),
    })
    expect(views.describe(viewOfSearch(set, Date.now()))).toMatch(
      /^WAVE 25\/Xuri · Edge Issue · On · “x” · service: .+ · by events · 1 column · 25 per page$/,
    )
  })
})

describe('instrument filter', () => {
  const offer = (filterData: { key: string; values: string[] }[] | undefined) =>
    offeredCategories({ filterData, chosen: {}, chosenBefore: {}, types: seededTypes })

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
        appliedFilters({ filter, start: '2026-11-20', stop: '2026-12-01' }, seededTypes).map(({ label, text }) => [
          label,
          text,
        ]),
      ).toEqual([
        ['ORC status', 'Edge Issue, Disconnected +1'],
        ['Region', 'EMEA'],
        ['Next service', '20-Nov-2026 – 30-Nov-2026'],
      ])
      expect(appliedFilters({ filter: {}, start: null, stop: null }, seededTypes)).toEqual([])
    })
  })

  describe('the tabs of families', () => {
    it('are All and the families that there are; WAVE 25 is shown as WAVE 25/Xuri', () => {
      expect(familyTabs(['WAVE 25', 'UniFlux'], 'All').map((key) => familyLabel(seededTypes, key))).toEqual([
        'All',
        'WAVE 25/Xuri',
        'UniFlux',
      ])
    })

    it('hold the family that an address names, although there is no instrument of it', () => {
      expect(familyTabs(['UniFlux'], 'ÄKTA go')).toEqual(['All', 'UniFlux', 'ÄKTA go'])
    })
  })
})
