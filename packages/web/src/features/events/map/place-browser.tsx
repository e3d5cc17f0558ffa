import { severities, severityLabels } from '@benchwatch/contract/vocabulary'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { cityAndCountry } from '../../../lib/address.ts'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import type { EventSearch } from '../events.search.ts'
import type { Narrowing } from '../list/event-list-request.ts'
import { SeverityShape } from '../status/severity-badge.tsx'
import { EventsAt, WaitingItems } from './events-at.tsx'
import {
  type CountryCounts,
  type SeverityCounts as Counts,
  countLabel,
  type Place,
  type PlaceSelection,
  shortCount,
} from './locations.ts'
import type { MapIndex } from './map-index.ts'
import styles from './place-browser.module.css'

/** Places listed at first, and added by each press. */
const PLACES_AT_ONCE = 100

export interface PlaceQueries {
  index: MapIndex
  generation: number
  narrowing: Narrowing
  sort: Pick<EventSearch, 'order' | 'orderBy'>
}

/**
 * Shows the content of a selection: its events if one request can name all positions, else its countries or places to
 * choose from.
 */
export function PlaceBrowser(props: {
  of: PlaceQueries
  selection: PlaceSelection
  onSelect: (selection: PlaceSelection, found: CountryCounts | Place) => void
}) {
  const { of, selection, onSelect } = props
  const { index, generation, narrowing, sort } = of
  const [shown, setShown] = useState(PLACES_AT_ONCE)
  const found = useQuery({
    queryKey: ['places', index.id, generation, selection, shown],
    queryFn: () => index.ask('placesIn', selection, shown, generation),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  if (found.data === undefined) {
    if (!found.isError) return <WaitingItems rows={3} />
    return (
      <div className={styles.problem}>
        <RetryLine onRetry={() => void found.refetch()}>{found.error.message}</RetryLine>
      </div>
    )
  }
  const { requestable, countries, places, positions, counts } = found.data
  if (requestable !== null) {
    return <EventsAt narrowing={narrowing} sort={sort} positions={requestable} expected={counts.total} />
  }
  if (countries.length > 1)
    return (
      <CountryRows countries={countries} onSelect={(row) => onSelect({ ...selection, country: row.country }, row)} />
    )
  return (
    <PlaceRows
      label="Places"
      rows={places}
      keyOf={({ latitude, longitude }) => `${latitude} ${longitude}`}
      nameOf={({ name }) => name}
      noteOf={({ customer }) => customer ?? 'Several customers'}
      countsOf={(row) => row.counts}
      onSelect={(place) => onSelect({ place }, place)}
    >
      {places.length < positions && (
        <li>
          <button type="button" className={styles.more} onClick={() => setShown(shown + PLACES_AT_ONCE)}>
            {(positions - places.length).toLocaleString('en')} more places
          </button>
        </li>
      )}
    </PlaceRows>
  )
}

export function CountryRows(props: {
  countries: readonly CountryCounts[]
  onSelect: (country: CountryCounts) => void
}) {
  return (
    <PlaceRows
      label="Countries"
      rows={props.countries}
      keyOf={({ country }) => country ?? ''}
      nameOf={({ country }) => countryName(country)}
      countsOf={({ counts }) => counts}
      onSelect={props.onSelect}
    />
  )
}

export function countryName(country: string | null): string {
  return country ?? 'No country'
}

/** Title of a selection. */
export function selectionTitle({ place, country, cluster }: PlaceSelection): string {
  if (place !== undefined) return cityAndCountry(place.name, place.country)
  if (country !== undefined) return countryName(country)
  return cluster === undefined ? 'Countries' : 'Events here'
}

/** Places or countries as buttons. */
function PlaceRows<T>(props: {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  nameOf: (row: T) => string
  noteOf?: (row: T) => string | null
  countsOf: (row: T) => Counts
  onSelect: (row: T) => void
  children?: ReactNode
}) {
  return (
    <ul className={styles.rows} aria-label={props.label}>
      {props.rows.map((row) => {
        const counts = props.countsOf(row)
        const note = props.noteOf?.(row) ?? null
        return (
          <li key={props.keyOf(row)}>
            <button type="button" className={styles.row} onClick={() => props.onSelect(row)}>
              <span className={styles.name}>
                <span className={styles.first} title={props.nameOf(row)}>
                  {props.nameOf(row)}
                </span>
                {note !== null && (
                  <span className={styles.note} title={note}>
                    {note}
                  </span>
                )}
              </span>
              <SeverityCounts counts={counts} />
              <strong className={styles.total}>
                {counts.total.toLocaleString('en')}
                <span className={styles.word}> {counts.total === 1 ? 'event' : 'events'}</span>
              </strong>
              <Chevron to="right" className={styles.chevron} />
            </button>
          </li>
        )
      })}
      {props.children}
    </ul>
  )
}

/** Number of events per severity, worst first; screen readers get words. */
function SeverityCounts({ counts }: { counts: Counts }) {
  return (
    <span className={styles.counts} title={countLabel(counts)}>
      {severities.map((severity) =>
        counts[severity] === 0 ? (
          <span key={severity} className={styles.count} />
        ) : (
          <span key={severity} className={styles.count} data-severity={severity}>
            <SeverityShape severity={severity} size={9} />
            <span className={styles.countsWord}>{severityLabels[severity]} </span>
            {shortCount(counts[severity])}
          </span>
        ),
      )}
    </span>
  )
}
