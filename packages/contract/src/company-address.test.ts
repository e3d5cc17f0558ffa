import { describe, expect, it } from 'vitest'
import { isCompanyAddress } from './company-address.ts'

const domains = ['benchwatch.example', 'Helixbio.example']
const isOne = (address: string) => isCompanyAddress(address, domains)

describe('a company address', () => {
  it.each(['anna@benchwatch.example', 'Anna.Lind@BENCHWATCH.example', 'a+b@helixbio.example', 'ö@helixbio.example'])(
    '%s',
    (address) => expect(isOne(address)).toBe(true),
  )

  it.each([
    '',
    'anna',
    'anna@elsewhere.example',
    'anna@lab.benchwatch.example',
    'anna@benchwatch.example.evil.example',
    'anna@benchwatch.example,eva@benchwatch.example',
    'anna@benchwatch.example\r\nBcc: eva@benchwatch.example',
    'an..na@benchwatch.example',
    '.anna@benchwatch.example',
    'anna.@benchwatch.example',
    `${'a'.repeat(260)}@benchwatch.example`,
  ])('is not %j', (address) => expect(isOne(address)).toBe(false))
})
