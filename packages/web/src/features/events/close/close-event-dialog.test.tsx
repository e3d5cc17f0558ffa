import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, type Mock, onTestFinished, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import * as settings from '../../../lib/page-settings.ts'
import { showUndo } from '../../../ui/overlay/toasts.ts'
import { forgetUnsent } from '../../../ui/use-unsent.ts'
import { useEventActions } from '../use-event-actions.ts'
import { CloseEventDialog } from './close-event-dialog.tsx'

const mine = aServiceEvent({ alertStatus: '2_IN_PROGRESS', claimedBy: '1', claimedByName: 'Anna Lind', version: 4 })
/** One for each test: an answer to the one before may arrive late. */
let done: Mock<() => void>

/** Requests that the dialog sent, and the answers of a simulated server. */
const sent: { address: string; ifMatch: string | null; body: unknown }[] = []
let answer: () => Response

beforeEach(() => {
  done = vi.fn()
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    sent.push({ address, ifMatch: headers.get('if-match'), body: JSON.parse(String(init.body)) as unknown })
    return answer()
  })
})

afterEach(() => {
  cleanup()
  forgetUnsent()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
  sent.length = 0
})

const viewer = { id: '1', role: 'service' } as const

function show(event: ServiceEvent = mine) {
  showScreen(<CloseEventDialog event={event} viewer={viewer} onDone={done} />)
}

function showScreen(dialog: ReactNode) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Notifications />
        {dialog}
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const saveButton = () => screen.getByRole('button', { name: 'Close event' })
const reason = () => screen.getByLabelText('Reason')
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

/** The dialog of an event beside a button that claims it. */
function Claiming({ event }: { event: ServiceEvent }) {
  const { assign } = useEventActions(viewer)
  return (
    <>
      <button type="button" onClick={() => void assign(event, { id: '1', name: 'Anna Lind' })}>
        Claim
      </button>
      <CloseEventDialog event={event} viewer={viewer} onDone={done} />
    </>
  )
}

describe('the close dialog, opened before the claim of its event is confirmed', () => {
  const free = aServiceEvent({ version: 4 })
  let claim: PromiseWithResolvers<Response>

  beforeEach(async () => {
    claim = Promise.withResolvers()
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      const ifMatch = new Headers(init.headers).get('if-match')
      sent.push({ address, ifMatch, body: JSON.parse(String(init.body)) as unknown })
      return sent.length === 1 ? claim.promise : answer()
    })
    showScreen(<Claiming event={free} />)
    const person = userEvent.setup()
    expect(reason()).toBe(document.activeElement)
    await person.keyboard('d')
    expect(saveButton()).toHaveProperty('disabled', true)
    fireEvent.click(screen.getByText('Claim'))
    await waitFor(() => expect(saveButton()).toHaveProperty('disabled', false))
    await person.keyboard('{Enter}')
    expect(sent).toHaveLength(1)
  })

  it('sends the close after the answer, with the version of the claimed event', async () => {
    answer = () => json({ ...mine, version: 6, alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event' })
    claim.resolve(json({ ...mine, version: 5 }))
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(sent.map(({ ifMatch }) => ifMatch)).toEqual(['"4"', '"5"'])
    expect(sent[1]?.body).toMatchObject({ reasonClosed: 'Duplicate event' })
  })

  it('stays with its input if another user was faster', async () => {
    const theirs = { ...mine, claimedBy: '2', claimedByName: 'Jonas', version: 5 }
    answer = () => json({ title: 'Conflict', status: 412, event: theirs }, 412)
    claim.resolve(answer())
    await screen.findByText(/could not update owner/i)
    await waitFor(() => expect(saveButton()).toHaveProperty('disabled', true))
    expect(reason()).toHaveProperty('value', 'Duplicate event')
    expect(done).not.toHaveBeenCalled()
  })
})

describe('the close dialog', () => {
  it("starts with 'Select option to close' and can't be saved before a reason is chosen", () => {
    show()
    expect(screen.getByRole('option', { name: 'Select option to close', selected: true })).toBeTruthy()
    expect(saveButton()).toHaveProperty('disabled', true)
  })

  it('offers the four reasons that people give, not those of the system', () => {
    show()
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Select option to close',
      'Service Case Created',
      'Customer resolved on own',
      'No action required',
      'Duplicate event',
    ])
  })

  it('takes a reason by its letter, goes to the case number, and closes by Enter', async () => {
    const person = userEvent.setup()
    answer = () => json({ ...mine, alertStatus: '3_CLOSED', reasonClosed: 'Service Case Created', version: 5 })
    show()
    const shown = screen.getAllByText(/^[A-Z]$/, { selector: 'kbd' }).map(({ textContent }) => textContent)
    expect(new Set(shown).size).toBe(4)
    await waitFor(() => expect(document.activeElement).toBe(reason()))
    await person.keyboard('s')
    expect(document.activeElement).toBe(screen.getByLabelText(/Service case number/))
    await person.keyboard('00123456{Enter}')
    expect(sent[0]?.body).toEqual({
      alertStatus: 'CLOSED',
      reasonClosed: 'Service Case Created',
      serviceMaxCaseNumber: '00123456',
    })
  })

  it('takes a usual reason by one press, with the keys still at hand', async () => {
    const person = userEvent.setup()
    answer = () => json({ ...mine, alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event', version: 5 })
    show()
    const choice = (name: string) =>
      within(screen.getByRole('group', { name: 'Usual choices' })).getByRole('button', { name })
    await person.click(choice('Service Case Created'))
    expect(reason()).toHaveProperty('value', 'Service Case Created')
    expect(document.activeElement).toBe(screen.getByLabelText(/Service case number/))
    await person.click(choice('Duplicate event'))
    expect(choice('Duplicate event').getAttribute('aria-pressed')).toBe('true')
    expect(document.activeElement).toBe(reason())
    await person.keyboard('{Enter}')
    expect(sent[0]?.body).toEqual({ alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' })
  })

  it('closes by Enter after the letter of a reason that needs nothing else, and not without a reason', async () => {
    const person = userEvent.setup()
    answer = () => json({ ...mine, alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event', version: 5 })
    show()
    await waitFor(() => expect(document.activeElement).toBe(reason()))
    await person.keyboard('{Enter}')
    expect(sent).toEqual([])
    await person.keyboard('d{Enter}')
    expect(sent[0]?.body).toEqual({ alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' })
  })

  it('highlights an invalid case number, and shows the URL field only once the number is valid', async () => {
    const person = userEvent.setup()
    show()
    await person.selectOptions(reason(), 'Service Case Created')
    const number = screen.getByLabelText(/Service case number/)
    await person.type(number, '1234567')
    expect(number.getAttribute('aria-invalid')).toBe('true')
    expect(screen.queryByLabelText(/Case URL/)).toBeNull()
    expect(saveButton()).toHaveProperty('disabled', true)

    await person.type(number, '8')
    expect(number.getAttribute('aria-invalid')).not.toBe('true')
    expect(saveButton()).toHaveProperty('disabled', false)
    await person.type(screen.getByLabelText(/Case URL/), 'ftp://nowhere')
    expect(screen.getByLabelText(/Case URL/).getAttribute('aria-invalid')).toBe('true')
    expect(saveButton()).toHaveProperty('disabled', true)
  })

  it('has a comment for other reasons and no comment for Service Case Created', async () => {
    const person = userEvent.setup()
    show()
    await person.selectOptions(reason(), 'Duplicate event')
    expect(screen.getByLabelText(/Comment/)).toBeTruthy()
    await person.selectOptions(reason(), 'Service Case Created')
    expect(screen.queryByLabelText(/Comment/)).toBeNull()
  })

  it('sends the change with the version that was shown, reports the result, and closes', async () => {
    const person = userEvent.setup()
    const closed = { ...mine, alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event', version: 5 }
    answer = () => json(closed)
    show()
    await person.selectOptions(reason(), 'Duplicate event')
    await person.type(screen.getByLabelText(/Comment/), 'of ORC-1')
    await person.click(saveButton())
    expect(sent).toEqual([
      {
        address: `/api/alarms/${mine.id}`,
        ifMatch: '"4"',
        body: { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event', reasonClosedComment: 'of ORC-1' },
      },
    ])
    expect(await screen.findByText('Event updated.')).toBeTruthy()
    expect(screen.getByText(`ORC-${mine.eventId} · Status: Closed - Duplicate event.`)).toBeTruthy()
    expect(done).toHaveBeenCalledOnce()
  })

  it('withdraws the offer to undo the assignment, which the server would refuse after the closing', async () => {
    const person = userEvent.setup()
    answer = () => json({ ...mine, alertStatus: '3_CLOSED', reasonClosed: 'No action required', version: 5 })
    show()
    act(() => showUndo({ title: 'Anna Lind set as owner on event' }, vi.fn(), mine.eventId))
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
    await person.selectOptions(reason(), 'No action required')
    await person.click(saveButton())
    expect(await screen.findByText('Event updated.')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
  })

  it('stays open when the event has changed in the meantime, and shows its current state', async () => {
    const person = userEvent.setup()
    const current = { ...mine, claimedBy: '2', claimedByName: 'Jonas Berg', version: 5 }
    const detail = 'The event was changed in the meantime.'
    answer = () => json({ status: 412, code: 'version-mismatch', detail, ErrorBody: detail, event: current }, 412)
    show()
    await person.selectOptions(reason(), 'No action required')
    await person.click(saveButton())
    expect(await screen.findByText(`Could not update event: ORC-${mine.eventId}`)).toBeTruthy()
    expect(screen.getByText(/has changed in the meantime.* owner: Jonas Berg/)).toBeTruthy()
    expect(done).not.toHaveBeenCalled()
    expect(reason()).toHaveProperty('value', 'No action required')
  })

  it('keeps what was typed when somebody else changes the event meanwhile, and lets only the owner save', async () => {
    const person = userEvent.setup()
    const dialog = (event: ServiceEvent) => (
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          <CloseEventDialog event={event} viewer={{ id: '1', role: 'service' }} onDone={done} />
        </QueryClientProvider>
      </MantineProvider>
    )
    const client = new QueryClient()
    const { rerender } = render(dialog(mine))
    await person.selectOptions(reason(), 'Duplicate event')
    await person.type(screen.getByLabelText(/Comment/), 'of ORC-1')
    // The instrument raised it again, which is no user's decision.
    rerender(dialog({ ...mine, latchedCount: 3, version: 5 }))
    expect(screen.queryByText(/changed in the meantime/)).toBeNull()
    expect(saveButton()).toHaveProperty('disabled', false)

    rerender(dialog({ ...mine, claimedBy: '2', claimedByName: 'Jonas Berg', version: 6 }))
    expect(screen.getByText(/changed in the meantime\. It is now In progress, owner: Jonas Berg/)).toBeTruthy()
    expect(screen.getByLabelText(/Comment/)).toHaveProperty('value', 'of ORC-1')
    expect(saveButton()).toHaveProperty('disabled', true)
  })

  it('sends the version that was read: what changes as Save is pressed is refused, not replaced', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    answer = () => json({ status: 412, code: 'version-conflict', detail: 'Changed.', ErrorBody: 'Changed.' }, 412)
    const client = new QueryClient()
    const dialog = (event: ServiceEvent) => (
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          <CloseEventDialog event={event} viewer={{ id: '1', role: 'service' }} onDone={done} />
        </QueryClientProvider>
      </MantineProvider>
    )
    const { rerender } = render(dialog(mine))
    await person.selectOptions(reason(), 'Duplicate event')
    rerender(dialog({ ...mine, latchedCount: 3, version: 5 }))
    await person.click(saveButton())
    rerender(dialog({ ...mine, reasonClosedComment: 'of a colleague', version: 6 }))
    await person.click(saveButton())
    // The notice has been visible long enough to be read.
    act(() => void vi.advanceTimersByTime(1500))
    await person.click(saveButton())
    expect(sent.map(({ ifMatch }) => ifMatch)).toEqual(['"5"', '"4"', '"6"'])
  })

  it.each([
    ['Escape', (person: UserEvent) => person.keyboard('{Escape}')],
    ['the cross', (person: UserEvent) => person.click(within(screen.getByRole('banner')).getByRole('button'))],
    [
      'a click outside',
      (person: UserEvent) => person.click(document.querySelector('.mantine-Modal-overlay') as Element),
    ],
  ])('is closed by %s without losing what was typed; Cancel discards it', async (_way, leave) => {
    const person = userEvent.setup()
    show()
    await person.selectOptions(reason(), 'Service Case Created')
    await person.type(screen.getByLabelText(/Service case number/), '55667788')
    await person.type(screen.getByLabelText(/Case URL/), 'https://x')
    await leave(person)
    expect(done).toHaveBeenCalledOnce()
    cleanup()
    show({ ...mine, id: '99' })
    expect(reason()).toHaveProperty('value', '')
    cleanup()
    show()
    expect(reason()).toHaveProperty('value', 'Service Case Created')
    expect(screen.getByLabelText(/Service case number/)).toHaveProperty('value', '55667788')
    expect(screen.getByLabelText(/Case URL/)).toHaveProperty('value', 'https://x')
    await person.click(screen.getByRole('button', { name: 'Cancel' }))
    cleanup()
    show()
    expect(reason()).toHaveProperty('value', '')
  })

  describe('with a case desk', () => {
    beforeEach(() => {
      vi.spyOn(settings, 'pageSettings').mockReturnValue({ ...settings.pageSettings(), caseDesk: 'ServiceNow' })
    })
    afterEach(() => void vi.restoreAllMocks())
    const byDesk = () => screen.queryByRole('radio', { name: 'Create the case in ServiceNow' })
    const createButton = () => screen.getByRole('button', { name: 'Create case' })
    const wanted = {
      requestedAt: '2026-11-20T14:00:00.000Z',
      requestedByName: 'Anna Lind',
      isCreated: false,
      lastError: null,
      retryAt: null,
      status: null,
      statusSince: null,
    }

    it('asks the desk for the case, by the letter and Enter, and says that the event is closed later', async () => {
      const person = userEvent.setup()
      answer = () => json({ ...mine, version: 5, serviceCase: wanted })
      show()
      await waitFor(() => expect(document.activeElement).toBe(reason()))
      await person.keyboard('s')
      expect(byDesk()).toHaveProperty('checked', true)
      expect(screen.queryByLabelText(/Service case number/)).toBeNull()
      await person.keyboard('{Enter}')
      expect(sent).toEqual([{ address: `/api/alarms/${mine.id}/service-case`, ifMatch: '"4"', body: {} }])
      expect(await screen.findByText('Case is being created')).toBeTruthy()
      expect(screen.getByText(`ORC-${mine.eventId} is closed when the case exists.`)).toBeTruthy()
      expect(done).toHaveBeenCalledOnce()
    })

    it('takes a number that is entered by hand instead', async () => {
      const person = userEvent.setup()
      answer = () => json({ ...mine, alertStatus: '3_CLOSED', reasonClosed: 'Service Case Created', version: 5 })
      show()
      await person.selectOptions(reason(), 'Service Case Created')
      await person.click(screen.getByRole('radio', { name: 'Enter the number of a case' }))
      expect(saveButton()).toHaveProperty('disabled', true)
      await person.type(screen.getByLabelText(/Service case number/), '12345678')
      await person.click(saveButton())
      expect(sent[0]?.body).toEqual({
        alertStatus: 'CLOSED',
        reasonClosed: 'Service Case Created',
        serviceMaxCaseNumber: '12345678',
      })
    })

    it('creates no case for another reason, a closed event, or one whose case is being created', async () => {
      const person = userEvent.setup()
      show()
      await person.selectOptions(reason(), 'Duplicate event')
      expect(byDesk()).toBeNull()
      expect(saveButton()).toHaveProperty('disabled', false)
      for (const event of [
        { ...mine, serviceCase: wanted },
        { ...mine, alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event' } as const,
      ]) {
        cleanup()
        forgetUnsent()
        show(event)
        await person.selectOptions(reason(), 'Service Case Created')
        expect(byDesk()).toBeNull()
        expect(screen.getByLabelText(/Service case number/)).toBeTruthy()
      }
    })

    it('stays open with the sentence of the server when it refuses', async () => {
      const person = userEvent.setup()
      const sentence = 'Only the owner may do this. Assign the event to yourself first.'
      answer = () => json({ status: 403, code: 'not-owner', detail: sentence, ErrorBody: sentence }, 403)
      show()
      await person.selectOptions(reason(), 'Service Case Created')
      await person.click(createButton())
      expect(await screen.findByText(sentence)).toBeTruthy()
      expect(done).not.toHaveBeenCalled()
    })
  })

  it('shows the sentence of the server when it refuses a value', async () => {
    const person = userEvent.setup()
    const sentence = 'Case URLs must point to *.my.salesforce.com.'
    answer = () => json({ status: 400, code: 'bad-change', detail: sentence, ErrorBody: sentence }, 400)
    show()
    await person.selectOptions(reason(), 'Service Case Created')
    await person.type(screen.getByLabelText(/Service case number/), '12345678')
    await person.type(screen.getByLabelText(/Case URL/), 'https://cases.benchwatch.example/1')
    await person.click(saveButton())
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(done).not.toHaveBeenCalled()
    // The toast with the sentence leaves; the dialog still says that it has not done what was asked.
    const notice = /^The server has not confirmed this/
    expect(screen.getByText(notice)).toBeTruthy()
    answer = () => json({ ...mine, alertStatus: '3_CLOSED', version: 5 })
    await person.click(saveButton())
    expect(screen.queryByText(notice)).toBeNull()
  })
})
