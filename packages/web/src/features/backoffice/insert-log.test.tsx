import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { InsertLog } from './insert-log.tsx'

/** The server's end: the body it received, and the answer it gives. */
const sent: unknown[] = []
let answer: () => Response
const noteUnsaved = vi.fn<(hasUnsaved: boolean) => void>()

// A text area that grows needs them.
beforeAll(() => Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true }))

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!address.endsWith('/inject-logs')) return Response.json({ values: [], total: { instruments: 0 } })
    sent.push(JSON.parse(String(init.body)))
    return answer()
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
  sent.length = 0
  noteUnsaved.mockReset()
})

function open() {
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Notifications />
        <InsertLog onUnsaved={noteUnsaved} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

const insert = () => screen.getByRole('button', { name: 'Insert log' })

describe('Insert log', () => {
  it('sends nothing that the rules refuse, puts the cursor into the first wrong field, and forgets what was mended', async () => {
    const person = open()
    await person.click(insert())
    expect(await screen.findByText('Log type cannot be empty.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText(/^Log type/))
    await person.selectOptions(screen.getByLabelText(/^Log type/), 'VID')
    expect(screen.queryByText('Log type cannot be empty.')).toBeNull()
    expect(screen.getByText('Message cannot be empty.')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('shows what the server refuses at its field, and with the words of the specification', async () => {
    answer = () =>
      Response.json(
        {
          ErrorBody: 'Host hostname must be a client PC.',
          code: 'bad-log',
          errors: [{ path: 'body.hostHostname', message: 'Host hostname must be a client PC.' }],
        },
        { status: 400 },
      )
    const person = open()
    await person.selectOptions(screen.getByLabelText(/^Log type/), 'UNICORNCLIENT')
    await person.type(screen.getByLabelText(/^Message/), 'Hello')
    await person.type(screen.getByLabelText(/^Host hostname/), 'PC-1')
    await person.type(screen.getByLabelText(/^Enterprise/), 'Helix')
    await person.click(insert())
    expect(await screen.findByText('Host hostname must be a client PC.')).toBeTruthy()
    answer = () => Response.json({ ErrorBody: 'There is no such instrument.', code: 'not-found' }, { status: 404 })
    await person.click(insert())
    expect(await screen.findByText('Could not insert log: There is no such instrument.')).toBeTruthy()
    expect(sent.slice(0, 1)).toMatchObject([
      { logType: 'UNICORNCLIENT', message: 'Hello', instrumentInstalledProductId: '' },
    ])
  })

  it('says that it was inserted, and keeps the instrument for the next line', async () => {
    answer = () => Response.json({ _id: '7' }, { status: 201 })
    const person = open()
    await person.selectOptions(screen.getByLabelText(/^Log type/), 'CONNECTIVITY')
    await person.type(screen.getByRole('combobox', { name: /^Installed product ID/ }), 'IP-1')
    await person.type(screen.getByLabelText(/^Message/), 'Hello')
    await person.click(insert())
    expect(await screen.findByText('Log inserted')).toBeTruthy()
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Message/).value).toBe('')
    expect(noteUnsaved.mock.calls).toEqual([[false], [true], [false]])
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: /^Installed product ID/ }).value).toBe('IP-1')
  })

  it('shows the fields that the log type needs, and does not send what was typed into another', async () => {
    answer = () => Response.json({ _id: '7' }, { status: 201 })
    const person = open()
    const further = [
      'Module',
      'Component',
      'Error code',
      'Log level',
      'Event code',
      'Winlog user name',
      'Host hostname',
    ]
    const shown = () => further.filter((name) => screen.queryByLabelText(new RegExp(`^${name}`)) !== null)
    expect(shown()).toEqual([])
    await person.selectOptions(screen.getByLabelText(/^Log type/), 'VID')
    expect(shown()).toEqual(['Module'])
    await person.type(screen.getByLabelText(/^Module/), 'P9-B')
    await person.selectOptions(screen.getByLabelText(/^Log type/), 'WINDOWSSYSTEMEVENT')
    expect(shown()).toEqual(['Log level', 'Event code', 'Winlog user name', 'Host hostname'])
    await person.selectOptions(screen.getByLabelText(/^Log type/), 'EVENT')
    expect(shown()).toEqual(['Component', 'Error code'])
    await person.type(screen.getByRole('combobox', { name: /^Installed product ID/ }), 'IP-1')
    await person.type(screen.getByLabelText(/^Message/), 'Hello')
    await person.type(screen.getByLabelText(/^Component/), 'Pump B')
    await person.type(screen.getByLabelText(/^Error code/), '1042')
    await person.click(insert())
    await screen.findByText('Log inserted')
    expect(sent).toEqual([
      {
        ...{ logType: 'EVENT', instrumentInstalledProductId: 'IP-1', message: 'Hello', timestamp: '' },
        ...{ componentName: 'Pump B', errorCode: '1042' },
      },
    ])
    await person.selectOptions(screen.getByLabelText(/^Log type/), 'VID')
    expect(screen.getByLabelText<HTMLInputElement>(/^Module/).value).toBe('P9-B')
  })
})
