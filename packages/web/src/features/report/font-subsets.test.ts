import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { readFontSubsets, subsetsFor } from './font-subsets.ts'

const resolve = createRequire(import.meta.url).resolve

const sheet = `
/* latin */ @font-face { font-family: 'A'; src: url(./files/a-latin.woff2) format('woff2'); unicode-range: U+0000-00FF,U+131; }
@font-face { font-family: 'A'; src: url("/assets/a-4.woff2"); unicode-range: U+4??, U+1F600 }
@font-face { font-family: 'A'; src: url(whole.woff2) }`

describe('the files of a font', () => {
  it('are read from its style sheet with the ranges that they hold', () => {
    expect(readFontSubsets(sheet)).toEqual([
      {
        url: './files/a-latin.woff2',
        ranges: [
          [0, 0xff],
          [0x131, 0x131],
        ],
      },
      {
        url: '/assets/a-4.woff2',
        ranges: [
          [0x400, 0x4ff],
          [0x1f600, 0x1f600],
        ],
      },
    ])
  })

  it('are loaded only for characters of the text', () => {
    const used = (text: string) =>
      subsetsFor(
        [...text].map((letter) => letter.codePointAt(0) ?? 0),
        readFontSubsets(sheet),
      ).map(({ url }) => url)
    expect(used('pump')).toEqual(['./files/a-latin.woff2'])
    expect(used('Ю😀')).toEqual(['/assets/a-4.woff2'])
    expect(used('東')).toEqual([])
  })

  it.each([
    ['@fontsource-variable/inter/wght.css', 'ÄKTA Łódź Ελένη Юлия', 4],
    ['@fontsource-variable/noto-sans-jp/wght.css', '東京バイオ製薬株式会社', 9],
    ['@fontsource-variable/noto-sans-kr/wght.css', '서울특별시', 5],
  ])('of %s are few for %s', (path, text, most) => {
    const subsets = readFontSubsets(readFileSync(resolve(path), 'utf8'))
    const points = [...text].map((letter) => letter.codePointAt(0) ?? 0)
    const used = subsetsFor(points, subsets)
    expect(used.length).toBeGreaterThan(0)
    expect(used.length).toBeLessThanOrEqual(most)
    for (const point of points)
      expect(used.some(({ ranges }) => ranges.some(([first, last]) => first <= point && point <= last))).toBe(true)
  })
})
