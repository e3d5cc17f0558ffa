import { describe, expect, it } from 'vitest'
import { pageQuery, readListSearch, readQueryString, writeListSearch, writeQueryString } from './list-address.ts'

it.each([
  [{}, { keyword: '', page: 1, pageSize: 25 }],
  [
    { keyword: 'helix', page: '3', pageSize: '50' },
    { keyword: 'helix', page: 3, pageSize: 50 },
  ],
  [
    { page: '0', pageSize: '101' },
    { keyword: '', page: 1, pageSize: 25 },
  ],
  [
    { page: '-1', pageSize: '12.5' },
    { keyword: '', page: 1, pageSize: 25 },
  ],
  // Not one of the page sizes on offer.
  [{ pageSize: '33' }, { keyword: '', page: 1, pageSize: 25 }],
  [{ keyword: 'x'.repeat(50) }, { keyword: 'x'.repeat(40), page: 1, pageSize: 25 }],
  [{ keyword: 'gw\u0000upp' }, { keyword: 'gw upp', page: 1, pageSize: 25 }],
  // A lone surrogate could not be written back into an address.
  [{ keyword: `${'x'.repeat(39)}🧪` }, { keyword: 'x'.repeat(39), page: 1, pageSize: 25 }],
])('reads %j as %j', (parameters, search) => {
  expect(readListSearch(parameters)).toEqual(search)
})

it('writes only what is not as usual, and reads it back', () => {
  expect(writeListSearch({ keyword: '', page: 1, pageSize: 25 })).toEqual({})
  const search = { keyword: 'gw', page: 2, pageSize: 100 } as const
  expect(readListSearch(writeListSearch(search))).toEqual(search)
})

it('asks for the rows of the page, and for no empty keyword', () => {
  expect(pageQuery({ keyword: '  ', page: 3, pageSize: 25 })).toEqual({ limit: 25, offset: 50 })
  expect(pageQuery({ keyword: ' gw ', page: 1, pageSize: 12 })).toEqual({ limit: 12, offset: 0, keyword: 'gw' })
})

describe('query string', () => {
  it('keeps texts that look like numbers or lists as texts', () => {
    const search = { keyword: '123', page: '2', alertStatus: '1_NEW,2_IN_PROGRESS', start: '2026-11-13T00:00:00.000Z' }
    const text = writeQueryString(search)
    expect(text).toBe('?keyword=123&page=2&alertStatus=1_NEW,2_IN_PROGRESS&start=2026-11-13T00:00:00.000Z')
    expect(readQueryString(text)).toEqual(search)
  })

  it('survives every character', () => {
    const search = { keyword: 'a&b=c ä+%2C#?"', filters: 'siteCity=S%3Bao;severity=high' }
    expect(readQueryString(writeQueryString(search))).toEqual(search)
  })

  it('writes what a cut left of a character', () => {
    expect(writeQueryString({ to: 'ada🧪'.slice(0, 4) })).toBe(`?to=ada${encodeURIComponent('\uFFFD')}`)
  })

  it('leaves out what is not there', () => {
    expect(writeQueryString({ keyword: '', start: undefined, stop: null })).toBe('')
  })
})
