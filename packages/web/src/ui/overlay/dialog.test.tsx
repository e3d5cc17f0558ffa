import { Button, MantineProvider, Menu } from '@mantine/core'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { Dialog } from './dialog.tsx'

afterEach(cleanup)

/** A screen with a lazily created dialog, whose action may remove its opener. */
function Screen() {
  const [isOpen, setOpen] = useState(false)
  const [isDone, setDone] = useState(false)
  return (
    <MantineProvider env="test">
      <main id="content" tabIndex={-1}>
        {!isDone && <Button onClick={() => setOpen(true)}>Close event…</Button>}
        <Menu withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button>Anna Lind</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpen(true)}>Logout</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        {isOpen && (
          <Dialog onClose={() => setOpen(false)} title="Sure?">
            <input aria-label="Comment" data-autofocus />
            <Button
              onClick={() => {
                setDone(true)
                setOpen(false)
              }}
            >
              Save
            </Button>
          </Dialog>
        )}
      </main>
    </MantineProvider>
  )
}

async function opened(name: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name }))
}

it('keys pressed right after the dialog opened reach its first field', () => {
  render(<Screen />)
  fireEvent.click(screen.getByRole('button', { name: 'Close event…' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Comment'))
})

it('a closed dialog returns the focus to the button that opened it', async () => {
  render(<Screen />)
  await opened('Close event…')
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close event…' })))
})

it('a dialog that a menu opened gives it back to the button of the menu', async () => {
  render(<Screen />)
  await opened('Anna Lind')
  await userEvent.click(screen.getByRole('menuitem', { name: 'Logout' }))
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Anna Lind' })))
})

it('if the action removed the opener, the screen gets the focus', async () => {
  render(<Screen />)
  await opened('Close event…')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})
