import { INSTALLED_PRODUCT_ID } from '@benchwatch/contract/patterns'
import { instrumentFilterCategories, instrumentOrderBy, orcStatuses, pageSizes } from '@benchwatch/contract/vocabulary'
import { instrumentFamilies, instrumentTypes } from '@benchwatch/samples/equipment/instrument-type'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQueryString, writeQueryString } from '../../lib/list/list-address.ts'
import { readColumnKeys } from '../../ui/list/list-columns.ts'
import { connectedInstrumentsAddress } from '../connections/connections.api.ts'
import {
  defaultInstrumentSearch,
  type InstrumentSearch,
  instrumentAddress,
  instrumentColumnKeys,
  readFilters,
  readInstrumentSearch,
  sortBy,
  writeInstrumentSearch,
} from './instruments.search.ts'
import { instrumentColumns } from './list/instrument-list.columns.tsx'

const day = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const installedProductId = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,15}$/)

const anySearch: fc.Arbitrary<InstrumentSearch> = fc
  .record({
    page: fc.integer({ min: 1, max: 999_999 }),
    pageSize: fc.constantFrom(...pageSizes),
    keyword: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
    instrumentFamily: fc.constantFrom('All' as const, ...instrumentFamilies.map(({ family }) => family)),
    instruments: fc.uniqueArray(installedProductId, { maxLength: 50 }),
    start: fc.option(day),
    stop: fc.option(day),
    filter: fc
      .record(
        {
          instrumentType: fc.subarray([...instrumentTypes], { minLength: 1 }),
          orcStatus: fc.subarray([...orcStatuses], { minLength: 1 }),
          maintenance: fc.subarray(['on', 'scheduled', 'none'], { minLength: 1 }),
          instrumentCustomer: fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), {
            minLength: 1,
            maxLength: 5,
          }),
        },
        { requiredKeys: [] },
      )
      .map((filter) => filter as InstrumentSearch['filter']),
    order: fc.constantFrom('ASC' as const, 'DESC' as const),
    orderBy: fc.constantFrom(...instrumentOrderBy),
    temporaryFilters: fc.boolean(),
    columns: fc.shuffledSubarray(instrumentColumnKeys).map((keys) => readColumnKeys(instrumentColumnKeys, keys)),
  })
  .filter(({ start, stop }) => start === null || stop === null || start < stop)

describe('the query string of the list of instruments', () => {
  it('gives back whatever was set up, also through the text of an address', () => {
    fc.assert(
      fc.property(anySearch, (search) => {
        const address = writeQueryString(writeInstrumentSearch(search))
        expect(readInstrumentSearch(readQueryString(address))).toEqual(search)
      }),
    )
  })

  it('has page, pageSize, keyword, instrumentFamily (default All), instruments and temporaryFilters', () => {
    expect(
      readInstrumentSearch({
        page: '3',
        pageSize: '50',
        keyword: 'pump',
        instrumentFamily: 'ÄKTA pilot',
        instruments: 'IP-1,IP-2',
        temporaryFilters: 'true',
      }),
    ).toMatchObject({
      page: 3,
      pageSize: 50,
      keyword: 'pump',
      instrumentFamily: 'ÄKTA pilot',
      instruments: ['IP-1', 'IP-2'],
      temporaryFilters: true,
    })
    expect(readInstrumentSearch({})).toEqual(defaultInstrumentSearch)
    expect(defaultInstrumentSearch).toMatchObject({ instrumentFamily: 'All', page: 1, pageSize: 12 })
  })

  it('of an untouched list is empty', () => {
    expect(writeInstrumentSearch(defaultInstrumentSearch)).toEqual({})
  })

  it.each([
    [{ page: '0' }, { page: 1 }],
    [
      { page: 'two', pageSize: '13' },
      { page: 1, pageSize: 12 },
    ],
    [
      { page: '3x', pageSize: '25.0' },
      { page: 1, pageSize: 12 },
    ],
    [{ instrumentFamily: 'Centrifuges' }, { instrumentFamily: 'Centrifuges' }],
    [{ instrumentFamily: 'a/b' }, { instrumentFamily: 'All' }],
    [
      { orderBy: 'price', order: 'up' },
      { orderBy: 'instrumentProductDescription', order: 'ASC' },
    ],
    [{ keyword: 'x'.repeat(50) }, { keyword: 'x'.repeat(40) }],
    [
      { start: '2026-06-31', stop: 'soon' },
      { start: null, stop: null },
    ],
    [
      { start: '2026-12-01', stop: '2026-12-01' },
      { start: null, stop: null },
    ],
    [{ start: '2026-12-01T23:30:00-02:00' }, { start: '2026-12-02' }],
    [{ columns: 'events,nonsense,events' }, { columns: ['events'] }],
  ] as const)('%j is read as %j', (address, search) => {
    expect(readInstrumentSearch({ ...address })).toMatchObject(search)
  })

  it('never throws, and never asks the server for what it refuses', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.anything()), (address) => {
        const search = readInstrumentSearch(address)
        expect(search.instruments.every((id) => INSTALLED_PRODUCT_ID.test(id))).toBe(true)
        expect(readInstrumentSearch(writeInstrumentSearch(search))).toEqual(search)
      }),
    )
  })
})

const names = [
  ...['page', 'pageSize', 'keyword', 'instrumentFamily', 'instruments', 'filters', 'order', 'orderBy', 'start'],
  ...['stop', 'columns', 'temporaryFilters'],
] as const

describe('the instruments of an address', () => {
  it('are cut at 1000 characters, and an id that is cut in two is left out', () => {
    const ids = Array.from({ length: 120 }, (_, index) => `IP-${10_000_000 + index}`)
    const { instruments } = readInstrumentSearch({ instruments: ids.join(',') })
    expect(instruments).toEqual(ids.slice(0, 83))
    expect(ids.join(',')[1000]).not.toBe(',')
  })

  it('keep the last one where the cut falls right behind it', () => {
    const ids = Array.from({ length: 120 }, (_, index) => `IP-${1_000_000 + index}`)
    expect(ids.join(',')[1000]).toBe(',')
    expect(readInstrumentSearch({ instruments: ids.join(',') }).instruments).toEqual(ids.slice(0, 91))
  })

  it('are each named once, and what is no id is dropped', () => {
    expect(readInstrumentSearch({ instruments: 'IP-1,,IP-1, IP-2 ,<b>,../x' }).instruments).toEqual(['IP-1', 'IP-2'])
  })

  it('open as the links to connected instruments name them', () => {
    const address = connectedInstrumentsAddress(['IP-1', 'IP-2'])
    expect(readInstrumentSearch(readQueryString(address.slice(address.indexOf('?'))))).toEqual({
      ...defaultInstrumentSearch,
      instruments: ['IP-1', 'IP-2'],
      temporaryFilters: true,
    })
  })
})

describe('filters', () => {
  it('drop unicornStatus and unknown values', () => {
    expect(readFilters('unicornStatus=On;orcStatus=connected,Lost;instrumentCity=Uppsala')).toEqual({
      orcStatus: ['Connected'],
      instrumentCity: ['Uppsala'],
    })
  })

  it('are named by the address only as filters: another parameter leaves the saved ones in place', () => {
    expect(instrumentAddress.namesFilters({ filters: 'orcStatus=Connected' })).toBe(true)
    expect(instrumentAddress.namesFilters({ instrumentFamily: 'UniFlux', keyword: 'x' })).toBe(false)
  })

  it('know every category of the contract', () => {
    for (const { key } of instrumentFilterCategories) {
      const value = { instrumentType: 'UniFlux', instrumentStatus: 'wash', orcStatus: 'Connected', maintenance: 'on' }
      const values: Record<string, string> = { ...value, usageLimit: 'reached' }
      const chosen = values[key] ?? 'true'
      expect(readFilters(`${key}=${chosen}`)).toEqual({ [key]: [chosen] })
    }
  })
})

describe('sorting', () => {
  it('ascends at the first click on a column and flips at the next, back on the first page', () => {
    for (const orderBy of instrumentOrderBy.slice(1)) {
      const once = sortBy({ ...defaultInstrumentSearch, page: 4 }, orderBy)
      expect(once).toMatchObject({ page: 1, orderBy, order: 'ASC' })
      expect(sortBy(once, orderBy).order).toBe('DESC')
      expect(sortBy(sortBy(once, orderBy), orderBy).order).toBe('ASC')
    }
  })

  it('offers every order that the server knows, each once', () => {
    expect(instrumentColumns.all.map(({ key }) => key)).toEqual(instrumentColumnKeys)
    expect(instrumentColumns.all.map(({ orderBy }) => orderBy ?? '').toSorted()).toEqual(
      [...instrumentOrderBy].toSorted(),
    )
  })
})
