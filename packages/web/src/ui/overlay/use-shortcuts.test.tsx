import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { deviceStore } from '../../lib/storage.ts'
import { switchShortcuts, useShortcuts } from './use-shortcuts.ts'

const done = vi.fn<(key: string) => void>()

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  done.mockClear()
})

function Screen({ hasDialog = false, escapeLeaves = false }: { hasDialog?: boolean; escapeLeaves?: boolean }) {
  const bound = { j: () => done('j'), Enter: () => done('Enter'), Escape: () => done('Escape') }
  useShortcuts(bound, { escapeLeaves })
  return (
    <>
      <input aria-label="Text" />
      <input type="checkbox" aria-label="Box" />
      <button type="button">Button</button>
      <details>
        <summary>More</summary>
      </details>
      {hasDialog && <div role="dialog" aria-label="Dialog" />}
    </>
  )
}
const keys = () => done.mock.calls.map(([key]) => key)

it('do what they are bound to, wherever the focus is', async () => {
  render(<Screen />)
  const person = userEvent.setup()
  await person.keyboard('j')
  await person.click(screen.getByRole('checkbox'))
  await person.keyboard('j{Escape}')
  expect(keys()).toEqual(['j', 'j', 'Escape'])
})

it('act once for one press, where two parts of the screen listen', async () => {
  render(
    <>
      <Screen />
      <Screen />
    </>,
  )
  await userEvent.setup().keyboard('j')
  expect(keys()).toEqual(['j'])
})

it('are left alone in a field, with a modifier, and where a dialog is open', async () => {
  const { rerender } = render(<Screen />)
  const person = userEvent.setup()
  await person.type(screen.getByRole('textbox'), 'j')
  screen.getByRole('button').focus()
  await person.keyboard('{Control>}j{/Control}{Meta>}j{/Meta}{Alt>}j{/Alt}')
  rerender(<Screen hasDialog />)
  await person.keyboard('j{Escape}')
  expect(keys()).toEqual([])
})

it('leave an Escape to the dialog that it closes, also where that goes at once', async () => {
  function ClosedByEscape() {
    const [isOpen, setOpen] = useState(true)
    useEffect(() => {
      const close = () => flushSync(() => setOpen(false))
      window.addEventListener('keydown', close, { capture: true })
      return () => window.removeEventListener('keydown', close, { capture: true })
    }, [])
    return isOpen && <div role="dialog" aria-label="Dialog" />
  }
  const { rerender } = render(<Screen escapeLeaves />)
  rerender(
    <>
      <Screen escapeLeaves />
      <ClosedByEscape />
    </>,
  )
  const closedAt = Date.now()
  const now = vi.spyOn(Date, 'now').mockReturnValue(closedAt)
  onTestFinished(() => now.mockRestore())
  const person = userEvent.setup()
  await person.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(keys()).toEqual([])
  // Pressed twice to be sure: the second belongs to the dialog as well.
  now.mockReturnValue(closedAt + 500)
  await person.keyboard('{Escape}')
  expect(keys()).toEqual([])
  now.mockReturnValue(closedAt + 1200)
  await person.keyboard('{Escape}')
  expect(keys()).toEqual(['Escape'])
})

it('leave Enter to the control that has the focus', async () => {
  render(<Screen />)
  const person = userEvent.setup()
  for (const control of [screen.getByRole('button'), screen.getByText('More')]) {
    control.focus()
    await person.keyboard('{Enter}')
    expect(document.activeElement).toBe(control)
    expect(keys()).toEqual([])
  }
  screen.getByRole('checkbox').focus()
  await person.keyboard('{Enter}')
  expect(keys()).toEqual(['Enter'])
})

it('do nothing once they are switched off, and the choice outlives a sign-out', async () => {
  render(<Screen />)
  const person = userEvent.setup()
  switchShortcuts(false)
  deviceStore.clear()
  await person.keyboard('j')
  expect(keys()).toEqual([])
  switchShortcuts(true)
  await person.keyboard('j')
  expect(keys()).toEqual(['j'])
})
