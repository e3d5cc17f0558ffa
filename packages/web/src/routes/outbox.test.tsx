import type { OutboxMessage } from '@benchwatch/contract/messages/messages'
import { notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const text: OutboxMessage = {
  id: '1',
  channel: 'sms',
  to: '+46701234567',
  subject: null,
  text: '604213 is your Benchwatch code.',
  html: null,
  headers: {},
  createdAt: '2026-11-20T14:00:00.000Z',
  sentAt: '2026-11-20T14:00:00.000Z',
}
const mail: OutboxMessage = {
  ...text,
  id: '2',
  channel: 'email',
  to: 'anna@helixbio.example',
  subject: 'Your account',
  text: 'Sign in: http://localhost:8080/login',
  html: '<p>Hello</p><script>parent.hacked = true</script>',
  headers: { 'Message-ID': '<outbound.2@localhost>' },
}

let answer: { status: number; body: object }
let tokens: (string | null)[]
beforeEach(() => {
  answer = { status: 200, body: { values: [text, mail] } }
  tokens = []
  sessionStorage.clear()
  document.cookie = 'benchwatch_session=1'
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('fetch', async (address: string, { headers }: { headers: Headers }) => {
    if (address === '/api/dev/outbox') {
      tokens.push(headers.get('authorization'))
      return Response.json(answer.body, { status: answer.status })
    }
    if (address === '/api/auth/config')
      return Response.json({ provider: 'local', product: 'Benchwatch', deployment: 'global', passwordRules: [] })
    return Response.json({ ErrorBody: 'Session expired', code: 'session-expired' }, { status: 401 })
  })
})
afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
})

async function open(address: string) {
  vi.resetModules()
  window.history.replaceState(null, '', address)
  const { App } = await import('../app/app.tsx')
  const session = await import('../lib/session/session.ts')
  render(<App client={new QueryClient({ defaultOptions: { queries: { retry: false } } })} liveHandlers={[]} />)
  await session.startSession()
}

describe('the outbox', () => {
  it('lists what was sent, newest first, without anybody being signed in', async () => {
    await open('/dev/outbox')
    const list = await screen.findByRole('list', { name: 'Messages' })
    const names = within(list)
      .getAllByRole('link')
      .map(({ textContent }) => textContent)
    expect(names[0]).toContain('anna@helixbio.example')
    expect(names[1]).toContain('604213 is your Benchwatch code.')
    expect(tokens).toEqual([null])
    expect(screen.getByText('2 messages')).toBeTruthy()
  })

  it('shows an e-mail in a frame that runs no script', async () => {
    await open('/dev/outbox?message=2')
    const frame = await screen.findByTitle('The e-mail as a mail program shows it')
    expect(frame.getAttribute('sandbox')?.split(' ')).not.toContain('allow-scripts')
    expect(frame.getAttribute('sandbox')?.split(' ')).not.toContain('allow-same-origin')
  })

  it('shows its text with addresses to open, and its headers', async () => {
    await open('/dev/outbox?message=2&part=text')
    const link = await screen.findByRole('link', { name: 'http://localhost:8080/login' })
    expect(link.getAttribute('rel')).toContain('noopener')
    cleanup()
    await open('/dev/outbox?message=2&part=headers')
    expect(await screen.findByText('<outbound.2@localhost>')).toBeTruthy()
  })

  it('copies the code of a message by one click', async () => {
    const written: string[] = []
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (code) => void written.push(code))
    await open('/dev/outbox?message=1')
    ;(await screen.findByRole('button', { name: 'Copy 604213' })).click()
    expect(await screen.findByRole('button', { name: 'Copied 604213' })).toBeTruthy()
    expect(written).toEqual(['604213'])
  })

  it('lists the messages of one recipient', async () => {
    await open('/dev/outbox?to=HELIX')
    expect(await screen.findByText('1 message')).toBeTruthy()
    expect(screen.queryByText('+46701234567')).toBeNull()
  })

  it('is not there where the server has none', async () => {
    answer = { status: 404, body: { ErrorBody: 'The outbox exists only in the demo.', code: 'not-found' } }
    await open('/dev/outbox')
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
  })

  it('requires an administrator on another machine, and signs nobody out', async () => {
    answer = { status: 401, body: { ErrorBody: 'Session expired', code: 'session-expired' } }
    await open('/dev/outbox')
    expect(await screen.findByText('On another machine, sign in as an administrator.')).toBeTruthy()
    expect(window.location.pathname).toBe('/dev/outbox')
  })
})
