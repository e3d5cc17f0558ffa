import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Dropdown } from './dropdown.tsx'

// Preloads the lazy part, so that no test waits for it.
beforeAll(() => import('./dropdown-frame.tsx'))

beforeEach(async () => {
  render(
    <MantineProvider env="test">
      <Dropdown title="Columns" panel={() => <input aria-label="Search" />}>
        Columns
      </Dropdown>
      <div role="dialog" aria-label="Over it">
        <button type="button">Sure</button>
      </div>
    </MantineProvider>,
  )
  await userEvent.click(button())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search' })))
})

afterEach(cleanup)

const button = () => screen.getByRole('button', { name: 'Columns' })
const panel = () => screen.queryByRole('dialog', { name: 'Columns' })

describe('Escape', () => {
  it('closes the panel and gives the focus back', async () => {
    await userEvent.keyboard('{Escape}')
    expect(panel()).toBeNull()
    expect(document.activeElement).toBe(button())
  })

  it.each(['the page', 'the button'])('closes it while %s still has the focus', (place) => {
    fireEvent.keyDown(place === 'the page' ? document.body : button(), { key: 'Escape' })
    expect(panel()).toBeNull()
    expect(document.activeElement).toBe(button())
  })

  it('inside a dialog over it is for that dialog', () => {
    fireEvent.keyDown(screen.getByRole('button', { name: 'Sure' }), { key: 'Escape' })
    expect(panel()).not.toBeNull()
  })

  it('that ends a composition of characters leaves it open', () => {
    fireEvent.keyDown(document.body, { key: 'Escape', isComposing: true })
    expect(panel()).not.toBeNull()
  })
})
