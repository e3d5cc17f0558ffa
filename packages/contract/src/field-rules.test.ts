import { describe, expect, it, test } from 'vitest'
import { brokenPasswordRules, isCaseUrl, isCompanyAddress, passwordRules } from './field-rules.ts'

test('the five rules read as the specification shows them', () => {
  expect(passwordRules.map(({ text }) => text)).toEqual([
    'at least 8 characters',
    'a lowercase letter',
    'at least 1 uppercase',
    'at least 1 number',
    'at least 1 special character',
  ])
})

test.each([
  ['Benchwatch-2026!', []],
  ['Aa1!aaaa', []],
  ['Ärger-1é', []],
  ['Aa1!aaa', ['at least 8 characters']],
  ['AAAAAA1!', ['a lowercase letter']],
  ['aaaaaa1!', ['at least 1 uppercase']],
  ['Aaaaaaa!', ['at least 1 number']],
  ['Aaaaaaa1', ['at least 1 special character']],
  // A space is not a special character; eight characters of two code units each count as eight.
  ['Aaaaaa 1', ['at least 1 special character']],
  ['🔬🔬🔬🔬aA1', ['at least 8 characters']],
  ['', passwordRules.map(({ text }) => text)],
  [`Aa1!${'a'.repeat(253)}`, ['at most 256 characters']],
])('%j breaks %j', (password, broken) => {
  expect(brokenPasswordRules(password)).toEqual(broken)
})

describe('company address', () => {
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
})

describe('case url', () => {
  const hosts = ['*.my.salesforce.com', 'cases.benchwatch.example']

  it.each([
    'https://cases.benchwatch.example/00012345',
    'https://CASES.benchwatch.example/00012345?tab=notes#top',
    'https://helix.my.salesforce.com/5003000000D8cuI',
    'https://emea.helix.my.salesforce.com/5003000000D8cuI',
  ])('%s may be kept as a case URL', (text) => {
    expect(isCaseUrl(text, hosts)).toBe(true)
  })

  it.each([
    ['another scheme', 'http://cases.benchwatch.example/1'],
    ['a script', 'javascript:alert(1)//cases.benchwatch.example'],
    ['another host', 'https://cases.benchwatch.example.evil.example/1'],
    ['a host that only ends alike', 'https://notcases.benchwatch.example/1'],
    ['the bare domain of a wildcard', 'https://my.salesforce.com/1'],
    ['a domain that only ends like the wildcard', 'https://evilmy.salesforce.com/1'],
    ['credentials', 'https://user:secret@cases.benchwatch.example/1'],
    ['a host behind credentials', 'https://cases.benchwatch.example@evil.example/1'],
    ['a host behind a backslash', 'https://evil.example\\@cases.benchwatch.example/1'],
    ['a port', 'https://cases.benchwatch.example:8443/1'],
    ['a tab inside', 'https://cases.benchwatch.exam\tple/1'],
    ['no host', 'https:///1'],
    ['a bare word', 'cases.benchwatch.example/1'],
    ['nothing', ''],
    ['more than 500 characters', `https://cases.benchwatch.example/${'x'.repeat(480)}`],
  ])('an address with %s is no case URL', (_what, text) => {
    expect(isCaseUrl(text, hosts)).toBe(false)
  })
})
