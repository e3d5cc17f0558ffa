import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigurationError, readConfig } from './config.ts'

test('without any variable the product is Benchwatch on port 8080 with demo data, for this machine alone', () => {
  expect(readConfig({})).toMatchObject({
    product: 'Benchwatch',
    environment: 'prod',
    deployment: 'global',
    port: 8080,
    host: '127.0.0.1',
    demo: 'on',
    publicUrl: 'http://localhost:8080',
    trustProxy: false,
    dataDir: resolve('data'),
    inactivityLimitSeconds: 4 * 3600,
    companyEmailDomains: ['benchwatch.example', 'helixbio.example'],
    caseUrlHosts: ['*.my.salesforce.com', 'cases.benchwatch.example'],
  })
})

test('without demo users every address is listened on', () => {
  expect(readConfig({ DEMO: 'off' }).host).toBe('0.0.0.0')
  expect(readConfig({ DEMO: 'off', HOST: '10.0.0.7' }).host).toBe('10.0.0.7')
})

test.each(['0.0.0.0', '10.0.0.7', 'bench.example'])(
  'demo users at %s are refused, unless they are meant to be public',
  (host) => {
    expect(() => readConfig({ HOST: host })).toThrow('Set DEMO=off, or DEMO=public to allow it.')
    expect(readConfig({ HOST: host, DEMO: 'public' })).toMatchObject({ host, demo: 'public' })
  },
)

test('a bad configuration lists every bad key, and an empty one counts as absent', () => {
  const bad = { PORT: 'eighty', DEMO: 'maybe', CASE_NUMBER_PATTERN: '(', DEPLOYMENT: 'mars', LOG_LEVEL: '' }
  expect(() => readConfig(bad)).toThrow(ConfigurationError)
  expect(() => readConfig(bad)).toThrow(
    /PORT: must be a whole number[^\n]*\n[^]*DEMO: [^]*DEPLOYMENT: [^]*CASE_NUMBER_PATTERN: is not a regular expression/,
  )
  expect(() => readConfig(bad)).not.toThrow(/LOG_LEVEL/)
})
