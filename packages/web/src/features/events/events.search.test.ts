import { eventFilterCategories, eventOrderBy, pageSizes, quickFilters } from '@benchwatch/contract/vocabulary'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readColumnKeys } from '../../ui/list/list-columns.ts'
import {
  chooseValues,
  defaultEventSearch,
  type EventSearch,
  eventColumnKeys,
  firstOrder,
  KEYWORD,
  namesFilters,
  openAmong,
  openEvents,
  pressValue,
  readEventSearch,
  readMapView,
  sortBy,
  usualMapView,
  writeEventSearch,
  writeMapView,
} from './events.search.ts'

const instant = fc
  .date({ min: new Date('1970-01-02T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

const openCategories = ['owner', 'componentName', 'contractSLA', 'enterpriseName', 'siteCity', 'siteCountry'] as const
const freeText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })

const members = {
  alertStatus: fc.subarray(['1_NEW', '2_IN_PROGRESS', '3_CLOSED'], { minLength: 1 }),
  severity: fc.subarray(['high', 'medium', 'low'], { minLength: 1 }),
  ...Object.fromEntries(
    openCategories.map((key) => [key, fc.uniqueArray(freeText, { minLength: 1, maxLength: 5 })] as const),
  ),
}
const excludedMembers = Object.fromEntries(Object.entries(members).map(([key, values]) => [`${key}!`, values]))
const anyFilter = fc
  .record({ ...members, ...excludedMembers }, { requiredKeys: [] })
  .map((filter) => filter as EventSearch['filter'])

const anyMapView = fc.option(
  fc.record({
    latitude: fc.integer({ min: -6000, max: 9000 }).map((hundredths) => hundredths / 100),
    longitude: fc.integer({ min: -18_000, max: 18_000 }).map((hundredths) => hundredths / 100),
    // The default view is never written to an address, so its zoom is not generated.
    zoom: fc.integer({ min: 5, max: 15 }),
  }),
)
const anySearch: fc.Arbitrary<EventSearch> = fc
  .record({
    page: fc.integer({ min: 1, max: 999_999 }),
    pageSize: fc.constantFrom(...pageSizes),
    keyword: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
    start: fc.option(instant),
    stop: fc.option(instant),
    filter: anyFilter,
    order: fc.constantFrom('ASC' as const, 'DESC' as const),
    orderBy: fc.constantFrom(...eventOrderBy),
    quick: fc.option(fc.constantFrom(...quickFilters)),
    temporaryFilters: fc.boolean(),
    view: fc.constantFrom('list', 'map'),
    map: anyMapView,
    columns: fc.shuffledSubarray(eventColumnKeys).map((keys) => readColumnKeys(eventColumnKeys, keys)),
  })
  .filter(({ start, stop }) => start === null || stop === null || start < stop)

describe('the query string of the event list', () => {
  it('keeps no control character of a keyword, which the server would refuse', () => {
    expect(readEventSearch({ keyword: 'pump\u0000 b\n' }).keyword).toBe('pump  b ')
  })

  it('contains everything: a written state is read back unchanged, even through a real address', () => {
    fc.assert(
      fc.property(anySearch, (search) => {
        const address = new URLSearchParams(writeEventSearch(search)).toString()
        expect(readEventSearch(Object.fromEntries(new URLSearchParams(address)))).toEqual(search)
      }),
    )
  })

  it('never throws and always returns something valid, whatever it contains', () => {
    const anything = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(undefined), fc.array(fc.string()))
    const names = [
      'page',
      'pageSize',
      'keyword',
      'start',
      'stop',
      'alertStatus',
      'filters',
      'order',
      'orderBy',
      'quick',
      'columns',
    ]
    fc.assert(
      fc.property(fc.record(Object.fromEntries(names.map((name) => [name, anything]))), (parameters) => {
        const search = readEventSearch(parameters)
        expect(search.page).toBeGreaterThanOrEqual(1)
        expect(pageSizes).toContain(search.pageSize)
        expect(search.keyword.length).toBeLessThanOrEqual(40)
        expect(eventOrderBy).toContain(search.orderBy)
        expect(readEventSearch(writeEventSearch(search))).toEqual(search)
      }),
    )
  })

  it('falls back to page 1 and 12 rows where page and pageSize are not digits or unknown', () => {
    expect(readEventSearch({ page: '-3', pageSize: '13' })).toEqual(defaultEventSearch)
    expect(readEventSearch({ page: '0', pageSize: 'all' })).toEqual(defaultEventSearch)
    expect(readEventSearch({ page: '3x', pageSize: '25x' })).toEqual(defaultEventSearch)
    expect(readEventSearch({ page: '1.5', pageSize: '2e1' })).toEqual(defaultEventSearch)
    expect(readEventSearch({ page: 4, pageSize: 50 })).toMatchObject({ page: 4, pageSize: 50 })
  })

  it('cuts the keyword at 40 characters', () => {
    expect(readEventSearch({ keyword: 'x'.repeat(41) }).keyword).toBe('x'.repeat(40))
  })

  it('drops unknown event statuses, severities and categories', () => {
    expect(readEventSearch({ alertStatus: '1_NEW,9_LOST' }).filter).toEqual({ alertStatus: ['1_NEW'] })
    expect(readEventSearch({ filters: 'severity=high,grave;colour=red;siteCountry=Sweden' }).filter).toEqual({
      severity: ['high'],
      siteCountry: ['Sweden'],
    })
  })

  it('marks excluded values with an exclamation mark, and drops unknown ones', () => {
    const search = { ...defaultEventSearch, filter: { severity: ['high'], 'alertStatus!': ['3_CLOSED'] } }
    expect(writeEventSearch(search)).toEqual({ filters: 'alertStatus!=3_CLOSED;severity=high' })
    expect(readEventSearch({ filters: 'severity!=LOW,grave;colour!=red;siteCity!!=Oslo;!=x' }).filter).toEqual({
      'severity!': ['low'],
    })
    expect(namesFilters({ filters: 'severity!=low' })).toBe(true)
  })

  it('reads dates without a time as days of the viewer’s, the last one to its end, and drops a range that ends before it starts', () => {
    const midnight = (day: number) => new Date(2026, 10, day).toISOString()
    expect(readEventSearch({ start: '2026-11-13', stop: '2026-11-13' })).toMatchObject({
      start: midnight(13),
      stop: midnight(14),
    })
    expect(readEventSearch({ stop: '9999-12-31' }).stop ?? '9').toMatch(/^9/)
    expect(readEventSearch({ start: '2026-02-30', stop: '2026-02-30T10:00Z' })).toEqual(defaultEventSearch)
    expect(readEventSearch({ start: '2026-11-14', stop: '2026-11-13' })).toEqual(defaultEventSearch)
    expect(readEventSearch({ start: 'yesterday' }).start).toBeNull()
  })

  it('understands the link of the instrument list', () => {
    const link =
      'keyword=20431187&alertStatus=1_NEW,2_IN_PROGRESS&start=2026-11-01T08:00:00.000Z&temporaryFilters=true&page=1&pageSize=12'
    expect(readEventSearch(Object.fromEntries(new URLSearchParams(link)))).toEqual({
      ...defaultEventSearch,
      keyword: '20431187',
      start: '2026-11-01T08:00:00.000Z',
      filter: { alertStatus: ['1_NEW', '2_IN_PROGRESS'] },
      temporaryFilters: true,
    })
  })

  it('leaves defaults out of the address', () => {
    expect(writeEventSearch(defaultEventSearch)).toEqual({})
  })

  it('knows whether it names filters, so that saved ones apply only where it is silent', () => {
    expect(namesFilters({ keyword: 'pump' })).toBe(false)
    expect(namesFilters({ filters: 'severity=high' })).toBe(true)
    expect(namesFilters({ alertStatus: '1_NEW' })).toBe(true)
  })
})

describe('sorting', () => {
  it('the first click on a column sorts ascending, createdAt descending; a second click flips', () => {
    for (const orderBy of eventOrderBy) {
      const first = sortBy(
        { ...defaultEventSearch, orderBy: orderBy === 'severity' ? 'eventId' : 'severity', page: 3 },
        orderBy,
      )
      expect(first).toMatchObject({ orderBy, order: firstOrder(orderBy), page: 1 })
      expect(first.order).toBe(orderBy === 'createdAt' ? 'DESC' : 'ASC')
      expect(sortBy(first, orderBy).order).toBe(first.order === 'ASC' ? 'DESC' : 'ASC')
    }
  })
})

describe('choosing filter values', () => {
  it('returns to the first page and drops a category without a choice', () => {
    const category = eventFilterCategories[2].key
    const chosen = chooseValues({ ...defaultEventSearch, page: 5 }, category, ['high'])
    expect(chosen).toMatchObject({ page: 1, filter: { severity: ['high'] } })
    expect(chooseValues(chosen, category, []).filter).toEqual({})
  })
})

describe('map view', () => {
  test.each([
    ['48.86,2.35,9', { latitude: 48.86, longitude: 2.35, zoom: 9 }],
    ['-33.9,-151,5', { latitude: -33.9, longitude: -151, zoom: 5 }],
  ])('the address %s holds the place and the zoom of the map', (text, view) => {
    expect(readMapView(text)).toEqual(view)
    expect(writeMapView(view)).toBe(text)
  })

  test('what lies beyond the bounds is moved to them: latitude -60 to 90, longitude -180 to 180, zoom 3 to 15', () => {
    expect(readMapView('-90,200,1')).toEqual({ latitude: -60, longitude: 180, zoom: 3 })
    expect(readMapView('95,-181,22')).toEqual({ latitude: 90, longitude: -180, zoom: 15 })
  })

  test('the usual view, centred on the Stockholm area at zoom 4, needs no address', () => {
    expect(usualMapView).toEqual({ latitude: 59.33, longitude: 18.07, zoom: 4 })
    expect(readMapView(writeMapView(usualMapView))).toBeNull()
  })

  test.each(['', '59.33', '59.33,18.07', '59.33,18.07,x', 'NaN,0,4', '1e9,0,4', '59.3333333,18,4', ' 1,1,4'])(
    '%j is no view of the map',
    (text) => expect(readMapView(text)).toBeNull(),
  )

  test('more decimals the nearer one looks', () => {
    const near = { latitude: 59.329321, longitude: 18.068581 }
    expect(writeMapView({ ...near, zoom: 4 })).toBe('59.33,18.07,4')
    expect(writeMapView({ ...near, zoom: 10 })).toBe('59.329,18.069,10')
    expect(writeMapView({ ...near, zoom: 15 })).toBe('59.3293,18.0686,15')
  })
})

describe('a pressed value', () => {
  const listed: EventSearch = { ...defaultEventSearch, page: 4, filter: { siteCity: ['Oslo'], 'severity!': ['low'] } }
  const press = (category: string, value: string, isExcluded = false) =>
    pressValue(listed, { category, value, isExcluded })

  it('is added to the filter of its category, or with Alt to what that category excludes, on page 1', () => {
    expect(press('siteCity', 'Bergen')).toEqual({
      ...listed,
      page: 1,
      filter: { siteCity: ['Oslo', 'Bergen'], 'severity!': ['low'] },
    })
    expect(press('severity', 'medium', true).filter).toEqual({
      siteCity: ['Oslo'],
      'severity!': ['low', 'medium'],
    })
    expect(press('siteCity', 'Oslo').filter).toEqual(listed.filter)
  })

  it('is either wanted or excluded', () => {
    expect(press('severity', 'low').filter).toEqual({ siteCity: ['Oslo'], severity: ['low'] })
    expect(press('siteCity', 'Oslo', true).filter).toEqual({ 'siteCity!': ['Oslo'], 'severity!': ['low'] })
  })

  it('without a filter of its own becomes the keyword, and an unknown one changes nothing', () => {
    expect(press(KEYWORD, 'IP-1007')).toEqual({ ...listed, page: 1, keyword: 'IP-1007' })
    expect(press('colour', 'red').filter).toBe(listed.filter)
  })

  it('on a page leads to the open events of any age that share it', () => {
    const search = pressValue(openEvents(), { category: 'enterpriseName', value: 'Helix Bio', isExcluded: false })
    expect(writeEventSearch(search)).toEqual({
      alertStatus: '1_NEW,2_IN_PROGRESS',
      filters: 'enterpriseName=Helix Bio',
      start: '1970-01-01T00:00:00.000Z',
      temporaryFilters: 'true',
    })
  })
})

it('open are the statuses that the filter lets through', () => {
  expect(openAmong({})).toEqual(['1_NEW', '2_IN_PROGRESS'])
  expect(openAmong({ alertStatus: ['1_NEW', '3_CLOSED'] })).toEqual(['1_NEW'])
  expect(openAmong({ 'alertStatus!': ['1_NEW', '3_CLOSED'] })).toEqual(['2_IN_PROGRESS'])
})
