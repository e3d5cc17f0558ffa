/** The span of the time line. Instants are milliseconds since the epoch; spans are half-open. */

export interface Span {
  from: number
  to: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Spans up to now with their names in the address; the first is the default. */
export const presets = [
  { key: '7d', label: '7 days', days: 7 },
  { key: '24h', label: '24 h', days: 1 },
  { key: '30d', label: '30 days', days: 30 },
  { key: '90d', label: '90 days', days: 90 },
  { key: '1y', label: '1 year', days: 365 },
] as const
export type PresetKey = (typeof presets)[number]['key']

/** Either a preset, which is relative to now, or a fixed span that the user chose. */
export type ChosenSpan = PresetKey | Span

const SHORTEST_MS = 10 * MINUTE_MS
/** The longest span of one answer (contract: getInstrumentTimeline). */
const LONGEST_MS = 366 * DAY_MS
/** Maintenance is planned at most this far ahead; later there is nothing to show. */
const AHEAD_MS = 92 * DAY_MS
/** Share of the future in a preset, so that maintenance about to begin is visible and now is not at the very edge. */
const SHARE_AHEAD = 0.04

/**
 * Returns the span to draw. A preset ends a little after now, rounded up so that the same request serves for a while.
 */
export function spanOf(chosen: ChosenSpan, now: number): Span {
  if (typeof chosen === 'object') return chosen
  const { days } = presets.find(({ key }) => key === chosen) ?? presets[0]
  const length = days * DAY_MS
  const step = Math.max(MINUTE_MS, length / 1000)
  const upTo = Math.ceil(now / step) * step
  const ahead = Math.min(length * SHARE_AHEAD, LONGEST_MS - length)
  return { from: upTo - length, to: upTo + ahead }
}

/** Zooms in (`factor` < 1) or out and keeps `around` in place. */
export function zoomed(
  { from, to }: Span,
  { factor, around, now }: { factor: number; around: number; now: number },
): Span {
  const length = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (to - from) * factor))
  const share = (around - from) / (to - from)
  return within({ from: around - share * length, to: around + (1 - share) * length }, now)
}

/** Moves the span earlier (`share` < 0) or later by a share of its length. */
export function moved({ from, to }: Span, { share, now }: { share: number; now: number }): Span {
  const by = (to - from) * share
  return within({ from: from + by, to: to + by }, now)
}

/** Returns the span selected between two instants, in either direction, not shorter than the minimum. */
export function marked(one: number, other: number, now: number): Span {
  const half = Math.max(SHORTEST_MS, Math.abs(one - other)) / 2
  const middle = (one + other) / 2
  return within({ from: middle - half, to: middle + half }, now)
}

/** Keeps the length but limits the span to the epoch and to the farthest planned maintenance. */
function within({ from, to }: Span, now: number): Span {
  const length = to - from
  const latest = now + AHEAD_MS
  if (to > latest) return { from: latest - length, to: latest }
  return from < 0 ? { from: 0, to: length } : { from, to }
}

export function placeOf(at: number, { from, to }: Span): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from))) * 100
}

/** Reads `span` of an address: a preset's key or `start~stop` as ISO instants. Anything else gives the default span. */
export function readSpan(text: unknown): ChosenSpan {
  if (typeof text !== 'string') return presets[0].key
  const preset = presets.find(({ key }) => key === text)
  if (preset !== undefined) return preset.key
  const [from = Number.NaN, to = Number.NaN] = text.split('~', 2).map((one) => Date.parse(one))
  const isSpan = from >= 0 && to - from >= SHORTEST_MS - 1 && to - from <= LONGEST_MS && to < 253e12
  return isSpan ? { from, to } : presets[0].key
}

/** Writes `span` of an address; undefined for the default span. */
export function writeSpan(chosen: ChosenSpan): string | undefined {
  if (typeof chosen === 'object') {
    return [chosen.from, chosen.to]
      .map((at) => new Date(Math.round(at / 1000) * 1000).toISOString().replace('.000', ''))
      .join('~')
  }
  return chosen === presets[0].key ? undefined : chosen
}
