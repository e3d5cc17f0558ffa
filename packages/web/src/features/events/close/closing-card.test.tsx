import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { closeReasons } from '@benchwatch/contract/vocabulary'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { forgetUnsent } from '../../../ui/use-unsent.ts'
import { ClosingCard } from './closing-card.tsx'

const address = 'https://cases.benchwatch.example/00123456'
const withCase = aServiceEvent({
  alertStatus: '3_CLOSED',
  claimedBy: '1',
  reasonClosed: 'Service Case Created',
  serviceMaxCaseNumber: '00123456',
  serviceMaxUrl: address,
})
const withComment = aServiceEvent({
  alertStatus: '3_CLOSED',
  claimedBy: '1',
  reasonClosed: 'Duplicate event',
  reasonClosedComment: 'of ORC-1',
})
/** Requests that were sent, and the answers of a simulated server. */
const puts: unknown[] = []
let answer: () => Response | Promise<never>

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    puts.push(JSON.parse(String(init.body)))
    return answer()
  })
})

afterEach(() => {
  cleanup()
  forgetUnsent()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
  puts.length = 0
})

function show(event: ServiceEvent, viewerId = '1') {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Notifications />
        <ClosingCard event={event} viewer={{ id: viewerId, role: 'customer' }} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

const problem = (status: number) => () =>
  Response.json({ status, code: 'x', detail: 'Why.', ErrorBody: 'Why.' }, { status })
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'))
const save = () => screen.getByRole('button', { name: 'Save' })

async function editNumber(number: string) {
  const person = show(withCase)
  await person.click(screen.getByRole('button', { name: 'Edit case' }))
  const box = screen.getByLabelText(/Service case number/)
  await person.clear(box)
  await person.type(box, number)
  return person
}

async function editComment(text: string) {
  const person = show(withComment)
  await person.click(screen.getByRole('button', { name: 'Edit comment' }))
  await person.type(screen.getByLabelText('Comment'), text)
  return person
}

describe('how an event was closed', () => {
  it('is not shown while it is open', () => {
    show(aServiceEvent())
    expect(screen.queryByText('How it was closed')).toBeNull()
  })

  it('shows the case as a link that opens apart and gives nothing away', () => {
    show(withCase)
    const link = screen.getByRole('link', { name: address })
    expect(link.getAttribute('rel')).toContain('noopener')
    expect(link.getAttribute('target')).toBe('_blank')
  })

  it('shows what is no case URL as text', () => {
    show({ ...withCase, serviceMaxUrl: 'javascript:alert(1)' })
    expect(screen.queryByRole('link')).toBeNull()
    expect(screen.getByText('javascript:alert(1)')).toBeTruthy()
  })

  it.each(closeReasons)('for the reason %s offers to edit what that reason has', (reasonClosed) => {
    show({ ...withComment, reasonClosed })
    const comment = ['No action required', 'Duplicate event', 'Customer resolved on own', 'Closed by automatic email']
    expect(screen.queryByRole('button', { name: 'Edit comment' }) !== null).toBe(comment.includes(reasonClosed))
    expect(screen.queryByRole('button', { name: 'Edit case' }) !== null).toBe(reasonClosed === 'Service Case Created')
  })

  it('can be corrected by the owner alone', () => {
    show(withComment, '2')
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('editing the case', () => {
  it("says 'Service Max Case number / URL updated successfully'", async () => {
    answer = () => Response.json({ ...withCase, serviceMaxCaseNumber: '87654321', version: 2 })
    const person = await editNumber('87654321')
    await person.click(save())
    expect(puts).toEqual([{ serviceMaxCaseNumber: '87654321' }])
    expect(await screen.findByText('Service Max Case number / URL updated successfully')).toBeTruthy()
  })

  it.each([
    ['no answer', unreachable, 'Error - Could not update ServiceMax Case number or URL'],
    ['a server that is away', problem(503), 'Error - Could not update ServiceMax Case number or URL'],
    ['a refused value', problem(400), 'Error - Invalid format of ServiceMax Case number or URL'],
  ])('after %s shows the error and keeps the input', async (_what, given, words) => {
    answer = given
    const person = await editNumber('87654321')
    await person.click(save())
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>(/Service case number/).value).toBe('87654321')
  })

  it('cannot be saved unchanged or with a number that does not match', async () => {
    const person = await editNumber('00123456')
    expect(save()).toHaveProperty('disabled', true)
    await person.type(screen.getByLabelText(/Service case number/), '9')
    expect(save()).toHaveProperty('disabled', true)
    expect(screen.queryByLabelText(/Case URL/)).toBeNull()
  })
})

describe('editing the comment', () => {
  it("says 'Comment updated successfully'", async () => {
    answer = () => Response.json({ ...withComment, reasonClosedComment: 'of ORC-12', version: 2 })
    const person = await editComment('2')
    await person.click(save())
    expect(puts).toEqual([{ reasonClosedComment: 'of ORC-12' }])
    expect(await screen.findByText('Comment updated successfully')).toBeTruthy()
  })

  it("says 'Error - Could not update comment' when it fails", async () => {
    answer = problem(500)
    const person = await editComment('2')
    await person.click(save())
    expect(await screen.findByText('Error - Could not update comment')).toBeTruthy()
  })

  it('takes the focus, and gives it back to the button', async () => {
    const person = await editComment('2')
    expect(document.activeElement).toBe(screen.getByLabelText('Comment'))
    await person.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit comment' }))
  })

  it('is saved only when changed', async () => {
    await editComment(' ')
    expect(save()).toHaveProperty('disabled', true)
  })

  it('keeps what was typed when the event is left, and discards it by Cancel', async () => {
    const typed = await editComment(' and ORC-2')
    cleanup()
    const person = show(withComment)
    await person.click(screen.getByRole('button', { name: 'Edit comment' }))
    expect(screen.getByLabelText('Comment')).toHaveProperty('value', 'of ORC-1 and ORC-2')
    await typed.click(screen.getByRole('button', { name: 'Cancel' }))
    await person.click(screen.getByRole('button', { name: 'Edit comment' }))
    expect(screen.getByLabelText('Comment')).toHaveProperty('value', 'of ORC-1')
  })
})
