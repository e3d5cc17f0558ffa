import { IconMapPinOff, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { counted } from '../../../lib/folded.ts'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { ErrorState } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { serviceEventKeys, totalsQuery } from '../events.api.ts'
import { type EventSearch, usualMapView, writeEventSearch } from '../events.search.ts'
import { EventListHeader } from '../list/event-list-header.tsx'
import { eventRange, narrowing } from '../list/event-list-request.ts'
import { NewEventsBar, useUnseenEvents } from '../list/new-events-bar.tsx'
import { locationsQuery } from './event-map.api.ts'
import styles from './event-map.module.css'
import { WaitingItems } from './events-at.tsx'
import {
  type Bounds,
  type CountryCounts,
  countLabel,
  type EventCluster,
  noCounts,
  type Place,
  type PlaceSelection,
  placesLabel,
} from './locations.ts'
import { IconButton, MapCanvas, type MapCanvasHandle } from './map-canvas.tsx'
import { type LoadedLocations, MapIndex } from './map-index.ts'
import { CountryRows, PlaceBrowser, type PlaceQueries, selectionTitle } from './place-browser.tsx'

interface EventMapProps {
  search: EventSearch
  /** True until the default view is known: nothing is requested. */
  isWaiting?: boolean
  onSearch: (search: EventSearch, options?: { replace: boolean }) => void
}

/** Shows the events of the list on a map. It shows only `search`, which the address contains. */
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
  const locations = useQuery({
    ...locationsQuery(index, { narrowing: narrowed, zoom }),
    enabled: props.isWaiting !== true,
  })
  const isLoaded = locations.isSuccess && !locations.isPlaceholderData
  const totals = useQuery({ ...totalsQuery(narrowed), enabled: isLoaded })
  /** Number of marks in the viewport; null before the first are drawn. */
  const [marks, setMarks] = useState<number | null>(null)
  const [trail, setTrail] = useState<PlaceSelection[]>([])
  const canvas = useRef<MapCanvasHandle>(null)

  const total = totals.data ?? locations.data?.total
  const { count: newEvents } = useUnseenEvents(
    locations.data && {
      search,
      range: eventRange(search, now),
      page: { values: [] },
      requestedAt: locations.data.requestedAt,
    },
    narrowed,
  )
  const of = {
    index,
    generation: locations.data?.generation ?? 0,
    narrowing: narrowed,
    sort: { order: search.order, orderBy: search.orderBy },
  }

  function loadNewEvents() {
    void client.invalidateQueries({ queryKey: serviceEventKeys.locations })
    void client.invalidateQueries({ queryKey: serviceEventKeys.at })
  }

  return (
    <div className={styles.page}>
      <EventListHeader search={search} total={total} now={now} onSearch={onSearch} />
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
                  countries={locations.data?.countries ?? null}
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
                    Locating events…
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

/** Popup with the events of a mark. */
function PlacePopup(props: { of: PlaceQueries; cluster: EventCluster; onClose: () => void }) {
  const { of, cluster, onClose } = props
  const [trail, setTrail] = useState<PlaceSelection[]>([cluster.selection])
  const selection = trail.at(-1) ?? cluster.selection
  const isFirst = trail.length === 1
  const counts = isFirst ? cluster.counts : selection.place?.counts
  const before = trail.at(-2)

  function leave(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key closes the dialog, wherever in it one is
    <div className={styles.popup} role="dialog" aria-label="Events at this place" onKeyDown={leave}>
      <PlaceTrail
        title={selectionTitle(selection)}
        note={counts && countLabel(counts, isFirst ? cluster.positions : 1)}
        back={before && { to: selectionTitle(before), onClick: () => setTrail(trail.slice(0, -1)) }}
        onClose={onClose}
      />
      <div className={styles.scroll}>
        <PlaceBrowser
          key={JSON.stringify(selection)}
          of={of}
          selection={selection}
          onSelect={(next) => setTrail([...trail, next])}
        />
      </div>
    </div>
  )
}

/** Lists countries and their events: everything on the map, for screen readers and keyboards. */
export function PlacesPanel(props: {
  of: PlaceQueries
  /** Absent until it is read. */
  locations: LoadedLocations | undefined
  search: EventSearch
  trail: readonly PlaceSelection[]
  onTrail: (trail: PlaceSelection[]) => void
  onFit: (bounds: Bounds) => void
}) {
  const { of, locations, trail, onTrail } = props
  const selection = trail.at(-1)

  function select(next: PlaceSelection, found: Place | CountryCounts) {
    onTrail([...trail, next])
    props.onFit(boundsOf(found))
  }

  const country = locations?.countries.find((known) => selection?.country === known.country)
  const countries = locations?.countries.length ?? 0
  const note =
    selection === undefined
      ? `${counted(countries, 'country', 'countries')} with events`
      : placesLabel(selection.place?.counts ?? country?.counts ?? noCounts(), selection.place ? 1 : country?.positions)
  return (
    <section className={styles.panel} aria-label="Events by country">
      <PlaceTrail
        title={selection === undefined ? 'Countries' : selectionTitle(selection)}
        note={locations === undefined ? 'Loading…' : note}
        back={selection === undefined ? undefined : { to: backTo(trail), onClick: () => onTrail(trail.slice(0, -1)) }}
      />
      <div className={styles.panelScroll}>
        {locations === undefined && <WaitingItems rows={8} isLow />}
        {locations !== undefined && selection === undefined && (
          <CountryRows countries={locations.countries} onSelect={(row) => select({ country: row.country }, row)} />
        )}
        {locations !== undefined && selection !== undefined && (
          <PlaceBrowser key={JSON.stringify(selection)} of={of} selection={selection} onSelect={select} />
        )}
      </div>
      {locations !== undefined && locations.eventsWithoutPosition > 0 && (
        <p className={styles.without}>
          <IconMapPinOff size={15} stroke={1.7} aria-hidden="true" />
          <span>{withoutPosition(locations.eventsWithoutPosition)}</span>
          <Link to="/events" search={writeEventSearch({ ...props.search, view: 'list', map: null })}>
            Show in list
          </Link>
        </p>
      )}
    </section>
  )
}

function backTo(trail: readonly PlaceSelection[]): string {
  const before = trail.at(-2)
  return before === undefined ? 'countries' : selectionTitle(before)
}

/** Their sites have no position, so the map cannot show them; the list contains them. */
function withoutPosition(events: number): string {
  return `${counted(events, 'event')} without position`
}

function boundsOf(found: Place | CountryCounts): Bounds {
  if ('bounds' in found) return found.bounds
  const { latitude, longitude } = found
  return { south: latitude, north: latitude, west: longitude, east: longitude }
}

/** Head of a popup or the panel: title, way back, and counts. */
function PlaceTrail(props: {
  title: string
  note?: string | undefined
  back?: { to: string; onClick: () => void } | undefined
  onClose?: (() => void) | undefined
}) {
  const { title, note, back, onClose } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const wasAt = useRef(title)
  // After a key press that removes the pressed element, focus continues here.
  useEffect(() => {
    if (wasAt.current !== title) heading.current?.focus({ preventScroll: true })
    wasAt.current = title
  }, [title])
  return (
    <div className={styles.head}>
      {back !== undefined && (
        <IconButton label={`Back to ${back.to}`} onClick={back.onClick}>
          <Chevron to="left" size={16} />
        </IconButton>
      )}
      <div className={styles.words}>
        <h2 ref={heading} tabIndex={-1} className={styles.title} title={title}>
          {title}
        </h2>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      {onClose !== undefined && (
        <IconButton label="Close" onClick={onClose}>
          <IconX size={16} stroke={1.8} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
