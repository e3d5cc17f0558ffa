import type { EventLocation } from '@benchwatch/contract/events/events'
import { describe, expect, test } from 'vitest'
import { LocationIndex } from './location-index.ts'
import type { ClusterWindow } from './locations.ts'

const world = { south: -60, north: 90, west: -180, east: 180 }
const total = {
  events: 0,
  instruments: 0,
  components: 0,
  customers: 0,
  locations: 0,
  noOwnerEvents: 0,
  noActionEvents: 0,
  fullSupportEvents: 0,
  olderOpenEvents: 0,
  eventsWithoutPosition: 3,
}

function at(
  latitude: number,
  longitude: number,
  {
    high = 0,
    medium = 0,
    low = 1,
    ...alarm
  }: Partial<Record<'high' | 'medium' | 'low', number>> & {
    country?: string | null
    city?: string | null
    customer?: string | null
  } = {},
): EventLocation {
  const { country = 'Sweden', city = 'Uppsala', customer = 'Helix Biologics' } = alarm
  return {
    alarm: {
      instrumentLocationLatitude: latitude,
      instrumentLocationLongitude: longitude,
      siteCountry: country,
      siteCity: city,
      enterpriseName: customer,
    },
    high,
    medium,
    low,
    total: high + medium + low,
    openHigh: high,
    openMedium: 0,
    openLow: 0,
  }
}

function indexOf(...values: EventLocation[]): LocationIndex {
  return new LocationIndex(new TextEncoder().encode(JSON.stringify({ values, total })).buffer as ArrayBuffer)
}

const seen = (index: LocationIndex, window: Partial<ClusterWindow>) =>
  index.clustersIn({ ...world, zoom: 4, ...window }).map(({ positions, counts }) => ({ positions, ...counts }))

describe('clusters', () => {
  test('count events, not places; near ones are one, far ones are not', () => {
    const index = indexOf(at(59.86, 17.64, { low: 5 }), at(59.33, 18.07, { low: 0, high: 2 }), at(-33.87, 151.21))
    expect(seen(index, {})).toEqual([
      { positions: 2, high: 2, medium: 0, low: 5, total: 7, openHigh: 2, openMedium: 0, openLow: 0 },
      { positions: 1, high: 0, medium: 0, low: 1, total: 1, openHigh: 0, openMedium: 0, openLow: 0 },
    ])
    expect(seen(index, { zoom: 10 })).toHaveLength(3)
  })

  test('of one position are no mixed ones, however many events: 500 stay one mark at the nearest zoom', () => {
    const index = indexOf(at(59.86, 17.64, { low: 500 }))
    expect(index.clustersIn({ ...world, zoom: 15 })).toMatchObject([
      { positions: 1, latitude: 59.86, longitude: 17.64, counts: { total: 500 } },
    ])
  })

  test('every event is in exactly one, at every zoom, at the poles and at the date line as well', () => {
    const values = [at(90, 0), at(-90, 0), at(0, 180), at(0, -180), at(0.01, 179.99), at(0.01, -179.99), at(85.2, 10)]
    const index = indexOf(...values)
    for (let zoom = 3; zoom <= 15; zoom += 1) {
      const clusters = index.clustersIn({ south: -90, north: 90, west: -180, east: 180, zoom })
      expect(clusters.reduce((sum, { counts }) => sum + counts.total, 0)).toBe(values.length)
    }
  })

  test('near the date line stay at their edge of the map: nothing is drawn in its middle', () => {
    const clusters = indexOf(at(0, 180), at(0, -180), at(0.01, 179.99)).clustersIn({ ...world, zoom: 3 })
    for (const { longitude } of clusters) expect(Math.abs(longitude)).toBeGreaterThan(179.9)
  })

  test('are those of the window and a little beyond', () => {
    const index = indexOf(at(59.86, 17.64), at(-33.87, 151.21))
    expect(seen(index, { south: 50, north: 65, west: 0, east: 30 })).toHaveLength(1)
    expect(seen(index, { south: 0, north: 10, west: 0, east: 30 })).toHaveLength(0)
  })
})

describe('countries', () => {
  const index = indexOf(
    at(59.86, 17.64, { low: 5 }),
    at(57.7, 11.97, { high: 2, low: 0 }),
    at(47.56, 7.59, { country: 'Switzerland', city: 'Basel', low: 9 }),
    at(1, 1, { country: null, city: null }),
  )

  test('are listed with most events first, what names none among them', () => {
    const { countries, positions, eventsWithoutPosition } = index.summary()
    expect(countries.map(({ country, positions: places, counts }) => [country, places, counts.total])).toEqual([
      ['Switzerland', 1, 9],
      ['Sweden', 2, 7],
      [null, 1, 1],
    ])
    expect({ positions, eventsWithoutPosition }).toEqual({ positions: 4, eventsWithoutPosition: 3 })
    expect(countries[1]?.bounds).toEqual({ south: 57.7, north: 59.86, west: 11.97, east: 17.64 })
  })

  test('contain their places, most events first, and the positions to request', () => {
    const found = index.placesIn({ country: 'Sweden' }, 100)
    expect(found.places.map(({ counts }) => counts.total)).toEqual([5, 2])
    expect(found.requestable).toEqual([
      [59.86, 17.64],
      [57.7, 11.97],
    ])
  })
})

describe('a selection of more than 500 positions', () => {
  const many = Array.from({ length: 600 }, (_, place) =>
    at(59 + place / 1e5, 17, { country: place < 501 ? 'Sweden' : 'Norway', city: `City ${place}`, low: place + 1 }),
  )
  const index = indexOf(...many)

  test('asks for no events at once, and has countries and places to choose from', () => {
    const [cluster] = index.clustersIn({ ...world, zoom: 4 })
    const found = index.placesIn(cluster?.selection ?? {}, 100)
    expect(found.requestable).toBeNull()
    expect(found.countries.map(({ country }) => country)).toEqual(['Sweden', 'Norway'])
    expect(found.places).toHaveLength(100)
    expect(found.places[0]?.counts.total).toBe(600)
  })

  test('is narrowed by a country of it, until its events can be asked for', () => {
    const [cluster] = index.clustersIn({ ...world, zoom: 4 })
    expect(index.placesIn({ ...cluster?.selection, country: 'Norway' }, 100).requestable).toHaveLength(99)
    expect(index.placesIn({ ...cluster?.selection, country: 'Sweden' }, 100).requestable).toBeNull()
    const [place] = index.placesIn({ country: 'Sweden' }, 1).places
    expect(index.placesIn(place === undefined ? {} : { place }, 100).requestable).toHaveLength(1)
  })
})

test('500 positions can be asked for at once, 501 can’t', () => {
  const places = (count: number) => indexOf(...Array.from({ length: count }, (_, place) => at(place / 100, 0)))
  expect(places(500).placesIn({}, 1).requestable).toHaveLength(500)
  expect(places(501).placesIn({}, 1).requestable).toBeNull()
})

test('without any position there is nothing to show, and nothing fails', () => {
  const index = indexOf()
  expect(index.summary()).toMatchObject({ positions: 0, countries: [], bounds: null })
  expect(seen(index, {})).toEqual([])
})
