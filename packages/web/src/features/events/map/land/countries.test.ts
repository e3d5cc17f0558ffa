import { readFileSync } from 'node:fs'
import { siteSketches } from '@benchwatch/samples/fleet/sites'
import type { MultiPolygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { describe, expect, test } from 'vitest'
import { noBounds, noCounts } from '../locations.ts'
import { type CountryProperties, countsByIso, isoOf } from './countries.ts'

const { topology, names } = JSON.parse(readFileSync(`${import.meta.dirname}/countries.json`, 'utf8')) as {
  topology: Topology<{ countries: GeometryCollection<CountryProperties> }>
  names: Record<string, string>
}
const { features } = feature(topology, topology.objects.countries)

function ringsOf(iso: string): Position[][] {
  return features
    .filter(({ properties }) => properties.iso === iso)
    .flatMap(({ geometry }) => (geometry as MultiPolygon).coordinates.flat())
}

describe('the countries of the map', () => {
  test.each(['SG', 'MT', 'BH', 'HK', 'LI', 'AD', 'MC'])('small ones are kept: %s', (iso) => {
    expect(ringsOf(iso).length).toBeGreaterThan(0)
  })

  test('no edge runs across the map: bands over the sea come from rings that were not unwrapped', () => {
    const jumps = features.flatMap(({ properties, geometry }) =>
      (geometry as MultiPolygon).coordinates
        .flat()
        .flatMap((ring) =>
          ring.flatMap(([longitude = 0], index) =>
            Math.abs(longitude - (ring[index - 1]?.[0] ?? longitude)) > 180 ? properties.name : [],
          ),
        ),
    )
    expect(jumps).toEqual([])
  })

  test('those that cross the date line stand at both edges', () => {
    const longitudes = ringsOf('RU')
      .flat()
      .map(([longitude = 0]) => longitude)
    expect(Math.max(...longitudes)).toBeGreaterThan(180)
    expect(Math.min(...longitudes)).toBeLessThan(-180)
  })

  test('every country of the sample fleet has its place', () => {
    const drawn = new Set(features.map(({ properties }) => properties.iso))
    const lost = siteSketches.map(({ country }) => country).filter((country) => !drawn.has(isoOf(country, names) ?? ''))
    expect(lost).toEqual([])
  })

  test.each([
    ['united states of america', 'US'],
    ['USA', 'US'],
    ['UK', 'GB'],
    ['South Korea', 'KR'],
    ['Czech Republic', 'CZ'],
    ['Türkiye', 'TR'],
    [' Côte d’Ivoire ', 'CI'],
    ['Atlantis', undefined],
    ['constructor', undefined],
  ])('%j is found as %s, however it is written', (name, iso) => {
    expect(isoOf(name, names)).toBe(iso)
  })

  test('names of one country add up; no country and unknown ones are drawn nowhere', () => {
    const of = (country: string | null, high: number) => ({
      country,
      positions: 1,
      bounds: noBounds(),
      counts: { ...noCounts(), high, total: high },
    })
    const counts = countsByIso([of('USA', 2), of('United States', 3), of(null, 5), of('Atlantis', 7)], names)
    expect([...counts]).toEqual([['US', { ...noCounts(), high: 5, total: 5 }]])
  })
})
