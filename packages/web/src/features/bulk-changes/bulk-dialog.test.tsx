import { aListedServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { forgetUnsent } from '../../ui/use-unsent.ts'
import { serviceEventKeys } from '../events/events.api.ts'
import type { SelectedEvents } from '../events/list/event-list-request.ts'
import { usersQuery } from '../users/users.api.ts'
import { BulkActions } from './bulk-actions.tsx'
import { BulkChanges } from './bulk-changes.tsx'
import { forgetUnbegunBulkChange } from './bulk-in-flight.ts'
import type { BulkKind } from './bulk-request.ts'

const viewer = { id: '1', role: 'service' } as const
const clear = vi.fn()
const some: SelectedEvents = {
  mode: 'include',
  ids: ['4', '5', '6'],
  count: 3,
  narrowing: { query: { start: '2026-11-13T00:00:00.000Z', stop: '2026-11-21T00:00:00.000Z' }, body: { filter: {} } },
  clear,
}

/** So many that they are asked for first: a job changes them, and nothing takes that back. */
const many: SelectedEvents = { ...some, ids: Array.from({ length: 600 }, (_, place) => String(place)), count: 600 }

let selected = some

/** Requests that were sent, and the answers of a simulated server. */
const sent: { address: string; body: unknown }[] = []
let answer: (address: string) => Response | Promise<Response>

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push({ address, body: init.body === null ? null : (JSON.parse(String(init.body)) as unknown) })
    return answer(address)
  })
})

afterEach(() => {
  cleanup()
  forgetUnsent()
  notifications.clean()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  setCredentials(null)
  sent.length = 0
  clear.mockReset()
})

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const failure = (id: string) => ({ id, eventId: id, code: 'not-owner', ErrorBody: 'Take the event first.' })

/** The list, which can be left, and the dialog beside all screens. */
function Screen() {
  const [isList, setList] = useState(true)
  return (
    <>
      {isList && <List />}
      <button type="button" onClick={() => setList(false)}>
        Leave the list
      </button>
      <BulkChanges />
    </>
  )
}

function List() {
  useEffect(() => forgetUnbegunBulkChange, [])
  return <BulkActions selected={selected} viewer={viewer} />
}

beforeEach(() => {
  selected = some
})

async function press(kind: BulkKind, owners: Record<string, string | null> = {}) {
  const client = new QueryClient()
  client.setQueryData(serviceEventKeys.lists, {
    values: Object.entries(owners).map(([id, claimedBy]) => ({ alarm: aListedServiceEvent({ id, claimedBy }) })),
  })
  client.setQueryData(usersQuery().queryKey, [
    { id: '1', name: 'Anna Lind', email: null, msisdn: null },
    { id: '2', name: 'Carl Öberg', email: 'carl@benchwatch.example', msisdn: null },
    { id: '3', name: 'Ines Berg', email: null, msisdn: null },
  ])
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Notifications />
        <Screen />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const person = userEvent.setup()
  const name = { take: 'Assign to me', assign: 'Assign…', close: 'Close…' }[kind]
  await person.click(screen.getByRole('button', { name }))
  return person
}

async function open(kind: BulkKind, owners: Record<string, string | null> = {}) {
  const person = await press(kind, owners)
  return { person, dialog: within(await screen.findByRole('dialog')) }
}

describe('a change of all selected events', () => {
  it('claims some rows at once, clears the selection, and takes the claim back', async () => {
    answer = () => json({ changed: 2, failed: [] })
    const person = await press('take')
    expect(await screen.findByText('2 events changed')).toBeTruthy()
    expect(screen.getByText('You are the owner. 1 event needed no change.')).toBeTruthy()
    expect(sent[0]).toEqual({
      address: '/api/alarms/bulk',
      body: { ids: ['4', '5', '6'], mode: 'include', change: { claimedBy: '1' } },
    })
    expect(clear).toHaveBeenCalledOnce()
    expect(screen.queryByRole('dialog')).toBeNull()

    answer = () => json({ changed: 1, failed: [failure('6')] })
    await person.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('1 assignment undone')).toBeTruthy()
    expect(screen.getByText('1 assignment not undone')).toBeTruthy()
    expect(screen.getByText('ORC-6 changed in the meantime. Check the current owner.')).toBeTruthy()
    expect(sent.at(-1)?.body).toEqual({ ids: ['4', '5', '6'], mode: 'include', change: { undo: true } })
  })

  it('says of a claim without an answer after a while that it is still being sent, as of a single one', async () => {
    const claimed = Promise.withResolvers<Response>()
    answer = () => claimed.promise
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await press('take')
    await vi.waitUntil(() => sent.length > 0)
    act(() => {
      vi.advanceTimersByTime(2500)
    })
    expect(await screen.findByText('Still sending your change: 3 events')).toBeTruthy()
    claimed.resolve(json({ changed: 3, failed: [] }))
    expect(await screen.findByText('3 events changed')).toBeTruthy()
  })

  it('says beforehand how many are the user’s own, and offers to claim the others first', async () => {
    answer = () => json({ changed: 3, failed: [] })
    const owners = { '4': '1', '5': null, '6': '2' }
    const { person, dialog } = await open('close', owners)
    expect(dialog.getByText('1 of 3 is yours.')).toBeTruthy()
    await person.selectOptions(dialog.getByLabelText('Reason'), 'Duplicate event')
    await person.click(dialog.getByRole('button', { name: 'Assign to me and close' }))
    expect(await screen.findByText('3 events changed')).toBeTruthy()
    expect(sent.map(({ body }) => body)).toEqual([
      { ids: ['4', '5', '6'], mode: 'include', change: { claimedBy: '1' } },
      { ids: ['4', '5', '6'], mode: 'include', change: { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' } },
    ])
  })

  it('of everything that the list finds ends with the newest event of that moment, and counts again', async () => {
    selected = { ...some, mode: 'exclude', ids: ['4'], count: 7 }
    const newest = { alarm: aListedServiceEvent({ createdAt: '2026-11-20T14:02:23.456Z' }) }
    const none = { instruments: 1, components: 1, customers: 1, locations: 1, noOwnerEvents: 0, noActionEvents: 0 }
    const total = { events: 6, ...none, fullSupportEvents: 0, olderOpenEvents: 0 }
    answer = (address) =>
      json(
        address.startsWith('/api/alarms?')
          ? { values: [newest], total, asOf: null, isDegraded: false }
          : { changed: 5, failed: [] },
      )
    const { person, dialog } = await open('take')
    expect(sent[0]?.address).toContain('limit=1&offset=0&order=DESC&orderBy=createdAt')
    await person.click(dialog.getByRole('button', { name: 'Assign 5 events to me' }))
    expect(await screen.findByText('5 events changed')).toBeTruthy()
    expect(sent[1]?.body).toEqual({
      ...{ ids: ['4'], mode: 'exclude', filter: {}, change: { claimedBy: '1' } },
      ...{ start: '2026-11-13T00:00:00.000Z', stop: '2026-11-20T14:02:23.457Z' },
    })
  })

  it('asks nothing while the events cannot be read, and says so', async () => {
    selected = { ...some, mode: 'exclude' }
    answer = () => json({ ErrorBody: 'The database does not answer.' }, 400)
    await press('close')
    expect(await screen.findByText('Could not get events')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('gives them to a colleague found by name', async () => {
    answer = () => json({ changed: 3, failed: [] })
    const { person, dialog } = await open('assign')
    const assign = dialog.getByRole('button', { name: 'Assign 3 events' })
    expect(assign).toHaveProperty('disabled', true)
    expect(dialog.queryByRole('radio', { name: /Anna/ })).toBeNull()
    await person.type(dialog.getByLabelText('Search by name'), 'oberg{Enter}')
    expect(dialog.getAllByRole('radio')).toHaveLength(1)
    expect(sent).toEqual([])
    await person.click(dialog.getByRole('radio', { name: /Carl Öberg/ }))
    await person.click(assign)
    expect(await screen.findByText('Carl Öberg is the owner.')).toBeTruthy()
    expect(sent[0]?.body).toMatchObject({ change: { claimedBy: '2' } })
  })

  it('closes by the fields and rules of one event, says which failed and why, and tries those again', async () => {
    answer = () => json({ changed: 1, failed: [failure('4'), failure('6')] })
    const { person, dialog } = await open('close')
    const close = dialog.getByRole('button', { name: 'Close 3 events' })
    await person.selectOptions(dialog.getByLabelText('Reason'), 'Service Case Created')
    await person.type(dialog.getByLabelText(/Service case number/), '1234567')
    expect(close).toHaveProperty('disabled', true)
    await person.type(dialog.getByLabelText(/Service case number/), '8')
    await person.click(close)
    expect(await dialog.findByText('1 event changed')).toBeTruthy()
    expect(dialog.getByText('2 not changed')).toBeTruthy()
    expect(dialog.getByText('Take the event first.')).toBeTruthy()
    expect(dialog.getByRole('link', { name: 'ORC-6' }).getAttribute('href')).toBe('/events/6')
    expect(clear).not.toHaveBeenCalled()

    answer = () => json({ changed: 2, failed: [] })
    await person.click(dialog.getByRole('button', { name: 'Retry 2 events' }))
    expect(await screen.findByText('2 events changed')).toBeTruthy()
    const change = { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '12345678' }
    expect(sent.at(-1)?.body).toEqual({ ids: ['4', '6'], mode: 'include', change })
    expect(clear).toHaveBeenCalledOnce()
  })

  it('keeps what was entered when the server refuses', async () => {
    const sentence = '12,000 events are selected.'
    answer = () => json({ status: 400, code: 'selection-too-large', ErrorBody: sentence }, 400)
    const { person, dialog } = await open('close')
    await person.selectOptions(dialog.getByLabelText('Reason'), 'Duplicate event')
    await person.click(dialog.getByRole('button', { name: 'Close 3 events' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(sentence)
    expect(dialog.getByLabelText('Reason')).toHaveProperty('value', 'Duplicate event')
  })

  it('keeps what was entered for these events after Escape', async () => {
    const { person, dialog } = await open('close')
    await person.selectOptions(dialog.getByLabelText('Reason'), 'Duplicate event')
    await person.type(dialog.getByLabelText(/Comment/), 'of ORC-1')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(screen.getByRole('button', { name: 'Close…' }))
    const again = within(await screen.findByRole('dialog'))
    expect(again.getByLabelText('Reason')).toHaveProperty('value', 'Duplicate event')
    expect(again.getByLabelText(/Comment/)).toHaveProperty('value', 'of ORC-1')
  })

  it('says that some may have changed when the connection is lost, and repeats the same request', async () => {
    answer = () => {
      throw new TypeError('Failed to fetch')
    }
    const person = await press('take')
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('Some events may have changed.')).toBeTruthy()
    answer = () => json({ changed: 1, failed: [] })
    await person.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('1 event changed')).toBeTruthy()
    expect(sent[1]).toEqual(sent[0])
  })

  it('watches a job, out of sight too, and comes back with its failures', async () => {
    let progress: object = { state: 'running', changed: 50, failed: [], done: 50, total: 600 }
    selected = many
    answer = (address) => (address.endsWith('/bulk') ? json({ jobId: 'j-1' }, 202) : json(progress))
    const { person, dialog } = await open('take')
    await person.click(dialog.getByRole('button', { name: 'Assign 600 events to me' }))
    expect(await dialog.findByText('50 of 600 events')).toBeTruthy()
    expect(dialog.getByRole('progressbar')).toMatchObject({ value: 50, max: 600 })
    await person.click(dialog.getByRole('button', { name: 'Continue in background' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(screen.getByRole('button', { name: 'Show progress' }))
    expect(await screen.findByRole('progressbar')).toBeTruthy()
    await person.click(screen.getByRole('button', { name: 'Continue in background' }))
    progress = { state: 'done', changed: 599, failed: [failure('4')], done: 600, total: 600 }
    expect(await screen.findByText('599 events changed')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'ORC-4' })).toBeTruthy()
  })

  it('continues when the list is left, and says there which failed', async () => {
    let progress: object = { state: 'running', changed: 50, failed: [], done: 50, total: 600 }
    selected = many
    answer = (address) => (address.endsWith('/bulk') ? json({ jobId: 'j-2' }, 202) : json(progress))
    const { person, dialog } = await open('take')
    await person.click(dialog.getByRole('button', { name: 'Assign 600 events to me' }))
    await person.click(await dialog.findByRole('button', { name: 'Continue in background' }))
    await person.click(screen.getByRole('button', { name: 'Leave the list' }))
    progress = { state: 'done', changed: 599, failed: [failure('4')], done: 600, total: 600 }
    expect(await screen.findByText('599 events changed')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'ORC-4' })).toBeTruthy()
  })

  it('is asked no more when the list is left before it was begun', async () => {
    const { person } = await open('close')
    await person.click(screen.getByText('Leave the list'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toEqual([])
  })
})
