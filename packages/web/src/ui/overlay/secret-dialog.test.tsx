import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { SecretDialog } from './secret-dialog.tsx'

const done = vi.fn()

afterEach(() => {
  cleanup()
  done.mockReset()
})

it('a secret is hidden only after the user confirms having saved it', async () => {
  // Set up before the clipboard is replaced, because the library installs its own.
  const person = userEvent.setup()
  render(
    <MantineProvider env="test">
      <SecretDialog title="New key" secret="bwgw_secret" hint="Put it into the gateway." onDone={done} />
    </MantineProvider>,
  )
  await person.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe('bwgw_secret')
  expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy()
  await person.keyboard('{Escape}')
  const button = screen.getByRole('button', { name: 'Done' })
  expect(button).toHaveProperty('disabled', true)
  expect(done).not.toHaveBeenCalled()
  await person.click(screen.getByRole('checkbox', { name: /I have saved it/ }))
  await person.click(button)
  expect(done).toHaveBeenCalledOnce()
})
