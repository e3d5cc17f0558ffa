import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { deviceOf, SessionsCard } from './sessions-card.tsx'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const here = {
  id: '0190c2a4-7b1e-7c3d-9f2a-000000000001',
  createdAt: minutesAgo(200),
  lastActivityAt: minutesAgo(0),
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0.0.0 Safari/537.36',
  address: '10.20.0.14',
  isCurrent: true,
}
const phone = {
  id: '0190c2a4-7b1e-7c3d-9f2a-000000000002',
  createdAt: minutesAgo(4000),
  lastActivityAt: minutesAgo(42),
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
  address: null,
  isCurrent: false,
}

let sessions: (typeof here | typeof phone)[]
let isAnswered: boolean
const ended: string[] = []

beforeEach(() => {
  sessions = [here, phone]
  isAnswered = true
  ended.length = 0
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!isAnswered) return Response.json({ ErrorBody: 'The server is starting.', code: 'x' }, { status: 503 })
    if (init.method === 'DELETE') {
      ended.push(address)
      sessions = [here]
      return new Response(null, { status: 204 })
    }
    return Response.json({ values: sessions })
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function open() {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <SessionsCard />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

it('tells browser, last activity and address of each, and marks the one that asks', async () => {
  open()
  const [first, second] = await screen.findAllByRole('listitem')
  expect(first?.textContent).toMatch(/^Chrome on LinuxThis browserActive now · signed in .* · 10\.20\.0\.14$/)
  expect(second?.textContent).toMatch(
    /^Safari on iPhoneLast active 42 min ago · signed in \d+-\w+-\d{4} \d\d:\d\dSign out$/,
  )
  expect(within(first as HTMLElement).queryByRole('button')).toBeNull()
})

it('signs one of them out', async () => {
  const person = open()
  await person.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
  expect(ended).toEqual([`/api/account/sessions/${phone.id}`])
})

it('says why they can not be had, and tries again', async () => {
  isAnswered = false
  const person = open()
  expect((await screen.findByRole('alert')).textContent).toContain('The server is starting.')
  isAnswered = true
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findAllByRole('listitem')).toHaveLength(2)
})

describe('device name', () => {
  const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Windows', false],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`,
      'Edge on Windows',
      false,
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/19.0 Safari/605.1.15`,
      'Safari on macOS',
      false,
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux', false],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${WEBKIT} Version/19.0 Mobile/15E148 Safari/604.1`,
      'Safari on iPhone',
      true,
    ],
    [
      `Mozilla/5.0 (Linux; Android 16; K) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
      true,
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on ChromeOS', false],
    ['curl/8.9.1', 'Unknown device', false],
    [null, 'Unknown device', false],
  ])('%s', (userAgent, name, isHandheld) => {
    expect(deviceOf(userAgent)).toEqual({ name, isHandheld })
  })
})
