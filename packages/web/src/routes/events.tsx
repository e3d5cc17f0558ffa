import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { BulkActions } from '../features/bulk-changes/bulk-actions.tsx'
import { forgetUnbegunBulkChange } from '../features/bulk-changes/bulk-in-flight.ts'
import { type EventSearch, eventAddress, writeEventSearch } from '../features/events/events.search.ts'
import { EventList } from '../features/events/list/event-list.tsx'
import { EventListHeader } from '../features/events/list/event-list-header.tsx'
import type { SelectedEvents } from '../features/events/list/event-list-request.ts'
import { searchOfView } from '../features/events/list/event-view.ts'
import { useViewer } from '../features/events/owner/use-viewer.ts'
import { type OpenedList, useListOpening } from '../features/views/use-list-opening.ts'
import type { AddressParameters } from '../lib/list/list-address.ts'
import { rememberChoice } from '../lib/list/list-memory.ts'
import { useNow } from '../ui/time/use-now.ts'

/** Leaflet and its plugins: 60 kB that the list never needs. */
const loadMap = () => import('../features/events/map/event-map.tsx')

const list: OpenedList<EventSearch> = { ...eventAddress, area: 'events', searchOfView }

/**
 * /events: the address contains the state. Every edit is written to it, filters and columns also to the browser's
 * storage.
 */
export function EventsScreen() {
  const parameters: AddressParameters = useSearch({ strict: false })
  const navigate = useNavigate()
  const viewer = useViewer()
  const now = useNow()
  const bulkActions = useCallback(
    (selected: SelectedEvents) => <BulkActions selected={selected} viewer={viewer} />,
    [viewer],
  )
  useEffect(() => forgetUnbegunBulkChange, [])

  const show = useCallback(
    (next: EventSearch, options?: { replace: boolean }) =>
      navigate({ to: '/events', search: writeEventSearch(next), replace: options?.replace ?? false }),
    [navigate],
  )
  const opening = useListOpening(list, parameters, (search) => show(search, { replace: true }))

  const shown = {
    search: opening.search,
    isWaiting: opening.isWaiting,
    onSearch: (next: EventSearch, options?: { replace: boolean }) => {
      rememberChoice(list, { before: opening.search, next })
      void show(next, options).then(opening.decide)
    },
  }
  const map = useLoaded(loadMap, opening.search.view === 'map')
  if (opening.search.view === 'map') {
    return map === null ? <EventListHeader {...shown} total={undefined} now={now} /> : <map.EventMap {...shown} />
  }
  return (
    <EventList
      {...shown}
      viewer={viewer}
      selectionActions={bulkActions}
      onOpen={(eventId) => void navigate({ to: '/events/$eventId', params: { eventId } })}
    />
  )
}

/**
 * Loads something once it is needed; returns null until then. With lazy(), React keeps a fallback for 300 ms even if
 * the file arrives after 20, which is too slow for switching screens. Rethrows loading errors.
 */
function useLoaded<T>(load: () => Promise<T>, isWanted: boolean): T | null {
  const [outcome, setOutcome] = useState<{ loaded: T } | { failure: unknown } | null>(null)
  const isMissing = isWanted && outcome === null
  useEffect(() => {
    if (!isMissing) return
    load().then(
      (loaded) => setOutcome({ loaded }),
      (failure: unknown) => setOutcome({ failure }),
    )
  }, [isMissing, load])
  if (outcome === null) return null
  if ('failure' in outcome) throw outcome.failure
  return outcome.loaded
}
