import type { SupportEmail } from '@benchwatch/contract/messages/support-emails'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { SupportEmailList } from './support-email-list.tsx'

const subscribed: SupportEmail = {
  componentName: 'Pump B (P9-B)',
  errorCode: '1042',
  subject: 'ÄKTA pilot 600: Pressure above limit',
  unsubscribed: false,
  unsubscriptionDate: null,
  contactEmail: null,
  expires: null,
}
const unsubscribed: SupportEmail = {
  ...subscribed,
  errorCode: '2016',
  unsubscribed: true,
  unsubscriptionDate: '2026-11-05T12:00:00.000Z',
  contactEmail: 'maria.oberg@helixbio.example',
}
const answer = vi.fn<(query: URLSearchParams) => Response>()

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => answer(new URL(address, 'http://console').searchParams))
})

afterEach(() => {
  cleanup()
  answer.mockReset()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <SupportEmailList
          instrument={{ instrumentInstalledProductId: 'IP-20431187', instrumentType: 'AKTAPilot600' }}
        />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const cells = async (code: string) => {
  const row = (await screen.findByText(code)).closest<HTMLElement>('[role="row"]') as HTMLElement
  return within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
}

it('shows "On" for an error about which e-mails go out', async () => {
  answer.mockReturnValue(Response.json([subscribed]))
  show()
  expect(await cells('1042')).toEqual(['Pump B (P9-B)', '1042', 'ÄKTA pilot 600: Pressure above limit', 'On'])
  expect(answer.mock.lastCall?.[0].toString()).toBe('instrumentIpid=IP-20431187&instrumentType=AKTAPilot600')
})

it('has a green check beside "On" and a red cross beside "Off"', async () => {
  answer.mockReturnValue(Response.json([subscribed, unsubscribed]))
  show()
  await cells('1042')
  for (const [word, colour, path] of [
    ['On', 'success', 'M2 6.4 4.8 9.2 10 3'],
    ['Off', 'danger', 'M2.6 2.6l6.8 6.8M9.4 2.6 2.6 9.4'],
  ] as const) {
    const sign = screen.getByText(word)
    expect([sign.style.color, sign.querySelector('path')?.getAttribute('d')]).toEqual([`var(--bw-${colour})`, path])
  }
})

it('shows "Off" with "Unsubscribed {date} by {email}"', async () => {
  answer.mockReturnValue(Response.json([subscribed, unsubscribed]))
  show()
  expect((await cells('2016'))[3]).toBe('OffUnsubscribed 05-Nov-2026 by maria.oberg@helixbio.example')
  expect(screen.queryByText('30 days')).toBeNull()
})

it('marks "30 days" where the unsubscription expires', async () => {
  answer.mockReturnValue(Response.json([{ ...unsubscribed, expires: '2026-12-05T12:00:00.000Z' }]))
  show()
  expect(await screen.findByText('On again from 05-Dec-2026')).toBeTruthy()
  expect(screen.getByTitle(/^E-mails start again/).title).toMatch(/^E-mails start again on Dec 5, 2026 @ \d\d:\d\d$/)
})

it('says that there are none', async () => {
  answer.mockReturnValue(Response.json([]))
  show()
  expect(await screen.findByText(/No automated support emails exist/)).toBeTruthy()
})

it('says in its place when they could not be read, and tries again on request', async () => {
  answer.mockReturnValue(Response.json({ detail: 'Why.', ErrorBody: 'Why.' }, { status: 500 }))
  show()
  expect(await screen.findByText(/Could not get automated support emails/)).toBeTruthy()
  answer.mockReturnValue(Response.json([subscribed]))
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
  expect(await cells('1042')).toContain('On')
})
