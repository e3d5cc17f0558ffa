import type { SupportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { mailInTheme, TemplatePreview } from './template-editor.tsx'

const KEY = 'AKTAPure/P9B-1042'
const input: SupportEmailTemplateInput = {
  componentName: 'Pump B',
  subject: 'Pressure',
  body: 'Dear {contactName}',
  troubleshooting: null,
  closesEvent: false,
  underReview: false,
}
const mail = {
  subject: 'Pressure',
  text: 'Dear Maria',
  html: '<html><head></head><body><p>Dear Maria</p></body></html>',
  eventId: '104882',
  to: 'maria@helixbio.example',
}
const answer = vi.fn<(body: SupportEmailTemplateInput & { key: string }) => Response>()

// Preloads the routes that check answers; they are large, and the fake clock does not wait for them.
beforeAll(() => import('@benchwatch/contract/routes'))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => answer(JSON.parse(String(init.body))))
})

afterEach(() => {
  cleanup()
  answer.mockReset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  setCredentials(null)
})

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const pause = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
/** Reading an answer takes steps that the fake clock does not drive. */
const eventually = (look: () => unknown) =>
  act(async () => {
    for (let turns = 0; turns < 1000; turns += 1) {
      await vi.advanceTimersByTimeAsync(0)
      await new Promise((resolve) => setImmediate(resolve))
      try {
        return look()
      } catch {
        // Not yet.
      }
    }
    return look()
  })

function show(first: SupportEmailTemplateInput | null) {
  const queries = client()
  const page = (shown: SupportEmailTemplateInput | null, key: string) => (
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <TemplatePreview templateKey={key} input={shown} />
      </QueryClientProvider>
    </MantineProvider>
  )
  const { rerender } = render(page(first, KEY))
  return (next: SupportEmailTemplateInput | null, key = KEY) => rerender(page(next, key))
}

const frame = () => screen.getByTitle<HTMLIFrameElement>('E-mail as a mail program shows it')

it('asks for the e-mail half a second after the last key, and shows it in a frame where nothing runs', async () => {
  answer.mockImplementation(({ subject }) => Response.json({ ...mail, subject }))
  const type = show(input)
  await eventually(frame)
  expect(answer.mock.lastCall?.[0]).toEqual({ ...input, key: KEY })
  expect(frame().getAttribute('sandbox')).toBe('')
  expect(frame().srcdoc).toContain('<p>Dear Maria</p>')
  expect(screen.getByRole('link', { name: 'ORC-104882' }).getAttribute('href')).toBe('/events/104882')
  expect(screen.getByText('maria@helixbio.example')).toBeTruthy()
  type({ ...input, subject: 'Pressure i' })
  await pause(400)
  type({ ...input, subject: 'Pressure is' })
  await pause(400)
  expect(answer).toHaveBeenCalledTimes(1)
  expect(screen.getByText('Updating…')).toBeTruthy()
  await pause(200)
  expect(answer).toHaveBeenCalledTimes(2)
  await eventually(() => screen.getByText('Pressure is'))
  expect(screen.getByText('Up to date')).toBeTruthy()
})

it('keeps the e-mail before while the texts can’t be sent, and asks for nothing', async () => {
  answer.mockImplementation(() => Response.json(mail))
  const type = show(input)
  await eventually(frame)
  type(null)
  await pause(2000)
  expect(answer).toHaveBeenCalledTimes(1)
  expect(frame().srcdoc).toContain('Dear Maria')
  expect(screen.getByText('Not updated: correct the marked fields')).toBeTruthy()
})

it('says when it is about an invented event, and shows the text part', async () => {
  answer.mockImplementation(() => Response.json({ ...mail, eventId: null, to: null }))
  show(input)
  await eventually(frame)
  expect(screen.getByText(/^A sample event/)).toBeTruthy()
  fireEvent.click(screen.getByLabelText('Text'))
  expect(screen.getByText('Dear Maria').tagName).toBe('PRE')
})

it('says what is missing before there is a preview, and why one could not be drawn', async () => {
  const type = show(null)
  await pause(1000)
  expect(screen.getByText(/^The e-mail appears here once/)).toBeTruthy()
  expect(answer).not.toHaveBeenCalled()
  answer.mockImplementation(() => Response.json({ ErrorBody: 'Try later.' }, { status: 500 }))
  type(input)
  await pause(600)
  await eventually(() => screen.getByText(/Could not get the preview. Try later./))
})

it('waits for the end of an error id that is being typed', async () => {
  answer.mockImplementation(() => Response.json(mail))
  const type = show(null)
  for (const key of ['AKTAPure/P9B-1', 'AKTAPure/P9B-10', 'AKTAPure/P9B-104']) {
    type(input, key)
    await pause(300)
  }
  expect(answer).not.toHaveBeenCalled()
  await pause(300)
  await eventually(frame)
  expect(answer.mock.calls.map(([{ key }]) => key)).toEqual(['AKTAPure/P9B-104'])
})

describe('mail theme', () => {
  const mail = `<head><style>
  p{color:black}
  @media (prefers-color-scheme:dark){p{color:white!important}}
</style></head><body><p>@media (prefers-color-scheme:dark)</p></body>`

  it('a dark mail program takes the dark styles, a light one leaves them, whatever the browser prefers', () => {
    expect(mailInTheme(mail, 'dark')).toContain('@media (min-width: 0){p{color:white')
    expect(mailInTheme(mail, 'light')).toContain('@media (max-width: 0){p{color:white')
    expect(mailInTheme(mail, 'dark')).toContain('color-scheme:dark!important')
  })

  it('the content of the e-mail is unchanged', () => {
    expect(mailInTheme(mail, 'dark')).toContain('<p>@media (prefers-color-scheme:dark)</p>')
    expect(mailInTheme('<p>Plain</p>', 'dark')).toBe('<p>Plain</p>')
  })
})
