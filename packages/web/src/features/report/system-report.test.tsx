import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../../app/app.tsx'
import { setCredentials } from '../../lib/http.ts'
import { quoted, reportQuery, SystemReport } from './system-report.tsx'

const fetched = vi.fn<(path: string) => Response>()

beforeEach(() => {
  vi.stubGlobal('fetch', async (url: string) => fetched(url.split('?')[0] ?? url))
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  fetched.mockReset()
  setCredentials(null)
})

const instrument = { ...aListedInstrument(), events: [] }

function answersWith(features: object[]): Record<string, unknown> {
  return {
    [`/api/instruments/${instrument.id}`]: instrument,
    '/api/users/me/features': features,
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
}

it('a part that the server cannot give is asked for three times, and everything else once', async () => {
  const answers = answersWith([{ key: 'FETCH_INSTRUMENT_DAILY_RUNTIMES', value: 'true' }])
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

it('is not shown any more once the user may no longer see its instrument', async () => {
  const answers = answersWith([])
  fetched.mockImplementation((path) =>
    path in answers ? Response.json(answers[path]) : Response.json({ ErrorBody: 'No.' }, { status: 404 }),
  )
  const client = new QueryClient()
  const root = createRootRoute({ component: () => <SystemReport instrumentId={instrument.id} reportType="qs" /> })
  const router = createRouter({ routeTree: root, history: createMemoryHistory() })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        {/* The type of the product's own router is registered; this one has other routes. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(await screen.findAllByText(instrument.instrumentInstalledProductId, { exact: false })).not.toEqual([])
  delete answers[`/api/instruments/${instrument.id}`]
  await client.invalidateQueries()
  expect(await screen.findByText('Instrument could not be found.')).toBeTruthy()
  expect(screen.queryAllByText(instrument.instrumentInstalledProductId, { exact: false })).toEqual([])
  expect(screen.getByRole('button', { name: 'Download PDF' }).hasAttribute('disabled')).toBe(true)
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
