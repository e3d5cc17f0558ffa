import type { EventEmail } from '@benchwatch/contract/events/event-emails'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { EmailDropdown } from './email-dropdown.tsx'

const SENT = '2026-11-20T14:00:00.000Z'
const automatic: EventEmail = {
  sentAt: SENT,
  to: 'm@helixbio.example',
  contactName: 'Maria Öberg',
  subject: 'Pressure',
  body: 'Dear Maria',
  automatic: true,
  state: 'sent',
  reason: null,
}
const shared: EventEmail = { ...automatic, to: null, contactName: 'Jonas Berg', body: 'Look here', automatic: false }
const answer = vi.fn<(address: string) => Promise<Response>>()
const answerSubject = vi.fn<(query: URLSearchParams) => Response>()
const flags = vi.fn<() => string[]>()

// Loads what the button loads on demand, so that no test waits for it.
beforeAll(() => Promise.all([import('./email-list.tsx'), import('../../ui/overlay/dropdown-frame.tsx')]))

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  flags.mockReturnValue([])
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://console')
    if (pathname === '/api/users/me/features') return Response.json(flags().map((key) => ({ key, value: 'true' })))
    if (pathname === '/api/alarms/automatic-email-subject') return answerSubject(searchParams)
    return answer(address)
  })
})

afterEach(() => {
  cleanup()
  answer.mockReset()
  answerSubject.mockReset()
  flags.mockReset()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
})

async function open(event = aServiceEvent()) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Notifications />
        <EmailDropdown event={event} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(answer).not.toHaveBeenCalled()
  const person = userEvent.setup({ delay: null })
  await person.click(screen.getByRole('button', { name: /^E-mail/ }))
  return person
}

const titles = () => [...document.querySelectorAll('summary > span:first-of-type')].map((title) => title.textContent)

describe('the e-mail dropdown', () => {
  it("'Email support message sent: {date}' with the contact it was sent to, e-mail, subject and body", async () => {
    answer.mockResolvedValue(Response.json({ values: [automatic] }))
    await open()
    const title = `Email support message sent: ${formatEventTime(SENT)}`
    expect(await screen.findByText(title)).toBeTruthy()
    for (const text of ['Maria Öberg', 'm@helixbio.example', 'Pressure', 'Dear Maria'])
      expect(screen.getByText(text)).toBeTruthy()
    expect(answer.mock.calls).toEqual([['/api/alarms/104882/emails']])
    expect(screen.getByRole('button', { name: /^E-mail/ }).textContent).toBe('E-mail1')
  })

  it('shows several, automatic ones first, to be opened one at a time', async () => {
    const waiting: EventEmail = { ...shared, sentAt: null, state: 'waiting' }
    answer.mockResolvedValue(Response.json({ values: [waiting, shared, automatic] }))
    await open()
    await screen.findByText(/^Email support message sent/)
    expect(titles()).toEqual([
      `Email support message sent: ${formatEventTime(SENT)}`,
      'Shared by e-mail',
      `Shared by e-mail: ${formatEventTime(SENT)}`,
    ])
    expect([...document.querySelectorAll('details')].map((mail) => mail.open)).toEqual([false, false, false])
    // An address that may not be shown is a dash.
    expect(screen.getAllByText('–')).toHaveLength(2)
  })

  it('says that nothing was sent', async () => {
    answer.mockResolvedValue(Response.json({ values: [] }))
    await open()
    expect(await screen.findByText('No e-mails were sent about this event')).toBeTruthy()
  })

  it('tries again after a failure', async () => {
    answer.mockResolvedValueOnce(Response.json({ ErrorBody: 'No.' }, { status: 503 }))
    answer.mockResolvedValueOnce(Response.json({ values: [automatic] }))
    const person = await open()
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Dear Maria')).toBeTruthy()
  })

  it('shows what people and templates wrote as text', async () => {
    const evil = '<img src=x onerror=alert(1)>'
    answer.mockResolvedValue(
      Response.json({ values: [{ ...automatic, contactName: evil, subject: evil, body: evil }] }),
    )
    await open()
    expect(await screen.findAllByText(evil)).toHaveLength(3)
    expect(document.querySelector('img')).toBeNull()
  })

  it.each<[EventEmail['state'], string]>([
    ['held', 'Held'],
    ['waiting', 'Waiting to be sent'],
    ['failed', 'Could not be sent'],
    ['withdrawn', 'Not sent'],
  ])('shows a support message that is %s as such, with the reason', async (state, words) => {
    answer.mockResolvedValue(Response.json({ values: [{ ...automatic, sentAt: null, state, reason: 'So it is.' }] }))
    await open()
    expect(await screen.findByText('Email support message')).toBeTruthy()
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.getByText('So it is.')).toBeTruthy()
    expect(screen.queryByText(/^Email support message sent/)).toBeNull()
  })

  describe('of an event about which nothing went out by itself', () => {
    beforeEach(() => answer.mockResolvedValue(Response.json({ values: [shared] })))
    const template = { instrumentType: 'AKTAPure', eisCode: 'P9-B', errorCode: '1042' } as const

    it('shows the subject of the mail that would, by instrument type, module and error code', async () => {
      flags.mockReturnValue(['AUTO_EMAIL'])
      answerSubject.mockReturnValue(Response.json({ subject: 'Pressure on {systemName}' }))
      await open({ ...aServiceEvent(), ...template })
      expect(await screen.findByText('Pressure on {systemName}')).toBeTruthy()
      expect(answerSubject.mock.lastCall?.[0].toString()).toBe('instrumentType=AKTAPure&eisCode=P9-B&errorCode=1042')
    })

    it("toasts 'Could not get event automatic email subject' and shows the rest", async () => {
      flags.mockReturnValue(['AUTO_EMAIL'])
      answerSubject.mockReturnValue(Response.json({ ErrorBody: 'No.' }, { status: 500 }))
      await open({ ...aServiceEvent(), ...template })
      expect(await screen.findByText('Could not get event automatic email subject')).toBeTruthy()
      expect(screen.getByText('Look here')).toBeTruthy()
    })

    it('says that the customer has unsubscribed instead', async () => {
      flags.mockReturnValue(['AUTO_EMAIL'])
      await open({ ...aServiceEvent(), ...template, reasonClosed: 'Customer unsubscribed' })
      expect(await screen.findByText(/the customer has unsubscribed from this warning/)).toBeTruthy()
      expect(answerSubject).not.toHaveBeenCalled()
    })

    it.each([
      ['without the flag', [], template],
      ['of a gateway', ['AUTO_EMAIL'], { ...template, instrumentType: null }],
    ])('asks for none %s', async (_what, on, change) => {
      flags.mockReturnValue(on)
      await open({ ...aServiceEvent(), ...change })
      expect(await screen.findByText('Look here')).toBeTruthy()
      await waitFor(() => expect(flags).toHaveBeenCalled())
      expect(answerSubject).not.toHaveBeenCalled()
    })
  })
})
