import type { ParkedItem } from '@benchwatch/contract/administration/backoffice'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { ConfirmDialog } from '../../../ui/overlay/confirm.tsx'
import { jsonProblem, ParkedItemDialog, readableJson } from './parked-items.tsx'

const item: ParkedItem = {
  id: '7',
  gateway: 'GW-UPP-01',
  itemId: 'a-1',
  code: 'unknown-instrument',
  reason: 'No such instrument.',
  item: '{"id":"a-1"}',
  receivedAt: '2026-11-20T13:00:00.000Z',
  resolvedAt: null,
}

// A text area that grows needs them.
beforeAll(() => Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true }))

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(onClose: () => void) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <ParkedItemDialog item={item} onClose={onClose} /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router as never} />
        <ConfirmDialog />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { person: userEvent.setup({ delay: null }), text: await screen.findByLabelText('Item (JSON)') }
}

it('leaving an edited item asks first, leaving an unchanged one does not', async () => {
  const onClose = vi.fn()
  const { person, text } = await open(onClose)
  await person.type(text, ' ')
  await person.keyboard('{Escape}')
  await screen.findByRole('button', { name: 'Stay' })
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stay' })).toBeNull())
  expect(onClose).not.toHaveBeenCalled()
  await person.type(text, '{Backspace}')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

it('is discarded with a reason, after one confirmation', async () => {
  const sent: { address: string; body: unknown }[] = []
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: string }) => {
    sent.push({ address, body: JSON.parse(body ?? '') })
    return new Response(null, { status: 204 })
  })
  const onClose = vi.fn()
  const { person } = await open(onClose)
  await person.click(screen.getByRole('button', { name: 'Discard…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Discard parked item' })
  const button = within(dialog).getByRole('button', { name: 'Discard item' })
  expect(button).toHaveProperty('disabled', true)
  await person.type(within(dialog).getByLabelText(/^Reason/), 'Sent by a test bench.')
  await person.click(button)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent).toEqual([
    { address: '/api/backoffice/parked-items/7/discard', body: { reason: 'Sent by a test bench.' } },
  ])
  setCredentials(null)
})

describe('parked json', () => {
  it('an item is shown in lines of its own; what is no JSON as it came', () => {
    expect(readableJson('{"id":"a-1","data":{}}')).toBe('{\n  "id": "a-1",\n  "data": {}\n}')
    expect(readableJson('{"id":')).toBe('{"id":')
  })

  it('an item that is empty or no JSON is not sent', () => {
    expect(jsonProblem('{"id":"a-1"}')).toBeNull()
    expect(jsonProblem(' ')).toBe('Item cannot be empty.')
    expect(jsonProblem('{"id":')).toMatch(/^This is not valid JSON: /)
  })
})
