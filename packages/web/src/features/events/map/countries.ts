import type { Feature, MultiPolygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countriesUrl from './countries.json?url'
import { addCounts, type CountryCounts, type SeverityCounts } from './locations.ts'

/** The countries that the map draws, and what they are called. Made by `countries/build.ts`. */

export interface CountryProperties {
  /** ISO alpha-2; null where there is none. */
  iso: string | null
  name: string
}

export interface Countries {
  features: Feature<MultiPolygon, CountryProperties>[]
  /** ISO alpha-2 by every English name and code, folded. */
  names: Record<string, string>
}

interface CountriesFile {
  topology: Topology<{ countries: GeometryCollection<CountryProperties> }>
  names: Record<string, string>
}

export async function loadCountries(): Promise<Countries> {
  const answer = await fetch(countriesUrl)
  if (!answer.ok) throw new Error(`The countries of the map are missing (${answer.status}).`)
  const { topology, names } = (await answer.json()) as CountriesFile
  const { features } = feature(topology, topology.objects.countries)
  return { features: features as Feature<MultiPolygon, CountryProperties>[], names }
}

/** As the names of `countries.json` were folded. */
export function foldedName(name: string): string {
  return name
    .trim()
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/’/g, "'")
    .toLowerCase()
}

/** Counts by ISO code. A registry may call a country by several names; what no name fits is drawn nowhere, but is listed. */
export function countsByIso(
  counts: readonly CountryCounts[],
  names: Readonly<Record<string, string>>,
): Map<string, SeverityCounts> {
  const byIso = new Map<string, SeverityCounts>()
  for (const { country, counts: added } of counts) {
    const iso = country === null ? undefined : isoOf(country, names)
    if (iso === undefined) continue
    const sum = byIso.get(iso) ?? { high: 0, medium: 0, low: 0, total: 0 }
    addCounts(sum, added)
    byIso.set(iso, sum)
  }
  return byIso
}

export function isoOf(country: string, names: Readonly<Record<string, string>>): string | undefined {
  const name = foldedName(country)
  return Object.hasOwn(names, name) ? names[name] : undefined
}
