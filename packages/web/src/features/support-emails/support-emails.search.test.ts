import { expect, it } from 'vitest'
import { isNarrowed, readTemplateSearch, writeTemplateSearch } from './support-emails.search.ts'

it('an address is read and written back', () => {
  const address = { keyword: 'pump', page: '2', instrumentType: 'AKTAPure', underReview: 'false' }
  const search = readTemplateSearch(address)
  expect(search).toEqual({
    keyword: 'pump',
    page: 2,
    pageSize: 25,
    instrumentType: 'AKTAPure',
    underReview: 'false',
  })
  expect(writeTemplateSearch(search)).toEqual(address)
})

it('what is no choice chooses nothing, and the usual is not written', () => {
  const search = readTemplateSearch({ instrumentType: 'ÄKTA pure', underReview: 'maybe', page: '0' })
  expect(search).toMatchObject({ instrumentType: null, underReview: null, page: 1 })
  expect(writeTemplateSearch(search)).toEqual({})
})

it('each of the three narrows the list', () => {
  const all = readTemplateSearch({})
  expect(isNarrowed(all)).toBe(false)
  expect(isNarrowed({ ...all, keyword: ' ' })).toBe(false)
  expect(isNarrowed({ ...all, keyword: 'x' })).toBe(true)
  expect(isNarrowed({ ...all, instrumentType: 'Wave25' })).toBe(true)
  expect(isNarrowed({ ...all, underReview: 'false' })).toBe(true)
})
