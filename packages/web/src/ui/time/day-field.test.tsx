import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { Dialog } from '../overlay/dialog.tsx'
import { DayField } from './day-field.tsx'

const handed = vi.fn()

afterEach(() => {
  cleanup()
  handed.mockReset()
})

function Form() {
  const [day, setDay] = useState('2026-11-20')
  return (
    <DayField
      label="Last day"
      value={day}
      onChange={(value) => {
        handed(value)
        setDay(value)
      }}
    />
  )
}

function show() {
  render(
    <MantineProvider env="test">
      <Form />
    </MantineProvider>,
  )
  return { person: userEvent.setup(), field: screen.getByRole('textbox', { name: 'Last day' }) }
}

it('shows the day as the product writes days, and takes one typed in another form', async () => {
  const { person, field } = show()
  expect(field).toHaveProperty('value', '20 Nov 2026')
  await person.clear(field)
  await person.type(field, '3/12/2026')
  expect(handed).toHaveBeenLastCalledWith('2026-12-03')
  await person.tab()
  expect(field).toHaveProperty('value', '03 Dec 2026')
})

it('hands on what names no day, and leaves it in the field', async () => {
  const { person, field } = show()
  await person.clear(field)
  expect(handed).toHaveBeenLastCalledWith('')
  await person.type(field, '31 Nov 2026')
  await person.tab()
  expect(handed).toHaveBeenLastCalledWith('31 Nov 2026')
  expect(field).toHaveProperty('value', '31 Nov 2026')
})

it('takes a day from its calendar, and gives the focus back', async () => {
  const { person, field } = show()
  const button = screen.getByRole('button', { name: 'Choose last day' })
  await person.click(button)
  await person.click(await screen.findByRole('button', { name: '27 November 2026' }))
  expect(handed).toHaveBeenLastCalledWith('2026-11-27')
  expect(field).toHaveProperty('value', '27 Nov 2026')
  expect(document.activeElement).toBe(button)
})

it('is closed by Escape before the dialog that it stands in', async () => {
  const handleClose = vi.fn()
  render(
    <MantineProvider env="test">
      <Dialog title="New token" onClose={handleClose}>
        <Form />
      </Dialog>
    </MantineProvider>,
  )
  const person = userEvent.setup()
  await person.click(screen.getByRole('button', { name: 'Choose last day' }))
  const calendar = await screen.findByRole('dialog', { name: 'Last day' })
  await waitFor(() => expect(calendar.contains(document.activeElement)).toBe(true))
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Last day' })).toBeNull())
  expect(handleClose).not.toHaveBeenCalled()
  await person.keyboard('{Escape}')
  expect(handleClose).toHaveBeenCalledOnce()
})
