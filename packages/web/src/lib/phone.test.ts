import { describe, expect, it } from 'vitest'
import { phoneText, readPhoneNumber } from './phone.ts'

describe('a telephone number', () => {
  it.each([
    ['+46 18 555 01 20', null, '+46 18 555 01 20', 'tel:+46185550120'],
    ['+46 (0)18 555 01 20', 'Japan', '+46 18 555 01 20', 'tel:+46185550120'],
    ['018-555 01 20', 'Sweden', '+46 18 555 01 20', 'tel:+46185550120'],
    ['0046 18 555 01 20', 'Sweden', '+46 18 555 01 20', 'tel:+46185550120'],
    ['(617) 555-0120', 'United States', '+1 617 555 0120', 'tel:+16175550120'],
    ['+46 18 555 01 20 ext. 12', null, '+46 18 555 01 20 ext. 12', 'tel:+46185550120;ext=12'],
  ])('%s of %s is shown in international format and can be dialled', (text, country, international, href) => {
    expect(readPhoneNumber(text, country)).toEqual({ international, href })
  })

  it.each([
    'n/a',
    'ext. 214',
    'see reception',
    '+46 18',
    '0000000',
    '555 01 20 / 21 (mornings)',
    'Call +46 18 555 01 20',
    '<b>+46 18 555 01 20</b>',
    'javascript:alert(1)',
    '',
  ])('is not what %j holds', (text) => {
    expect(readPhoneNumber(text, 'Sweden')).toBeNull()
  })

  it.each(['Sweden', 'sweden ', 'SE', 'se'])('in national form is read with the country %j', (country) => {
    expect(readPhoneNumber('018-555 01 20', country)?.international).toBe('+46 18 555 01 20')
  })

  it.each([
    ['UK', '020 7946 0958', '+44 20 7946 0958'],
    ['United Kingdom', '020 7946 0958', '+44 20 7946 0958'],
    ['USA', '617 555 0120', '+1 617 555 0120'],
    ['South Korea', '02-312-3456', '+82 2 312 3456'],
    ['Korea', '02-312-3456', '+82 2 312 3456'],
    ['Türkiye', '0212 345 67 89', '+90 212 345 67 89'],
    ['Turkey', '0212 345 67 89', '+90 212 345 67 89'],
  ])('knows the country %s by its usual names', (country, text, international) => {
    expect(readPhoneNumber(text, country)?.international).toBe(international)
  })

  it('in national form is none where the country is not known', () => {
    expect(readPhoneNumber('018-555 01 20', null)).toBeNull()
    expect(readPhoneNumber('018-555 01 20', 'Atlantis')).toBeNull()
  })
})

it.each([
  [' 018-555 01 20 ', '+46 18 555 01 20'],
  [' see reception ', 'see reception (invalid)'],
  [' ', null],
  [null, null],
])('on paper %j reads as %j', (number, text) => {
  expect(phoneText(number, 'Sweden')).toBe(text)
})
