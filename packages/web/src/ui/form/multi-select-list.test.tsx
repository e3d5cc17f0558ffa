import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { MultiSelectList } from './multi-select-list.tsx'

afterEach(cleanup)

const cities = ['Uppsala', 'Oslo', 'Boston', 'Zürich', 'Malmö', 'Lyon']

function show(count: number, chosen: string[] = []) {
  const onChange = vi.fn<(chosen: string[]) => void>()
  const options = cities.slice(0, count).map((city) => ({ value: city, label: city }))
  render(<MultiSelectList label="City" options={options} chosen={chosen} onChange={onChange} />)
  return onChange
}

const shown = () => screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)

it('gets a search box above five values', async () => {
  show(5)
  expect(screen.queryByLabelText('Search City')).toBeNull()
  cleanup()
  show(6)
  await userEvent.type(screen.getByLabelText('Search City'), 'OS')
  expect(shown()).toEqual(['Oslo', 'Boston'])
})

it('adds and takes away one value at a time', async () => {
  const onChange = show(3, ['Oslo'])
  await userEvent.click(screen.getByLabelText('Boston'))
  expect(onChange).toHaveBeenLastCalledWith(['Oslo', 'Boston'])
  await userEvent.click(screen.getByLabelText('Oslo'))
  expect(onChange).toHaveBeenLastCalledWith([])
})

it('finds marked letters by plain ones', async () => {
  show(6)
  await userEvent.type(screen.getByLabelText('Search City'), 'zur')
  expect(shown()).toEqual(['Zürich'])
})

it('shows what is chosen first', () => {
  show(6, ['Malmö', 'Oslo'])
  expect(shown()).toEqual(['Oslo', 'Malmö', 'Uppsala', 'Boston', 'Zürich', 'Lyon'])
})

it('shows no more boxes than can be drawn at once, and says how to find the others', async () => {
  const options = Array.from({ length: 250 }, (_, number) => ({ value: `M${number}`, label: `Module ${number}` }))
  render(<MultiSelectList label="Module" options={options} chosen={[]} onChange={() => undefined} />)
  expect(screen.getAllByRole('checkbox')).toHaveLength(200)
  expect(screen.getByText('50 more: search to find them.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Search Module'), 'Module 249')
  expect(shown()).toEqual(['Module 249'])
})
