import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { MultiSelectList } from './multi-select-list.tsx'

afterEach(cleanup)

const cities = ['Uppsala', 'Oslo', 'Boston', 'Zürich', 'Malmö', 'Lyon']

function show(count: number, chosen: string[] = []) {
  const onChange = vi.fn<(chosen: string[]) => void>()
  const options = cities.slice(0, count).map((city) => ({ value: city, label: city }))
  render(
    <MantineProvider env="test">
      <MultiSelectList label="City" options={options} chosen={chosen} onChange={onChange} />
    </MantineProvider>,
  )
  return onChange
}

it('gets a search box above five values', async () => {
  show(5)
  expect(screen.queryByLabelText('Search City')).toBeNull()
  cleanup()
  show(6)
  await userEvent.type(screen.getByLabelText('Search City'), 'OS')
  expect(screen.getAllByRole('checkbox').map((box) => box.closest('div')?.textContent)).toHaveLength(2)
  expect(screen.getByLabelText('Oslo')).toBeTruthy()
  expect(screen.getByLabelText('Boston')).toBeTruthy()
})

it('adds and takes away one value at a time', async () => {
  const onChange = show(3, ['Oslo'])
  await userEvent.click(screen.getByLabelText('Boston'))
  expect(onChange).toHaveBeenLastCalledWith(['Oslo', 'Boston'])
  await userEvent.click(screen.getByLabelText('Oslo'))
  expect(onChange).toHaveBeenLastCalledWith([])
})
