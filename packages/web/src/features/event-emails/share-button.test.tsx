import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { forgetUnsent } from '../../ui/use-unsent.ts'
import { ShareButton } from './share-button.tsx'

const users = [
  { id: '1', name: 'Anna Lind', email: 'anna@benchwatch.example', msisdn: null },
  { id: '2', name: 'Jonas Öberg', email: null, msisdn: null },
  { id: '3', name: 'Priya Nair', email: null, msisdn: null },
]
const answerShare = vi.fn<(body: unknown) => Promise<Response>>()
const onShared = vi.fn<() => void>()

// Loads what the button loads on demand, so that no test waits for it.
beforeAll(() => Promise.all([import('./share-panel.tsx'), import('../../ui/overlay/dropdown-frame.tsx')]))

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (address.startsWith('/api/alarms/share')) return answerShare(JSON.parse(String(init?.body)))
    return Response.json(users)
  })
})

afterEach(() => {
  cleanup()
  forgetUnsent()
  notifications.clean()
  answerShare.mockReset()
  onShared.mockReset()
  vi.unstubAllGlobals()
  setCredentials(null)
})

async function openForm() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <Notifications />
      <QueryClientProvider client={client}>
        <ShareButton event={aServiceEvent()} onShared={onShared} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const person = userEvent.setup({ delay: null })
  await person.click(screen.getByRole('button', { name: 'Share' }))
  return { person, receivers: await screen.findByRole('combobox', { name: 'Recipients' }) }
}

const submit = () => {
  const buttons = screen.getAllByRole('button', { name: 'Share' })
  return buttons.find((button) => button.getAttribute('type') === 'submit') as HTMLButtonElement
}

describe("the Share popover 'Email Event'", () => {
  it('is disabled until at least one recipient is selected; people are found by name, whatever their marks', async () => {
    const { person, receivers } = await openForm()
    expect(screen.getByRole('heading', { name: 'Email Event' })).toBeTruthy()
    expect(submit().disabled).toBe(true)
    await person.type(receivers, 'oberg')
    await waitFor(() =>
      expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Jonas Öberg']),
    )
    await person.click(screen.getByRole('option', { name: 'Jonas Öberg' }))
    expect(submit().disabled).toBe(false)
  })

  it('sends receivers and comment, confirms it, and resets the form', async () => {
    answerShare.mockResolvedValue(new Response(null, { status: 204 }))
    const { person, receivers } = await openForm()
    for (const name of ['Jonas Öberg', 'Priya Nair']) {
      await person.click(receivers)
      await person.click(await screen.findByRole('option', { name }))
    }
    await person.type(screen.getByLabelText('Comment (optional)'), ' Please look ')
    expect(screen.getByText('11 / 2,000')).toBeTruthy()
    await person.click(submit())
    expect(await screen.findByText('The event has been shared successfully.')).toBeTruthy()
    expect(answerShare.mock.calls).toEqual([[{ eventId: '104882', receiverIds: ['2', '3'], message: 'Please look' }]])
    expect(onShared).toHaveBeenCalledOnce()
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Email Event' })).toBeNull())
    await person.click(screen.getByRole('button', { name: 'Share' }))
    expect(await screen.findByText('0 / 2,000')).toBeTruthy()
  })

  it('keeps choice and text after a failure and shows the reason', async () => {
    const refusal = {
      status: 400,
      code: 'wrong-user-ids',
      ErrorBody: 'No e-mails were sent: Priya Nair may not see this event.',
    }
    answerShare.mockResolvedValue(Response.json(refusal, { status: 400 }))
    const { person, receivers } = await openForm()
    await person.click(receivers)
    await person.click(await screen.findByRole('option', { name: 'Priya Nair' }))
    await person.type(screen.getByLabelText('Comment (optional)'), 'Please look')
    await person.click(submit())
    expect(await screen.findByText('The event has not been shared. Please try again.')).toBeTruthy()
    expect(screen.getByText('No e-mails were sent: Priya Nair may not see this event.')).toBeTruthy()
    expect(screen.getByText('Priya Nair')).toBeTruthy()
    expect(screen.getByLabelText('Comment (optional)')).toHaveProperty('value', 'Please look')
    expect(onShared).not.toHaveBeenCalled()
    await person.click(screen.getByRole('button', { name: 'Cancel' }))
    await person.click(screen.getByRole('button', { name: 'Share' }))
    expect(await screen.findByLabelText('Comment (optional)')).toHaveProperty('value', 'Please look')
  })

  it('keeps the comment after Escape, also when the event was left meanwhile', async () => {
    const { person } = await openForm()
    await person.type(screen.getByLabelText('Comment (optional)'), 'Please look')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Email Event' })).toBeNull())
    cleanup()
    await openForm()
    expect(screen.getByLabelText('Comment (optional)')).toHaveProperty('value', 'Please look')
  })

  it('refuses a comment that is too long', async () => {
    const { person, receivers } = await openForm()
    await person.click(receivers)
    await person.click(await screen.findByRole('option', { name: 'Priya Nair' }))
    await person.click(screen.getByLabelText('Comment (optional)'))
    await person.paste('x'.repeat(2001))
    expect(screen.getByText('A comment has at most 2,000 characters')).toBeTruthy()
    expect(submit().disabled).toBe(true)
  })
})
