import type { EventColumnKey } from '@benchwatch/contract/vocabulary'
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { eventColumns } from '../../features/events/list/event-list.columns.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { usualKeys } from './list-columns.ts'

const eventColumnKeys = usualKeys(eventColumns)

const chosen = vi.fn<(columns: readonly EventColumnKey[] | null) => void>()

afterEach(() => {
  cleanup()
  chosen.mockReset()
})

function Chooser({ initial }: { initial: readonly EventColumnKey[] | null }) {
  const [columns, setColumns] = useState(initial)
  return (
    <ColumnChooser
      model={eventColumns}
      columns={columns}
      onChange={(next) => {
        chosen(next)
        setColumns(next)
      }}
    />
  )
}

async function open(initial: readonly EventColumnKey[] | null = null) {
  render(
    <MantineProvider env="test">
      <Chooser initial={initial} />
    </MantineProvider>,
  )
  const person = userEvent.setup()
  await person.click(screen.getByRole('button', { name: /^Columns/ }))
  await screen.findByRole('checkbox', { name: 'Severity' })
  return person
}

it('hides a column and shows it again in its usual place', async () => {
  const person = await open()
  await person.click(screen.getByRole('checkbox', { name: 'Location' }))
  expect(chosen.mock.lastCall?.[0]).toEqual(eventColumnKeys.filter((key) => key !== 'location'))
  await person.click(screen.getByRole('checkbox', { name: 'Location' }))
  expect(chosen.mock.lastCall?.[0]).toEqual(eventColumnKeys)
})

it('moves a column by keyboard, keeps the focus on its arrow and says where it is', async () => {
  const person = await open(['age', 'eventId', 'status'])
  screen.getByRole('button', { name: 'Move Age down' }).focus()
  await person.keyboard('{Enter}')
  expect(chosen.mock.lastCall?.[0]).toEqual(['eventId', 'age', 'status'])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move Age down' }))
  expect(screen.getByRole('status').textContent).toBe('Age is now column 2 of 3')
  await person.keyboard('{Enter}')
  expect(chosen.mock.lastCall?.[0]).toEqual(['eventId', 'status', 'age'])
  // At the end of the list the button is disabled, so the opposite one has the focus.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move Age up' }))
})

it('lets the last column stay, and leads back to the usual ones', async () => {
  const person = await open(['status'])
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Status' }).disabled).toBe(true)
  await person.click(screen.getByRole('button', { name: 'Default columns' }))
  expect(chosen.mock.lastCall?.[0]).toBeNull()
})
