import { IconMapPinOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { counted } from '../../lib/counted.ts'
import { type EventSearch, writeEventSearch } from '../service-events/service-events.search.ts'
import { type Bounds, type CountryCounts, type Place, type PlaceSelection, placesWords } from './locations.ts'
import type { LoadedLocations } from './map-index.ts'
import { CountryRows, PlaceBrowser, type PlaceQuestions, selectionTitle } from './place-browser.tsx'
import { PlaceTrail } from './place-trail.tsx'
import styles from './places-panel.module.css'
import { WaitingItems } from './waiting-items.tsx'

/** A country whose last event has gone. */
const noEvents = { high: 0, medium: 0, low: 0, total: 0 }

/** Countries, then their events: all that the map shows, for those who would rather read, and for every keyboard. */
export function PlacesPanel(props: {
  of: PlaceQuestions
  /** Absent while it is read. */
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
      : placesWords(selection.place?.counts ?? country?.counts ?? noEvents, selection.place ? 1 : country?.positions)
  return (
    <section className={styles.panel} aria-label="Events by country">
      <PlaceTrail
        title={selection === undefined ? 'Countries' : selectionTitle(selection)}
        note={locations === undefined ? 'Loading…' : note}
        back={selection === undefined ? undefined : { to: backTo(trail), onClick: () => onTrail(trail.slice(0, -1)) }}
      />
      <div className={styles.scroll}>
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
            Show in the list
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

/** Their sites have none, so no position can ask for them; the list holds them among the others. */
function withoutPosition(events: number): string {
  return `${counted(events, 'event')} without position`
}

function boundsOf(found: Place | CountryCounts): Bounds {
  if ('bounds' in found) return found.bounds
  const { latitude, longitude } = found
  return { south: latitude, north: latitude, west: longitude, east: longitude }
}
