import type { EventLocation, EventTotals } from '@benchwatch/contract/events/events'
import Supercluster, { type PointFeature } from 'supercluster'
import type { Searched } from '../event-cache.ts'
import {
  addCounts,
  type ClusterWindow,
  type CountryCounts,
  type EventCluster,
  type LocationSummary,
  MAX_REQUEST_POSITIONS,
  noBounds,
  noCounts,
  type Place,
  type PlaceSelection,
  type PlacesFound,
  type SeverityCounts,
  widen,
} from './locations.ts'

/** Pixels: marks closer than this are merged. */
const CLUSTER_RADIUS = 64
/** Fraction of the viewport added at each side, so that short moves show no empty edge. */
const MARGIN = 0.2

interface Answer extends Searched {
  values: EventLocation[]
  total: EventTotals & { eventsWithoutPosition: number }
}

interface PlaceProperties {
  place: number
}

type Clusters = Supercluster<PlaceProperties, SeverityCounts>

/**
 * The answer of POST /alarms/geo-locations, searchable by viewport and zoom. Runs in a worker: the answer for 100,000
 * positions has 20 MB.
 *
 * Each zoom is clustered when it is first shown. Clustering all thirteen in advance would delay the first marks by a
 * factor of five, and most users see three of them.
 */
export class LocationIndex {
  readonly #values: readonly EventLocation[]
  readonly #total: Answer['total'] & Searched
  readonly #points: PointFeature<PlaceProperties>[]
  readonly #byZoom = new Map<number, Clusters>()

  /** `bytes`: the raw answer. Throws if it is invalid. */
  constructor(bytes: ArrayBuffer) {
    const { values, total, asOf, isDegraded } = JSON.parse(new TextDecoder().decode(bytes)) as Answer
    this.#values = values
    this.#total = { ...total, asOf, isDegraded }
    this.#points = values.map(({ alarm }, place) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [alarm.instrumentLocationLongitude, alarm.instrumentLocationLatitude] },
      properties: { place },
    }))
  }

  summary(): LocationSummary {
    const { eventsWithoutPosition, ...total } = this.#total
    const all = this.#values.map((_value, place) => place)
    return {
      total,
      eventsWithoutPosition,
      positions: this.#values.length,
      ...sumOf(this.#countriesOf(all)),
    }
  }

  /** Clusters a zoom before it is shown. */
  prepare(zoom: number): void {
    this.#clustersAt(zoom)
  }

  clustersIn({ zoom, west, south, east, north }: ClusterWindow): EventCluster[] {
    const [width, height] = [(east - west) * MARGIN, (north - south) * MARGIN]
    const found = this.#clustersAt(zoom).getClusters(
      [Math.max(west - width, -180), Math.max(south - height, -90), Math.min(east + width, 180), north + height],
      zoom,
    )
    return found.map(({ geometry, properties }): EventCluster => {
      if ('cluster' in properties) {
        const {
          cluster: _cluster,
          cluster_id,
          point_count,
          point_count_abbreviated: _abbreviated,
          ...counts
        } = properties
        const [longitude = 0, latitude = 0] = geometry.coordinates
        const selection = { cluster: { zoom, id: cluster_id } }
        return { latitude, longitude, positions: point_count, selection, counts }
      }
      const place = this.#placeOf(properties.place)
      const { latitude, longitude, counts } = place
      return { latitude, longitude, positions: 1, selection: { place }, counts }
    })
  }

  /**
   * Returns the content of a selection: its positions if their events fit in one request, else its countries and
   * places.
   */
  placesIn(selection: PlaceSelection, shown: number): PlacesFound {
    const all = this.#membersOf(selection)
    const places = all
      .map((place) => this.#placeOf(place))
      .sort((one, other) => other.counts.total - one.counts.total || (one.name < other.name ? -1 : 1))
    return {
      ...sumOf(this.#countriesOf(all)),
      positions: all.length,
      places: places.slice(0, shown),
      requestable:
        all.length <= MAX_REQUEST_POSITIONS ? places.map(({ latitude, longitude }) => [latitude, longitude]) : null,
    }
  }

  #membersOf({ cluster, country, place }: PlaceSelection): number[] {
    if (place !== undefined) return this.#values.flatMap((_value, index) => (this.#isAt(index, place) ? index : []))
    const members =
      cluster === undefined
        ? this.#values.map((_value, index) => index)
        : this.#clustersAt(cluster.zoom)
            .getLeaves(cluster.id, Number.POSITIVE_INFINITY)
            .map(({ properties }) => properties.place)
    if (country === undefined) return members
    return members.filter((index) => this.#values[index]?.alarm.siteCountry === country)
  }

  #isAt(index: number, { latitude, longitude }: Place): boolean {
    const alarm = this.#values[index]?.alarm
    return alarm?.instrumentLocationLatitude === latitude && alarm.instrumentLocationLongitude === longitude
  }

  #clustersAt(zoom: number): Clusters {
    const known = this.#byZoom.get(zoom)
    if (known !== undefined) return known
    const clusters: Clusters = new Supercluster<PlaceProperties, SeverityCounts>({
      minZoom: zoom,
      maxZoom: zoom,
      radius: CLUSTER_RADIUS,
      // Leaflet tiles have 256 pixels, so the radius is in screen pixels.
      extent: 256,
      map: ({ place }) => countsAt(this.#values[place]),
      reduce: addCounts,
    })
    clusters.load(this.#points)
    this.#byZoom.set(zoom, clusters)
    return clusters
  }

  #placeOf(index: number): Place {
    const value = this.#values[index]
    if (value === undefined) throw new Error(`There is no place ${index}.`)
    const { alarm, ...counts } = value
    return {
      latitude: alarm.instrumentLocationLatitude,
      longitude: alarm.instrumentLocationLongitude,
      name: alarm.siteCity ?? 'No city',
      country: alarm.siteCountry,
      customer: alarm.enterpriseName,
      counts,
    }
  }

  /** Most events first; without a country last among equals. */
  #countriesOf(places: readonly number[]): CountryCounts[] {
    const countries = new Map<string | null, CountryCounts>()
    for (const index of places) {
      const value = this.#values[index]
      if (value === undefined) continue
      const { siteCountry: country, instrumentLocationLatitude, instrumentLocationLongitude } = value.alarm
      let known = countries.get(country)
      if (known === undefined) {
        known = { country, positions: 0, counts: noCounts(), bounds: noBounds() }
        countries.set(country, known)
      }
      known.positions += 1
      addCounts(known.counts, value)
      widen(known.bounds, instrumentLocationLatitude, instrumentLocationLongitude)
    }
    return [...countries.values()].sort(
      (one, other) =>
        other.counts.total - one.counts.total || (one.country ?? '\uffff').localeCompare(other.country ?? '\uffff'),
    )
  }
}

/** Clusters add to what this returns, so it is always a new object. */
function countsAt(value: EventLocation | undefined): SeverityCounts {
  const counts = noCounts()
  if (value !== undefined) addCounts(counts, value)
  return counts
}

/** Sums up countries; no bounds without any position. */
function sumOf(countries: CountryCounts[]): Pick<PlacesFound, 'countries' | 'counts' | 'bounds'> {
  const counts = noCounts()
  const bounds = noBounds()
  for (const country of countries) {
    addCounts(counts, country.counts)
    widen(bounds, country.bounds.south, country.bounds.west)
    widen(bounds, country.bounds.north, country.bounds.east)
  }
  return { countries, counts, bounds: countries.length > 0 ? bounds : null }
}
