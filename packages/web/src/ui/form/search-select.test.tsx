import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SearchSelect } from './search-select.tsx'

const cities = ['Basel', 'Umeå', 'Uppsala']
const sent = vi.fn()

afterEach(() => {
  cleanup()
  sent.mockReset()
})

function Form() {
  const [city, setCity] = useState('Basel')
  const [search, setSearch] = useState('')
  return (
    <form
      onSubmit={(submit) => {
        submit.preventDefault()
        sent(city)
      }}
    >
      <SearchSelect
        label="City"
        text={city}
        options={cities
          .filter((name) => name.toLowerCase().startsWith(search))
          .map((value) => ({ value, label: value }))}
        isLoading={false}
        onSearch={setSearch}
        onChoose={setCity}
        onClear={() => setCity('')}
      />
      <button type="submit">Save</button>
    </form>
  )
}

function show() {
  render(
    <MantineProvider env="test">
      <Form />
    </MantineProvider>,
  )
  return { person: userEvent.setup(), field: screen.getByRole('combobox', { name: 'City' }) }
}

describe('a value that is searched', () => {
  it('is chosen by typing and Enter, which does not send the form', async () => {
    const { person, field } = show()
    await person.clear(field)
    await person.type(field, 'up')
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Uppsala'])
    await person.keyboard('{Enter}')
    expect(field).toHaveProperty('value', 'Uppsala')
    expect(sent).not.toHaveBeenCalled()
    await person.click(screen.getByRole('button', { name: 'Save' }))
    expect(sent).toHaveBeenCalledWith('Uppsala')
  })

  it('stays what it was when the person types and continues', async () => {
    const { person, field } = show()
    await person.type(field, 'zzz')
    expect(screen.getByText('Nothing found')).toBeTruthy()
    await person.tab()
    expect(field).toHaveProperty('value', 'Basel')
  })

  it('can be cleared', async () => {
    const { person, field } = show()
    await person.click(screen.getByRole('button', { name: 'Clear City' }))
    expect(field).toHaveProperty('value', '')
  })
})
