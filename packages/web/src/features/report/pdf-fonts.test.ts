import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { breakOpportunities, familiesFor, readFontSubsets, subsetsFor } from './pdf-fonts.ts'
import { brotliDecode } from './unpack-brotli.ts'

describe('a line of the PDF', () => {
  it.each(['pump', 'IP-20431187', '22-Nov-2026', 'Ελένη', '123456789012345678'])('never ends within %s', (word) => {
    expect(breakOpportunities(word)).toEqual([word])
  })

  it('may end between characters that are written without spaces, and never with a hyphen', () => {
    expect(breakOpportunities('東京バ')).toEqual(['東', '', '京', '', 'バ'])
  })

  it('does not begin with what closes or with a small kana', () => {
    expect(breakOpportunities('トウキョウ')).toEqual(['ト', '', 'ウ', '', 'キョ', '', 'ウ'])
    expect(breakOpportunities('東京、ポー」')).toEqual(['東', '', '京、', '', 'ポー」'])
  })

  it('keeps Latin words whole among them', () => {
    expect(breakOpportunities('丸の内1-9-1グ')).toEqual(['丸', '', 'の', '', '内', '', '1-9-1', '', 'グ'])
  })

  it('may end in a long address behind what joins its parts', () => {
    expect(breakOpportunities('maintenance.team@laboratory.example')).toEqual([
      'maintenance.',
      '',
      'team@',
      '',
      'laboratory.',
      '',
      'example',
    ])
  })

  it('ends somewhere in a word that no line could hold', () => {
    const parts = breakOpportunities('x'.repeat(50))
    expect(parts.join('')).toBe('x'.repeat(50))
    expect(Math.max(...parts.map((part) => part.length))).toBe(18)
  })

  it.each(['a'.repeat(20_000), '-'.repeat(20_000), '東、'.repeat(10_000), '、'.repeat(20_000)])(
    'is found in no time',
    (word) => {
      const before = performance.now()
      expect(breakOpportunities(word).join('')).toBe(word)
      expect(performance.now() - before).toBeLessThan(2000)
    },
  )
})

describe('font subsets', () => {
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
})

describe('font families', () => {
  const names = (text: string, country: string | null = null) => familiesFor(text, country).map(({ name }) => name)

  it.each([
    ['kana', '精製ライン', null, 'Noto Sans JP'],
    ['a country in English', '東京', 'Japan', 'Noto Sans JP'],
    ['a country in its own words', '東京', '日本', 'Noto Sans JP'],
    ['Taiwan', '臺北', 'Taiwan', 'Noto Sans TC'],
    ['Korea', '서울 大韓', 'South Korea', 'Noto Sans KR'],
    ['anywhere else', '上海', 'China', 'Noto Sans SC'],
  ])('Han characters are drawn as in the country of the instrument: %s', (_case, text, country, first) => {
    expect(names(text, country).slice(0, 2)).toEqual(['Inter', first])
  })

  it('other scripts come before those of East Asia, and only where they are written', () => {
    expect(names('محمد')).toEqual([
      'Inter',
      'Noto Sans Arabic',
      'Noto Sans SC',
      'Noto Sans TC',
      'Noto Sans JP',
      'Noto Sans KR',
    ])
    expect(names('יעל สาย हिन्दी').slice(1, 4)).toEqual(['Noto Sans Hebrew', 'Noto Sans Thai', 'Noto Sans Devanagari'])
    expect(names('pump')[1]).toBe('Noto Sans SC')
  })
})

describe('unpack brotli', () => {
  const resolve = createRequire(import.meta.url).resolve

  /** Returns the font files of a report family, in a variable weight. */
  function filesOf(family: string): string[] {
    const folder = path.join(path.dirname(resolve(`@fontsource-variable/${family}/package.json`)), 'files')
    return readdirSync(folder).flatMap((name) => (name.endsWith('wght-normal.woff2') ? [path.join(folder, name)] : []))
  }

  /**
   * Returns the compressed stream of a WOFF2 file, which follows a directory with a variable-length entry for each
   * table.
   */
  function streamOf(file: Buffer): Uint8Array {
    let position = 48
    const readLength = (): void => {
      while ((file[position++] ?? 0) & 0x80);
    }
    for (let table = file.readUInt16BE(12); table > 0; table -= 1) {
      const flags = file[position++] ?? 0
      const isGlyphs = [10, 11].includes(flags & 63)
      if ((flags & 63) === 63) position += 4
      readLength()
      if (flags >> 6 !== (isGlyphs ? 3 : 0)) readLength()
    }
    return file.subarray(position, position + file.readUInt32BE(20))
  }

  it.each([
    'inter',
    ...['arabic', 'devanagari', 'hebrew', 'jp', 'kr', 'sc', 'tc', 'thai'].map((part) => `noto-sans-${part}`),
  ])('every file of %s is unpacked as it was packed', (family) => {
    const files = filesOf(family)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const stream = streamOf(readFileSync(file))
      expect(Buffer.compare(brotliDecode(stream), brotliDecompressSync(stream)), file).toBe(0)
    }
  })
})
