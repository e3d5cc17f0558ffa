import { expect, it } from 'vitest'
import { familiesFor } from './font-families.ts'

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
