import type { EventLocation } from '@benchwatch/contract/events/events'
import { type Severity, severities, severityLabels } from '@benchwatch/contract/vocabulary'
import { counted } from '../../../lib/folded.ts'
import type { SearchedTotals } from '../event-cache.ts'

/** Types and functions for event locations, shared by the worker that counts and the screen that draws. */

/** Events by severity, and those of them that are open. */
export type SeverityCounts = Omit<EventLocation, 'alarm'>

/** Degrees. Never crosses the date line: the map ends there. */
export interface Bounds {
  south: number
  west: number
  north: number
  east: number
}

/** One position with its event counts. Degrees as stored. */
export interface Place {
  latitude: number
  longitude: number
  /** The city. */
  name: string
  country: string | null
  /** Null if there are several customers. */
  customer: string | null
  counts: SeverityCounts
}

export interface CountryCounts {
  /** As written by the site; null if the site has none. */
  country: string | null
  positions: number
  counts: SeverityCounts
  bounds: Bounds
}

export interface LocationSummary {
  total: SearchedTotals
  eventsWithoutPosition: number
  positions: number
  countries: CountryCounts[]
  counts: SeverityCounts
  /** Null without any position. */
  bounds: Bounds | null
}

/** Places that belong together: of a cluster, of a country, of a country within a cluster, or a single place. */
export interface PlaceSelection {
  /** Valid only for the index that returned it. */
  cluster?: { zoom: number; id: number }
  country?: string | null
  place?: Place
}

export interface PlacesFound {
  counts: SeverityCounts
  bounds: Bounds | null
  positions: number
  countries: CountryCounts[]
  /** Places with the most events, up to the requested number. */
  places: Place[]
  /** All positions, latitude first; null if there are too many for one request. */
  requestable: [number, number][] | null
}

/** A mark on the map. */
export interface EventCluster {
  latitude: number
  longitude: number
  /** 1: one position. More: a mixed mark. */
  positions: number
  selection: PlaceSelection
  counts: SeverityCounts
}

export interface ClusterWindow extends Bounds {
  zoom: number
}

/** Maximum number of positions in one POST /alarms: wire 2. */
export const MAX_REQUEST_POSITIONS = 500

export function noCounts(): SeverityCounts {
  return { high: 0, medium: 0, low: 0, total: 0, openHigh: 0, openMedium: 0, openLow: 0 }
}

export function addCounts(sum: SeverityCounts, added: SeverityCounts): void {
  sum.high += added.high
  sum.medium += added.medium
  sum.low += added.low
  sum.total += added.total
  sum.openHigh += added.openHigh
  sum.openMedium += added.openMedium
  sum.openLow += added.openLow
}

/** Returns the number of open events by severity. */
export function openCounts({ openHigh, openMedium, openLow }: SeverityCounts): Record<Severity | 'total', number> {
  return { high: openHigh, medium: openMedium, low: openLow, total: openHigh + openMedium + openLow }
}

/** Returns empty bounds, to be extended. */
export function noBounds(): Bounds {
  return { south: 90, west: 180, north: -90, east: -180 }
}

export function widen(bounds: Bounds, latitude: number, longitude: number): void {
  bounds.south = Math.min(bounds.south, latitude)
  bounds.north = Math.max(bounds.north, latitude)
  bounds.west = Math.min(bounds.west, longitude)
  bounds.east = Math.max(bounds.east, longitude)
}

/** Returns the worst severity of open events, which gives a mark its colour and shape; null if none is open. */
export function worstOpenSeverity(counts: SeverityCounts): Severity | null {
  const open = openCounts(counts)
  return severities.find((severity) => open[severity] > 0) ?? null
}

/** Returns 0 for none, then steps at 10 and 100 events: mark sizes and country shades. */
export function countStep(events: number): 0 | 1 | 2 | 3 {
  if (events <= 0) return 0
  if (events < 10) return 1
  return events < 100 ? 2 : 3
}

/** Pixels: document 1 section 9. */
export function markSize(events: number): 10 | 20 | 30 {
  const step = countStep(events)
  return step === 3 ? 30 : step === 2 ? 20 : 10
}

/** Formats a count for a mark: 999, 1.2k, 13k, 2.1M. */
export function shortCount(events: number): string {
  if (events < 1000) return String(events)
  const [value, unit] = events < 999_500 ? [events / 1000, 'k'] : [events / 1_000_000, 'M']
  return `${value < 9.95 ? value.toFixed(1).replace('.0', '') : Math.round(value)}${unit}`
}

/** Returns '1,881 events at 5 places'; places only if there are several. */
export function placesLabel({ total }: SeverityCounts, positions = 1): string {
  const events = counted(total, 'event')
  return positions > 1 ? `${events} at ${counted(positions, 'place')}` : events
}

/** Returns '14 events: 2 HIGH, 12 LOW; 3 open: 1 HIGH, 2 LOW', with places as above. */
export function countLabel(counts: SeverityCounts, positions = 1): string {
  const open = openCounts(counts)
  const openLabel = open.total === 0 ? 'none open' : `${open.total.toLocaleString('en')} open: ${bySeverity(open)}`
  return `${placesLabel(counts, positions)}: ${bySeverity(counts)}; ${openLabel}`
}

function bySeverity(counts: Record<Severity, number>): string {
  return severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity].toLocaleString('en')} ${severityLabels[severity]}`)
    .join(', ')
}
