import { describe, expect, it } from 'vitest'
import { pageCount, pageExtent, pageItems } from './pagination.tsx'

const shown = (page: number, pages: number) =>
  pageItems(page, pages)
    .map((item) => (typeof item === 'number' ? item : '…'))
    .join(' ')

describe('page numbers', () => {
  it('are all shown up to four pages', () => {
    expect(shown(1, 1)).toBe('1')
    expect(shown(4, 4)).toBe('1 2 3 4')
  })

  it('have an ellipsis above four pages', () => {
    expect([1, 2, 3, 4, 5].map((page) => shown(page, 5))).toEqual([
      '1 2 3 … 5',
      '1 2 3 … 5',
      '1 2 3 … 5',
      '1 … 3 4 5',
      '1 … 3 4 5',
    ])
    expect(shown(3, 6)).toBe('1 2 3 4 … 6')
    expect(shown(1, 107)).toBe('1 2 3 … 107')
    expect(shown(50, 107)).toBe('1 … 49 50 51 … 107')
    expect(shown(107, 107)).toBe('1 … 105 106 107')
  })

  it('never repeat or skip back, whatever the page', () => {
    for (let pages = 1; pages <= 12; pages++) {
      for (let page = 1; page <= pages; page++) {
        const numbers = pageItems(page, pages).filter((item) => typeof item === 'number')
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
        expect(numbers).toContain(page)
        expect(numbers[0]).toBe(1)
        expect(numbers.at(-1)).toBe(pages)
      }
    }
  })
})

describe('the extent of a page', () => {
  it('names first, last and all', () => {
    expect(pageExtent(1, 12, 1284)).toBe('1–12 of 1,284')
    expect(pageExtent(107, 12, 1284)).toBe('1,273–1,284 of 1,284')
    expect(pageExtent(1, 12, 0)).toBe('0 of 0')
  })

  it('has at least one page', () => {
    expect(pageCount(0, 12)).toBe(1)
    expect(pageCount(24, 12)).toBe(2)
    expect(pageCount(25, 12)).toBe(3)
  })
})
