import { expect, it } from 'vitest'
import { addressLines, cityAndCountry } from './address.ts'

it('keep the city before the country where only the city is written from right to left', () => {
  expect(cityAndCountry('القاهرة', 'Egypt')).toBe('\u200eالقاهرة, Egypt')
  expect(addressLines({ street: null, zip: '11511', city: 'القاهرة', country: 'Egypt' })).toEqual([
    '\u200e11511 القاهرة, Egypt',
  ])
  expect(cityAndCountry('القاهرة', 'مصر')).toBe('القاهرة, مصر')
  expect(cityAndCountry('Uppsala', 'Sweden')).toBe('Uppsala, Sweden')
})
