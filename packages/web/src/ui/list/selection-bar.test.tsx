import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SelectionBar } from './list-screen.tsx'

const clear = vi.fn()
const selectAll = vi.fn()
type Selected = Parameters<typeof SelectionBar>[0]['selected']
const nothing: Selected = { mode: 'include', count: 0, clear }

beforeEach(() => vi.clearAllMocks())
afterEach(cleanup)

const bar = (selected: Partial<Selected>) => (
  <MantineProvider env="test">
    <SelectionBar label="Selected events" selected={{ ...nothing, ...selected }} total={1284} onSelectAll={selectAll}>
      <button type="button">Export</button>
    </SelectionBar>
  </MantineProvider>
)

it('is there only while something is selected, and what it says is read out', () => {
  const { rerender } = render(bar({}))
  expect(screen.queryByRole('button')).toBeNull()
  const said = screen.getByRole('status')
  rerender(bar({ count: 1037 }))
  expect(screen.getByRole('status')).toBe(said)
  expect(said.textContent).toBe('1,037 selected')
  expect(screen.getByRole('button', { name: 'Export' })).toBeTruthy()
})

it("offers 'Select all {total}' until everything is, and a way to clear", async () => {
  const person = userEvent.setup()
  const { rerender } = render(bar({ count: 2 }))
  await person.click(screen.getByRole('button', { name: 'Select all 1,284' }))
  expect(selectAll).toHaveBeenCalledOnce()
  await person.click(screen.getByRole('button', { name: 'Clear' }))
  expect(clear).toHaveBeenCalledOnce()
  rerender(bar({ mode: 'exclude', count: 1283 }))
  expect(screen.queryByRole('button', { name: /Select all/ })).toBeNull()
})
