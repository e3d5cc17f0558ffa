import type { ParkedItem } from '@benchwatch/contract/backoffice'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx'
import { jsonProblem, ParkedItemDialog, readableJson } from './parked-item-dialog.tsx'

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

// A text area that grows asks for them.
beforeAll(() => Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true }))

afterEach(cleanup)

it('a mended item is asked about before it is left, and what is as it came is not', async () => {
  const onClose = vi.fn()
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
  const person = userEvent.setup({ delay: null })
  const text = await screen.findByLabelText('Item, as JSON')
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
