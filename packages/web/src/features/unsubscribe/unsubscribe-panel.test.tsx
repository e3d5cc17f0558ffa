import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { UnsubscribePanel } from './unsubscribe-panel.tsx'

const TOKEN = 'q'.repeat(43)
const warning = {
  eventTemplateId: 'U9-M-2011',
  instrumentProductDescription: 'ÄKTA pilot 600 S',
  instrumentDefinedSystemName: 'PILOT-UPP-02',
  errorCode: '2011',
  componentName: 'UV monitor (U9-M)',
  instrumentType: 'AKTAPilot600',
  isUnsubscribed: false,
  unsubscribedUntil: null as string | null,
}

const server = vi.fn<(method: string, body: unknown) => Response | Promise<Response>>()
const sent: { url: string; method: string; body: unknown; authorization: string | null }[] = []

beforeEach(() => {
  sent.length = 0
  server.mockReset()
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const method = init.method ?? 'GET'
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : null
    sent.push({ url, method, body, authorization: new Headers(init.headers).get('authorization') })
    return server(method, body)
  })
})
afterEach(() => {
  cleanup()
  setCredentials(null)
  vi.unstubAllGlobals()
})

const refusal = (status: number, code: string, ErrorBody: string) => Response.json({ ErrorBody, code }, { status })
const noLink = () => refusal(404, 'unsubscribe-token', 'This link is not valid.')

function open(token: string | undefined = TOKEN) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <UnsubscribePanel token={token} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

const button = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Yes, Unsubscribe' })
const box = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Unsubscribe for 30 days only' })

const INVALID = [
  'Error: Your request could not be completed!',
  'Please try again or contact support.',
  'For security unsubscribe links are only valid for 7 days.',
]
async function isInvalid() {
  const told = (await screen.findByRole('alert')).textContent
  for (const line of INVALID) expect(told).toContain(line)
}

describe('an invalid token shows "Error: Your request could not be completed!"', () => {
  it('because there is none: nobody is asked', async () => {
    for (const token of [undefined, '']) {
      render(
        <MantineProvider env="test">
          <QueryClientProvider client={new QueryClient()}>
            <UnsubscribePanel token={token} />
          </QueryClientProvider>
        </MantineProvider>,
      )
      await isInvalid()
      cleanup()
    }
    expect(sent).toEqual([])
  })

  it('because it is longer than a token can be: its first 70 characters are sent', async () => {
    server.mockImplementation(noLink)
    open('q'.repeat(71))
    await isInvalid()
    expect(sent.map(({ url }) => url)).toEqual([`/api/unsubscribe?token=${'q'.repeat(70)}`])
  })

  it('because the server knows no such link', async () => {
    server.mockImplementation(noLink)
    open()
    await isInvalid()
    expect(screen.getByRole('link', { name: 'contact support' }).getAttribute('href')).toMatch(/^mailto:.+@/)
  })

  it('because it expired before the button was pressed', async () => {
    server.mockImplementation((method) => (method === 'GET' ? Response.json(warning) : noLink()))
    const person = open()
    await person.click(await button())
    await isInvalid()
  })
})

describe('a valid token shows "Unsubscribe from this warning"', () => {
  it('with what it is about, after it was checked with the server', async () => {
    server.mockImplementation(() => Response.json(warning))
    open()
    expect(screen.getByRole('status', { name: 'Checking the link…' })).toBeTruthy()
    expect(await screen.findByRole('heading', { name: 'Unsubscribe from this warning' })).toBeTruthy()
    screen.getByText('You will no longer receive email notifications for the warning below.')
    screen.getByText('This action cannot be undone.')
    const facts = [...document.querySelectorAll('dt')].map((name) => [
      name.textContent,
      name.nextElementSibling?.textContent,
    ])
    expect(facts).toEqual([
      ['Error (Warning number)', 'U9-M-2011'],
      ['System type', 'ÄKTA pilot 600 S'],
      ['System name', 'PILOT-UPP-02'],
      ['Module', 'UV monitor (U9-M)'],
    ])
    expect(sent).toMatchObject([{ url: `/api/unsubscribe?token=${TOKEN}`, method: 'GET' }])
  })

  it('for 30 days only, and then does not say that it is for good', async () => {
    server.mockImplementation(() => Response.json(warning))
    const person = open()
    await person.click(await screen.findByRole('checkbox', { name: 'Unsubscribe for 30 days only' }))
    screen.getByText('You will not receive notifications for the warning below for 30 days.')
    screen.getByText('After that, they start again automatically.')
    expect(screen.queryByText(/no longer receive|cannot be undone/)).toBeNull()
    await person.click(box())
    screen.getByText('This action cannot be undone.')
  })

  it('and sends no session along, whoever is signed in', async () => {
    setCredentials({ token: () => 'secret', renew: async () => 'secret', expire: () => undefined })
    server.mockImplementation((method) => Response.json(method === 'GET' ? warning : { unsubscribedUntil: null }))
    const person = open()
    await person.click(await button())
    await screen.findByText('Success!')
    expect(sent.map(({ authorization }) => authorization)).toEqual([null, null])
  })
})

describe('"Yes, Unsubscribe"', () => {
  it('for good shows "Success!" with "You have been unsubscribed", and has the focus there', async () => {
    server.mockImplementation((method) => Response.json(method === 'GET' ? warning : { unsubscribedUntil: null }))
    const person = open()
    await person.click(await button())
    const title = await screen.findByRole('heading', { name: 'Success!' })
    screen.getByText('You have been unsubscribed')
    expect(document.activeElement).toBe(title)
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByText(/start again/)).toBeNull()
    expect(sent[1]).toMatchObject({ method: 'POST', body: { token: TOKEN, unsubscribeDays: null } })
  })

  it('for 30 days only says when e-mails start again', async () => {
    server.mockImplementation((method) =>
      Response.json(method === 'GET' ? warning : { unsubscribedUntil: '2026-12-20T14:00:00.000Z' }),
    )
    const person = open()
    await button()
    await person.click(box())
    await person.click(await button())
    await screen.findByText('Success!')
    expect(screen.getByText(/E-mails for this warning start again on/).textContent).toContain('20-Dec-2026')
    expect(sent[1]?.body).toEqual({ token: TOKEN, unsubscribeDays: 30 })
  })

  it('is busy until the answer is there, and asks once', async () => {
    let answer: (response: Response) => void = () => undefined
    server.mockImplementation((method) =>
      method === 'GET' ? Response.json(warning) : new Promise<Response>((resolve) => (answer = resolve)),
    )
    const person = open()
    await person.dblClick(await button())
    expect((await button()).disabled).toBe(true)
    expect(box().disabled).toBe(true)
    answer(Response.json({ unsubscribedUntil: null }))
    await screen.findByText('Success!')
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('shows the error text when it fails, and the next try loses nothing', async () => {
    let isDown = true
    server.mockImplementation((method) => {
      if (method === 'GET') return Response.json(warning)
      if (isDown) throw new TypeError('Failed to fetch')
      return Response.json({ unsubscribedUntil: '2026-12-20T14:00:00.000Z' })
    })
    const person = open()
    await button()
    await person.click(box())
    await person.click(await button())
    expect((await screen.findByRole('alert')).textContent).toContain('The server could not be reached.')
    expect(box().checked).toBe(true)
    expect(document.activeElement).toBe(await button())
    isDown = false
    await person.click(await button())
    await screen.findByText('Success!')
    expect(sent.at(-1)?.body).toEqual({ token: TOKEN, unsubscribeDays: 30 })
  })
})

it('a used link shows "You have been unsubscribed" and asks nothing', async () => {
  server.mockImplementation(() => Response.json({ ...warning, isUnsubscribed: true }))
  open()
  await screen.findByText('You have been unsubscribed')
  expect(screen.queryByRole('button')).toBeNull()
})

it('a link that could not be checked can be checked again', async () => {
  server.mockImplementationOnce(() => refusal(503, 'unavailable', 'The database does not answer at the moment.'))
  server.mockImplementation(() => Response.json(warning))
  const person = open()
  expect((await screen.findByRole('alert')).textContent).toContain('The database does not answer at the moment.')
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(button)
})
