import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SelectedEvents } from './event-selection.ts'
import { SelectionBar } from './selection-bar.tsx'

const clear = vi.fn()
const selectAll = vi.fn()
const nothing: SelectedEvents = {
  mode: 'include',
  ids: [],
  count: 0,
  narrowing: { query: { start: '', stop: '' }, body: { filter: {} } },
  clear,
}

beforeEach(() => vi.clearAllMocks())
afterEach(cleanup)

const bar = (selected: Partial<SelectedEvents>) => (
  <SelectionBar selected={{ ...nothing, ...selected }} total={1284} onSelectAll={selectAll}>
    <button type="button">Export</button>
  </SelectionBar>
)

it('is there only while something is selected, and what it says is read out', () => {
  const { rerender } = render(bar({}))
  expect(screen.queryByRole('button')).toBeNull()
  const said = screen.getByRole('status')
  rerender(bar({ count: 1037, ids: ['1'] }))
  expect(screen.getByRole('status')).toBe(said)
  expect(said.textContent).toBe('1,037 selected')
  expect(screen.getByRole('button', { name: 'Export' })).toBeTruthy()
})

it("offers 'Select all {total}' until everything is, and a way to clear", async () => {
  const person = userEvent.setup()
  const { rerender } = render(bar({ count: 2, ids: ['1', '2'] }))
  await person.click(screen.getByRole('button', { name: 'Select all 1,284' }))
  expect(selectAll).toHaveBeenCalledOnce()
  await person.click(screen.getByRole('button', { name: 'Clear' }))
  expect(clear).toHaveBeenCalledOnce()
  rerender(bar({ mode: 'exclude', count: 1283, ids: ['1'] }))
  expect(screen.queryByRole('button', { name: /Select all/ })).toBeNull()
})
