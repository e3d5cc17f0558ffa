import { PAGE_SETTINGS_META } from '@benchwatch/contract/page-settings'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { HelpPage, helpCookieQuery, SupportContact } from './help-page.tsx'

/** Number of requests for the cookie. */
let requests: number
let answer: () => Response
let client: QueryClient

beforeEach(() => {
  requests = 0
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  answer = () => Response.json({ expiresIn: 900 })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    if (!address.endsWith('/api/help/cookie'))
      return Response.json({ status: 'ok', version: '2.12.2', environment: 'prod' })
    requests += 1
    return answer()
  })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function Around({ children }: PropsWithChildren) {
  return (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  )
}

// First in this file, because the page's settings are read once.
describe('support contact', () => {
  afterEach(() => {
    cleanup()
    document.head.querySelector(`meta[name=${PAGE_SETTINGS_META}]`)?.remove()
    vi.unstubAllGlobals()
  })

  it('the support e-mail address of this deployment is shown, to be written to, with what is running', async () => {
    const meta = document.createElement('meta')
    meta.name = PAGE_SETTINGS_META
    meta.content = JSON.stringify({ supportEmail: 'desk@lab.example' })
    document.head.append(meta)
    vi.stubGlobal('fetch', async () => Response.json({ status: 'ok', version: '2.12.2', environment: 'staging' }))
    render(
      <QueryClientProvider client={new QueryClient()}>
        <SupportContact />
      </QueryClientProvider>,
    )
    const link = screen.getByRole('link', { name: 'desk@lab.example' })
    expect(link.getAttribute('href')).toBe('mailto:desk@lab.example')
    expect(await screen.findByText('Version 2.12.2 · staging')).toBeTruthy()
  })
})

it('the cookie is renewed 1 s after its token has expired, and not before', async () => {
  vi.useFakeTimers()
  renderHook(() => useQuery(helpCookieQuery()), { wrapper: Around })
  await act(async () => {
    await vi.advanceTimersByTimeAsync(0)
    // The schemas that check answers are loaded with the first answer.
    await vi.dynamicImportSettled()
  })
  expect(requests).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(900_500))
  expect(requests).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(requests).toBe(2)
})

it('help that cannot be opened says so in the words of the specification', async () => {
  answer = () => Response.json({ ErrorBody: 'Away.' }, { status: 400 })
  render(<HelpPage place={{ page: 'index', section: '' }} onPlace={vi.fn()} />, { wrapper: Around })
  const words = 'Something went wrong while loading the help page. Please try again or contact support for assistance'
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
