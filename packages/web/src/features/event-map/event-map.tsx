import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ErrorState } from '../../ui/error-state.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { EventListHeader } from '../service-events/event-list-header.tsx'
import { eventRange, narrowing } from '../service-events/event-list-request.ts'
import { usualMapView } from '../service-events/map-view.ts'
import { NewEventsBar } from '../service-events/new-events-bar.tsx'
import { serviceEventKeys, totalsQuery } from '../service-events/service-events.api.ts'
import type { EventSearch } from '../service-events/service-events.search.ts'
import { useUnseenEvents } from '../service-events/use-unseen-events.ts'
import { findsOnlyOpen, locationsQuery, openCountriesQuery } from './event-map.api.ts'
import styles from './event-map.module.css'
import { COUNTRY_ZOOM } from './leaflet-map.ts'
import type { PlaceSelection } from './locations.ts'
import { MapCanvas, type MapCanvasHandle } from './map-canvas.tsx'
import { MapIndex } from './map-index.ts'
import { PlacePopup } from './place-popup.tsx'
import { PlacesPanel } from './places-panel.tsx'

interface EventMapProps {
  search: EventSearch
  /** What the list opens with is not known yet: nothing is asked for. */
  isWaiting?: boolean
  onSearch: (search: EventSearch, options?: { replace: boolean }) => void
}

/** The events of the list on a map. What it shows is `search` alone, which the address holds. */
export function EventMap(props: EventMapProps) {
  const [attempt, setAttempt] = useState(0)
  const [index, setIndex] = useState<MapIndex | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt makes a new one.
  useEffect(() => {
    const made = new MapIndex()
    setIndex(made)
    return () => made.close()
  }, [attempt])
  if (index === null) return null
  return <IndexedMap key={index.id} {...props} index={index} onRestart={() => setAttempt(attempt + 1)} />
}

function IndexedMap(props: EventMapProps & { index: MapIndex; onRestart: () => void }) {
  const { search, index, onSearch } = props
  const client = useQueryClient()
  const now = useNow()
  const narrowed = narrowing(search, now)
  const { zoom } = search.map ?? usualMapView
  const isFar = zoom <= COUNTRY_ZOOM
  const locations = useQuery({
    ...locationsQuery(index, { narrowing: narrowed, zoom }),
    enabled: props.isWaiting !== true,
  })
  const isLoaded = locations.isSuccess && !locations.isPlaceholderData
  const totals = useQuery({ ...totalsQuery(narrowed), enabled: isLoaded })
  const isOwnCount = findsOnlyOpen(search)
  /** In the part of the world that is looked at; null before the first are drawn. */
  const [marks, setMarks] = useState<number | null>(null)
  const openCountries = useQuery({
    ...openCountriesQuery(index, narrowed),
    // Marks come first: server and worker would divide themselves.
    enabled: isLoaded && isFar && !isOwnCount && marks !== null,
  })
  const [trail, setTrail] = useState<PlaceSelection[]>([])
  const canvas = useRef<MapCanvasHandle>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => searchBox.current?.focus() })

  const total = totals.data ?? locations.data?.total
  const open = (isOwnCount ? locations.data?.countries : openCountries.data) ?? null
  const { count: newEvents } = useUnseenEvents(
    locations.data && {
      search,
      range: eventRange(search, now),
      page: { values: [] },
      askedAt: locations.data.askedAt,
    },
    narrowed,
  )
  const of = {
    index,
    generation: locations.data?.generation ?? 0,
    narrowing: narrowed,
    sort: { order: search.order, orderBy: search.orderBy },
  }
  const countries = locations.data?.countries ?? []

  function loadNewEvents() {
    void client.invalidateQueries({ queryKey: serviceEventKeys.locations })
    void client.invalidateQueries({ queryKey: serviceEventKeys.at })
  }

  return (
    <div className={styles.page}>
      <EventListHeader search={search} total={total} now={now} onSearch={onSearch} searchBox={searchBox} />
      <div className={styles.card} aria-busy={locations.isFetching}>
        {locations.isError && locations.data === undefined ? (
          <ErrorState
            title="Could not get locations"
            onRetry={() => (index.hasFailed ? props.onRestart() : void locations.refetch())}
          >
            {locations.error.message}
          </ErrorState>
        ) : (
          <>
            <div className={styles.strip}>
              <NewEventsBar
                count={newEvents}
                loadedAt={locations.dataUpdatedAt}
                hasFailed={locations.isError}
                onLoad={loadNewEvents}
              />
            </div>
            <div className={styles.body} data-stale={locations.isPlaceholderData || undefined}>
              <div className={styles.side}>
                <PlacesPanel
                  of={of}
                  locations={locations.data}
                  search={search}
                  trail={trail}
                  onTrail={setTrail}
                  onFit={(bounds) => canvas.current?.fit(bounds)}
                />
              </div>
              <div className={styles.map}>
                <MapCanvas
                  ref={canvas}
                  index={index}
                  generation={locations.data?.generation ?? null}
                  bounds={locations.data?.bounds ?? null}
                  view={search.map}
                  onMarks={setMarks}
                  onView={(map) => onSearch({ ...search, map }, { replace: true })}
                  open={open}
                  countries={countries}
                  onCountry={({ country }) => setTrail([{ country }])}
                  popup={(cluster, close) => <PlacePopup of={of} cluster={cluster} onClose={close} />}
                />
                {isLoaded && locations.data.positions === 0 && (
                  <p className={styles.nothing} role="status">
                    {total !== undefined && total.events > 0
                      ? 'None of these events has a position.'
                      : 'No events to show on the map. Choose a longer date range or fewer filters.'}
                  </p>
                )}
                {isLoaded && locations.data.positions > 0 && marks === 0 && (
                  <p className={styles.nothing} role="status">
                    No events in this part of the world. Choose a country, or move the map.
                  </p>
                )}
                {locations.isPending && (
                  <p className={styles.nothing} role="status">
                    Finding where the events are…
                  </p>
                )}
              </div>
            </div>
          </>
        )}
      </div>
    </div>
  )
}
