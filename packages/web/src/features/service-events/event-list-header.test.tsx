import type { EventTotals } from '@benchwatch/contract/service-events'
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EventListHeader } from './event-list-header.tsx'
import { defaultEventSearch, type EventSearch } from './service-events.search.ts'

const now = new Date(2026, 10, 20, 12).getTime()
const total: EventTotals = {
  events: 1284,
  instruments: 211,
  components: 1,
  customers: 12,
  locations: 48,
  noOwnerEvents: 7,
  noActionEvents: 5,
  fullSupportEvents: 31,
  olderOpenEvents: 3,
}
const onSearch = vi.fn<(search: EventSearch) => void>()

afterEach(() => {
  cleanup()
  onSearch.mockReset()
})

function show(search: Partial<EventSearch> = {}) {
  render(
    <MantineProvider env="test">
      <EventListHeader
        search={{ ...defaultEventSearch, ...search }}
        total={total}
        now={now}
        onSearch={onSearch}
        searchBox={createRef()}
      />
    </MantineProvider>,
  )
  return userEvent.setup()
}

const asked = () => onSearch.mock.lastCall?.[0]

describe('above the list', () => {
  it("stand the title and the idle events, labelled 'New and In progress': no owner plus no action", () => {
    show()
    expect(screen.getByRole('heading', { name: 'Service Events' })).toBeTruthy()
    expect(screen.getByText(/New and In progress/).textContent).toBe('12 idle · New and In progress')
  })

  it('stand three quick filters with their counts; one at a time, and a second press lets all in again', async () => {
    const person = show({ page: 4 })
    for (const [label, count, quick] of [
      ['No owner 2 hrs +', '7', 'noOwner'],
      ['No action 24 hrs +', '5', 'noAction'],
      ['24 hour support', '31', 'fullSupport'],
    ] as const) {
      const counter = screen.getByRole('button', { name: (name) => name.includes(label) })
      expect(counter.textContent).toBe(`${count}${label}`)
      expect(counter.title).toContain(label)
      await person.click(counter)
      expect(asked()).toMatchObject({ quick, page: 1 })
    }
    cleanup()
    const again = show({ quick: 'noAction' })
    const active = screen.getByRole('button', { pressed: true })
    expect(active.textContent).toBe('5No action 24 hrs +')
    await again.click(active)
    expect(asked()?.quick).toBeNull()
  })

  it('stands what the whole result holds: events, instruments, components, customers, locations', () => {
    show()
    const parts = [...screen.getByTestId('totals').querySelectorAll('span')].map(({ textContent }) => textContent)
    expect(parts).toEqual(['1,284 events', '211 instruments', '1 component', '12 customers', '48 locations'])
  })

  it('open events older than the range are one click away, and replace no saved filters', async () => {
    const person = show({ filter: { severity: ['high'] } })
    await person.click(screen.getByRole('button', { name: '3 open events are older' }))
    expect(asked()).toMatchObject({
      filter: { severity: ['high'], alertStatus: ['1_NEW', '2_IN_PROGRESS'] },
      stop: new Date(2026, 10, 13).toISOString(),
      temporaryFilters: true,
    })
  })
})

describe('applied filters', () => {
  it("read 'No filters selected.' when there are none", () => {
    show()
    expect(screen.getByText('No filters selected.')).toBeTruthy()
  })

  it('are chips, each with its own way out', async () => {
    const person = show({ page: 3, filter: { severity: ['high', 'low'], alertStatus: ['1_NEW'], siteCity: ['Oslo'] } })
    const chips = screen.getByRole('list', { name: 'Applied filters' })
    expect(chips.textContent).toContain('Severity High, Low')
    expect(chips.textContent).toContain('Event status New')
    expect(chips.textContent).toContain('City Oslo')
    await person.click(screen.getByRole('button', { name: 'Remove filter Severity' }))
    expect(asked()).toMatchObject({ page: 1, filter: { alertStatus: ['1_NEW'], siteCity: ['Oslo'] } })
    expect(asked()?.filter).not.toHaveProperty('severity')
  })
})

it('the search box takes 40 characters', () => {
  show()
  expect(screen.getByLabelText<HTMLInputElement>('Search events').maxLength).toBe(40)
})
