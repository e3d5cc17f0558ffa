import { expect, it } from 'vitest'
import { isCaseUrl } from './case-url.ts'

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
