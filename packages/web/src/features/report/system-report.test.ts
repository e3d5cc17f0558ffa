import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../../app/query-client.ts'
import { setCredentials } from '../../lib/http.ts'
import { quoted, reportQuery } from './system-report.tsx'

const fetched = vi.fn<(path: string) => Response>()

beforeEach(() => {
  vi.stubGlobal('fetch', async (url: string) => fetched(url.split('?')[0] ?? url))
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
})

afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
  setCredentials(null)
})

it('a part that the server cannot give is asked for three times, and everything else once', async () => {
  const instrument = { ...aListedInstrument(), events: [] }
  const answers: Record<string, unknown> = {
    [`/api/instruments/${instrument.id}`]: instrument,
    '/api/users/me/features': [{ key: 'FETCH_INSTRUMENT_DAILY_RUNTIMES', value: 'true' }],
    '/api/users/me': {
      id: '1',
      name: 'Sofia Lindqvist',
      email: 'sofia@benchwatch.example',
      msisdn: null,
      role: 'support',
      customers: null,
      inactivityLimitSeconds: 14_400,
    },
    '/api/auth/config': { provider: 'local', product: 'Benchwatch', deployment: 'global', passwordRules: [] },
    '/api/health': { status: 'ok', version: '2.12.2', environment: 'prod' },
    '/api/instruments/types': { types: [], families: [] },
    '/api/alarms/frequent-events': {},
    '/api/alarms/recent-events': { values: [] },
  }
  fetched.mockImplementation((path) =>
    path in answers ? Response.json(answers[path]) : Response.json({ ErrorBody: 'Not now.' }, { status: 500 }),
  )
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retryDelay: 1 } })
  const report = client.fetchQuery(reportQuery({ instrumentId: instrument.id, reportType: 'fe' }))
  await expect(report).rejects.toMatchObject({ status: 500, message: 'Not now.' })
  const asked = Object.groupBy(
    fetched.mock.calls.map(([path]) => path),
    (path) => path,
  )
  expect(Object.fromEntries(Object.entries(asked).map(([path, calls]) => [path, calls?.length]))).toEqual({
    ...Object.fromEntries(Object.keys(answers).map((path) => [path, 1])),
    [`/api/instruments/daily-runtimes/${instrument.id}`]: 3,
  })
})

describe('report sheet', () => {
  it.each([
    ['ÄKTA pure 25', '"ÄKTA pure 25"'],
    ['a "quoted" name', '"a \\22 quoted\\22  name"'],
    ['back\\slash', '"back\\5c slash"'],
    ['line\nend', '"line\\a end"'],
  ])('%s is harmless within a style sheet', (text, written) => {
    expect(quoted(text)).toBe(written)
  })
})
