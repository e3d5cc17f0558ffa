import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { FilterPress } from '../../../lib/list/filter-choice.ts'
import { FilterPresses, filterValueOf } from './filter-value.tsx'

const Value = filterValueOf([{ key: 'customer', label: 'Customer' }])

function show(leadsTo?: string) {
  const onPress = vi.fn<(press: FilterPress) => void>()
  const onRow = vi.fn<() => void>()
  render(
    <FilterPresses onPress={onPress} {...(leadsTo !== undefined && { leadsTo })}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- stands for a row */}
      <div onClick={({ target }) => target instanceof Element && target.closest('[data-action]') && onRow()}>
        <Value category="customer" value="Helix Bio" />
        <Value category="keyword" value="IP-1007">
          <b>IP-1007</b>
        </Value>
        <Value category="customer" value={null}>
          nobody
        </Value>
      </div>
    </FilterPresses>,
  )
  return { onPress, onRow, user: userEvent.setup() }
}

const helix = { category: 'customer', value: 'Helix Bio' }

it('is a native button that says what it does, also to assistive technology', () => {
  show()
  const [customer, product, ...others] = screen.getAllByRole('button')
  expect(customer?.textContent).toBe('Helix Bio')
  expect(customer?.title).toBe('Filter by customer: Helix Bio. Alt: exclude.')
  expect(product?.title).toBe('Search for “IP-1007”.')
  expect(others).toEqual([])
  expect(screen.getByText('nobody')).toBeTruthy()
})

it('says on a page without a list where it leads', () => {
  show('Open events')
  expect(screen.getByText('Helix Bio').closest('button')?.title).toBe('Open events with customer: Helix Bio')
})

it('is pressed by the pointer, on whatever it shows, and with Alt excluded; it acts on nothing else of its row', async () => {
  const { onPress, onRow, user } = show()
  await user.click(screen.getByText('Helix Bio'))
  expect(onPress).toHaveBeenLastCalledWith({ ...helix, isExcluded: false })
  await user.keyboard('{Alt>}')
  await user.click(screen.getByText('Helix Bio'))
  await user.keyboard('{/Alt}')
  expect(onPress).toHaveBeenLastCalledWith({ ...helix, isExcluded: true })
  await user.click(screen.getByText('nobody'))
  expect(onPress).toHaveBeenCalledTimes(2)
  expect(onRow).not.toHaveBeenCalled()
})

it('is pressed by Enter, and by Alt+Enter excluded, once each', async () => {
  const { onPress, user } = show()
  await user.tab()
  await user.keyboard('{Enter}')
  expect(onPress).toHaveBeenLastCalledWith({ ...helix, isExcluded: false })
  await user.keyboard('{Alt>}{Enter}{/Alt}')
  expect(onPress).toHaveBeenLastCalledWith({ ...helix, isExcluded: true })
  expect(onPress).toHaveBeenCalledTimes(2)
})
