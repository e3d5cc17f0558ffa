import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { EventList } from '../features/service-events/event-list.tsx'
import { filtersToOpenWith, rememberListAddress } from '../features/service-events/list-address.ts'
import { saveFilters } from '../features/service-events/saved-filters.ts'
import {
  type AddressParameters,
  type EventSearch,
  readEventSearch,
  writeEventSearch,
} from '../features/service-events/service-events.search.ts'
import { useViewer } from '../features/service-events/use-viewer.ts'

/** /events: the address is the truth of what is shown; every edit goes into it, and the filters into this browser. */
export function EventsScreen() {
  const parameters: AddressParameters = useSearch({ strict: false })
  const navigate = useNavigate()
  const viewer = useViewer()
  const [saved, setSaved] = useState(() => filtersToOpenWith(parameters))
  const isOpening = useRef(false)
  const read = readEventSearch(parameters)
  const search = saved === null ? read : { ...read, filter: saved }
  const address = JSON.stringify(writeEventSearch(search))

  const show = useCallback(
    (next: EventSearch, options?: { replace: boolean }) => {
      if (!next.temporaryFilters) saveFilters(next.filter)
      return navigate({ to: '/events', search: writeEventSearch(next), replace: options?.replace ?? false })
    },
    [navigate],
  )

  useEffect(() => {
    // The saved filters are shown until the address has them: between the two the list would be asked without any.
    if (saved === null || isOpening.current) return
    isOpening.current = true
    void show({ ...readEventSearch(parameters), filter: saved }, { replace: true }).then(() => setSaved(null))
  }, [saved, parameters, show])

  useEffect(() => rememberListAddress(JSON.parse(address) as Record<string, string>), [address])

  return (
    <EventList
      search={search}
      viewer={viewer}
      onSearch={(next, options) => void show(next, options)}
      onOpen={(eventId) => void navigate({ to: '/events/$eventId', params: { eventId } })}
    />
  )
}
