import { expect, it } from 'vitest'
import { readQueryString, writeQueryString } from './query-string.ts'

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
