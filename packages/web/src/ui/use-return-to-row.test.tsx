import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { rememberOpened, useReturnToRow } from './use-return-to-row.ts'

const goTo = vi.fn()

function List({ isLoaded }: { isLoaded: boolean }) {
  useReturnToRow('events', { isLoaded, goTo })
  return <input aria-label="Search" />
}

afterEach(() => {
  cleanup()
  sessionStorage.clear()
  goTo.mockClear()
})

it('back from an event, the list goes to its row once the rows are there, and not again', () => {
  rememberOpened('events', '104882')
  const { rerender, unmount } = render(<List isLoaded={false} />)
  expect(goTo).not.toHaveBeenCalled()
  rerender(<List isLoaded />)
  expect(goTo.mock.calls).toEqual([['104882']])
  unmount()
  render(<List isLoaded />)
  expect(goTo).toHaveBeenCalledOnce()
})

it('takes the focus from nobody who already searches', () => {
  rememberOpened('events', '104882')
  const { rerender, getByLabelText } = render(<List isLoaded={false} />)
  getByLabelText('Search').focus()
  rerender(<List isLoaded />)
  expect(goTo).not.toHaveBeenCalled()
})

it('takes it from the screen as a whole, which has it after the way back', () => {
  rememberOpened('events', '104882')
  const { rerender, getByRole } = render(
    <main id="content" tabIndex={-1}>
      <List isLoaded={false} />
    </main>,
  )
  getByRole('main').focus()
  rerender(
    <main id="content" tabIndex={-1}>
      <List isLoaded />
    </main>,
  )
  expect(goTo.mock.calls).toEqual([['104882']])
})
