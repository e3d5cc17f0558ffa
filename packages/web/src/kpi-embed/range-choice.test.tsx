import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import type { KpiQuestion } from '../features/kpi/kpi-question.ts'
import { RangeChoice } from './dashboard.tsx'

afterEach(cleanup)

/** Keeps the range outside the control, as the dashboard does, where it can also change by other means. */
function Held() {
  const [range, setRange] = useState<KpiQuestion['range']>({ days: 30 })
  return (
    <MantineProvider env="test">
      <RangeChoice range={range} onChange={setRange} />
      <button type="button" onClick={() => setRange({ days: 90 })}>
        From elsewhere
      </button>
      <output>{JSON.stringify(range)}</output>
    </MantineProvider>
  )
}

const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })

function typeDays(from: string, to: string) {
  fireEvent.change(screen.getByLabelText('From'), { target: { value: from } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: to } })
}

it('keeps the focus on what was pressed', async () => {
  const person = userEvent.setup()
  render(<Held />)
  const week = radio('7 days')
  await person.click(week)
  expect(week.checked).toBe(true)
  expect(document.activeElement).toBe(week)
  await person.click(radio('From – to'))
  typeDays('2026-01-01', '2026-01-31')
  const apply = screen.getByRole('button', { name: 'Apply' })
  await person.click(apply)
  expect(screen.getByRole('status').textContent).toBe('{"from":"2026-01-01","to":"2026-01-31"}')
  expect(document.activeElement).toBe(apply)
})

it('says why days can’t be asked for, and keeps what was typed', async () => {
  const person = userEvent.setup()
  render(<Held />)
  await person.click(radio('From – to'))
  typeDays('2026-02-01', '2026-01-31')
  await person.click(screen.getByRole('button', { name: 'Apply' }))
  expect(screen.getByRole('alert').textContent).toBe('The end date must not be before the start date.')
  expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('2026-02-01')
  expect(screen.getByRole('status').textContent).toBe('{"days":30}')
})

it('closes the days once another range is asked for from elsewhere', async () => {
  const person = userEvent.setup()
  render(<Held />)
  await person.click(radio('From – to'))
  await person.click(screen.getByRole('button', { name: 'From elsewhere' }))
  expect(radio('90 days').checked).toBe(true)
  // Opens on a preset of 90 days, switches to custom days, and back.
  await person.click(radio('From – to'))
  typeDays('2026-01-01', '2026-01-31')
  await person.click(screen.getByRole('button', { name: 'Apply' }))
  await person.click(screen.getByRole('button', { name: 'From elsewhere' }))
  expect(radio('90 days').checked).toBe(true)
  expect(screen.queryByLabelText('From')).toBeNull()
})
