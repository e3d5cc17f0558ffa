import { describe, expect, test } from 'vitest'
import { isFromElsewhere, isOwnOrigin } from './security-headers.ts'

const host = 'console.example:8080'

describe('an origin is this server’s own', () => {
  test.each([
    ['https://bench.example', true],
    ['http://console.example:8080', true],
    ['https://console.example:8080', true],
    ['http://console.example', false],
    ['https://bench.example.evil.example', false],
    ['https://evil.example', false],
    ['null', false],
  ])('%s: %s', (origin, own) => {
    expect(isOwnOrigin('https://bench.example/path', { origin, host })).toBe(own)
  })
})

describe('a request comes from elsewhere', () => {
  test.each([
    ['a program that says nothing', {}, false],
    ['a page of this server', { fetchSite: 'same-origin', origin: 'http://console.example:8080' }, false],
    [
      'its own page behind a proxy that changes the host',
      { fetchSite: 'same-origin', origin: 'http://outside.example' },
      false,
    ],
    ['another site', { fetchSite: 'cross-site' }, true],
    ['another site that claims our origin', { fetchSite: 'cross-site', origin: 'http://console.example:8080' }, true],
    ['another port of this host', { fetchSite: 'same-site', origin: 'http://console.example:3000' }, true],
    ['the address bar', { fetchSite: 'none' }, false],
    ['an old browser on another site', { origin: 'https://evil.example' }, true],
    ['a sandboxed frame', { origin: 'null' }, true],
  ])('says %s', (_who, source, elsewhere) => {
    expect(isFromElsewhere('http://localhost:8080', { origin: undefined, fetchSite: undefined, host, ...source })).toBe(
      elsewhere,
    )
  })
})
