import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { defaultEventSearch } from '../events.search.ts'
import { PlacesPanel } from './event-map.tsx'
import { noCounts } from './locations.ts'

afterEach(cleanup)

async function show(eventsWithoutPosition: number) {
  const total = {
    events: 4,
    instruments: 3,
    components: 2,
    customers: 1,
    locations: 2,
    olderOpenEvents: 0,
    noOwnerEvents: 0,
    noActionEvents: 0,
    fullSupportEvents: 0,
    eventsWithoutPosition,
    asOf: null,
    isDegraded: false,
  }
  const locations = { total, eventsWithoutPosition, positions: 0, countries: [], bounds: null, generation: 1 }
  const search = { ...defaultEventSearch, keyword: 'pump', view: 'map' as const, map: null }
  const root = createRootRoute({
    component: () => (
      <PlacesPanel
        // Used only for the events of a place.
        of={undefined as never}
        locations={{ ...locations, counts: noCounts() }}
        search={search}
        trail={[]}
        onTrail={() => undefined}
        onFit={() => undefined}
      />
    ),
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  render(<RouterProvider router={router as never} />)
  return within(await screen.findByRole('region', { name: 'Events by country' }))
}

it.each([
  [1, '1 event without position'],
  [1204, '1,204 events without position'],
])('events without a position are counted and linked to the filtered list: %i', async (count, words) => {
  const panel = await show(count)
  expect(panel.getByText(words)).toBeTruthy()
  expect(panel.getByRole('link', { name: 'Show in list' }).getAttribute('href')).toBe('/events?keyword=pump')
})

it('where every event has one nothing is said of them', async () => {
  const panel = await show(0)
  expect(panel.queryByText(/without position/)).toBeNull()
})
