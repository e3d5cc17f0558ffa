import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import isoCountries from 'i18n-iso-countries'
import { feature } from 'topojson-client'
import { topology } from 'topojson-server'
import { presimplify, quantile, simplify } from 'topojson-simplify'
import type { GeometryCollection, Topology } from 'topojson-specification'

/**
 * Makes the countries of the map from Natural Earth 1:50m (public domain), once, by hand:
 * `node packages/web/countries/build.ts`. What it writes is kept with the sources, so that a build of the console neither
 * needs the sources nor the time. The coarser 1:110m lacks Singapore, Malta, Bahrain, Hong Kong and others.
 */

/** Rings of the world on a flat map, in degrees: longitude first. */
type Ring = Position[]

/** Half of the points, the least telling ones: 95 kB gz instead of 229, and no difference at the zooms that show countries. */
const KEPT_SHARE = 0.5
/** Steps of 0.036 degrees in longitude. */
const GRID = 1e4
/** No point of the map: it ends at 60 degrees south. */
const ANTARCTICA = '010'

const require = createRequire(import.meta.url)
isoCountries.registerLocale(require('i18n-iso-countries/langs/en.json') as isoCountries.LocaleData)

/** ISO alpha-2 where there is one: Kosovo, Somaliland, Northern Cyprus and two more have none. */
interface CountryProperties {
  iso: string | null
  name: string
}

const world = JSON.parse(readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8')) as Topology<{
  countries: GeometryCollection<{ name: string }>
}>

const countries = feature(world, world.objects.countries).features.flatMap(
  ({ id, geometry, properties }): Feature<MultiPolygon, CountryProperties>[] => {
    const code = id === undefined ? null : String(id).padStart(3, '0')
    if (code === ANTARCTICA || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return []
    const iso = code === null ? null : (isoCountries.numericToAlpha2(code) ?? null)
    const name = (iso === null ? undefined : isoCountries.getName(iso, 'en')) ?? properties.name
    return [
      {
        type: 'Feature',
        properties: { iso, name },
        geometry: { type: 'MultiPolygon', coordinates: polygonsOf(geometry).flatMap(polygonsOnMap) },
      },
    ]
  },
)

function polygonsOf(geometry: Polygon | MultiPolygon) {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
}

/** Every English name, in lower case and without marks, so that a registry may call a country as it is used to. */
function namesByIso(): Record<string, string> {
  const names: Record<string, string> = {}
  for (const [iso, known] of Object.entries(isoCountries.getNames('en', { select: 'all' }))) {
    for (const name of [known, iso, isoCountries.alpha2ToAlpha3(iso) ?? []].flat()) names[folded(name)] = iso
  }
  return names
}

/** As `foldedName` of the map. */
function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/’/g, "'")
    .toLowerCase()
}

const collection: FeatureCollection<MultiPolygon, CountryProperties> = {
  type: 'FeatureCollection',
  features: countries,
}
const weighted = presimplify(topology({ countries: collection }) as never)
const simplified = simplify(weighted, quantile(weighted, 1 - KEPT_SHARE))
const quantized = quantizedTopology(simplified)
const target = new URL('../src/features/events/map/countries.json', import.meta.url)
writeFileSync(target, `${JSON.stringify({ topology: quantized, names: namesByIso() })}\n`)

/** The grid is laid after the lines were simplified, so both say the same about shared borders. */
function quantizedTopology(source: Topology): Topology {
  const whole = feature(source, source.objects.countries as GeometryCollection<CountryProperties>)
  return topology({ countries: whole }, GRID)
}

/**
 * A ring that crosses the date line jumps from 180 to -180 and would be drawn as a band across the whole map. Each step is
 * taken the short way round instead, so that the ring goes on beyond ±180.
 */
export function unwrapRing(ring: Ring): Ring {
  let turn = 0
  return ring.map(([longitude = 0, latitude = 0], index) => {
    const before = ring[index - 1]?.[0] ?? longitude
    if (longitude - before > 180) turn -= 360
    if (longitude - before < -180) turn += 360
    return [longitude + turn, latitude]
  })
}

/**
 * The polygon as it lies on a map from -180 to 180: unwrapped, and where it reaches beyond one edge, drawn a second time at
 * the other edge. The map cuts off what lies outside.
 */
export function polygonsOnMap(polygon: readonly Ring[]): Ring[][] {
  const rings = polygon.map(unwrapRing)
  const longitudes = rings.flat().map(([longitude = 0]) => longitude)
  const shifts = [0]
  if (longitudes.some((longitude) => longitude > 180)) shifts.push(-360)
  if (longitudes.some((longitude) => longitude < -180)) shifts.push(360)
  return shifts.map((shift) =>
    rings.map((ring) => ring.map(([longitude = 0, latitude = 0]) => [longitude + shift, latitude])),
  )
}
