import { limitOf, type Threshold } from './thresholds.ts'

/**
 * Forecasts when a part will be due, from its daily values. Pure.
 *
 * The pace is the median of the slopes between any two days (Theil–Sen): up to a third of the days may be wrong, such
 * as a counter read during its start, without changing it. The mean slope would depend only on the first and the last
 * day, least squares on every outlier.
 */

/** The last value of a UTC day, YYYY-MM-DD. */
export interface DayValue {
  day: string
  value: number
}

export interface Trend {
  /** The first day used, and the number of days. */
  from: string
  days: number
  /** Units per day. */
  perDay: number
}

/** Older days say little about current use. */
export const LOOK_BACK_DAYS = 90
/** Fewer days, or a shorter span, give no trend. */
const LEAST_VALUES = 5
const LEAST_SPAN_DAYS = 7
/** Forecasts further ahead are discarded. */
const FURTHEST_DAYS = 5 * 365
/** A decrease by more than this share of the larger value is a new part; a smaller one is a correction. */
const RESET_SHARE = 0.1

/** Returns the days on which the counter restarted. `values` are in order of days. */
export function resetsOf(values: readonly DayValue[], threshold: Threshold): string[] {
  const climbs = limitOf(threshold)?.climbs ?? true
  return values
    .filter(({ value }, index) => {
      const before = values[index - 1]?.value
      if (before === undefined) return false
      const back = climbs ? before - value : value - before
      return back > RESET_SHARE * Math.max(Math.abs(before), Math.abs(value))
    })
    .map(({ day }) => day)
}

/** Returns the pace since the last reset within the 90 days before `today`; null if too few days were measured. */
export function trendOf(
  values: readonly DayValue[],
  { threshold, today }: { threshold: Threshold; today: string },
): Trend | null {
  const since = Math.max(
    dayNumber(today) - LOOK_BACK_DAYS,
    dayNumber(resetsOf(values, threshold).at(-1) ?? '1970-01-01'),
  )
  const points = values.map(({ day, value }) => ({ x: dayNumber(day), day, value })).filter(({ x }) => x >= since)
  const [first] = points
  const last = points.at(-1)
  if (!first || !last || points.length < LEAST_VALUES || last.x - first.x < LEAST_SPAN_DAYS) return null
  const slopes = new Float64Array((points.length * (points.length - 1)) / 2)
  let count = 0
  for (let index = 0; index < points.length; index += 1) {
    const one = points[index] as (typeof points)[number]
    for (let later = index + 1; later < points.length; later += 1) {
      const other = points[later] as (typeof points)[number]
      slopes[count] = (other.value - one.value) / (other.x - one.x)
      count += 1
    }
  }
  return { from: first.day, days: points.length, perDay: median(slopes) }
}

/**
 * Returns the UTC day on which a part will be due. Null if it is already due, if its counter stands still or moves
 * away from the limit, or if the day lies more than 5 years ahead.
 */
export function forecastOf(
  values: readonly DayValue[],
  { threshold, today }: { threshold: Threshold; today: string },
): string | null {
  const limit = limitOf(threshold)
  const trend = trendOf(values, { threshold, today })
  const last = values.at(-1)
  if (!limit || !trend || !last) return null
  const rest = limit.value - last.value
  const isDue = limit.climbs ? rest <= 0 : rest >= 0
  const comesNearer = limit.climbs ? trend.perDay > 0 : trend.perDay < 0
  if (isDue || !comesNearer) return null
  // Counts from the day of the last value, because an instrument without newer reports kept working.
  const due = dayNumber(last.day) + Math.ceil(rest / trend.perDay)
  if (due - dayNumber(today) > FURTHEST_DAYS) return null
  return dayText(Math.max(due, dayNumber(today)))
}

/**
 * Returns the median and reorders the numbers. 90 days have 4005 slopes, and a dashboard needs them for every part of
 * a fleet: sorting would take twenty times as long as selecting.
 */
function median(numbers: Float64Array): number {
  const middle = Math.floor(numbers.length / 2)
  select(numbers, middle)
  const upper = numbers[middle] ?? 0
  if (numbers.length % 2 === 1) return upper
  // All numbers before the middle are smaller or equal, in any order.
  const lower = numbers.subarray(0, middle).reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY)
  return (lower + upper) / 2
}

/** Hoare's selection: moves to `place` the number that would be there after sorting. */
function select(numbers: Float64Array, place: number): void {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const pivot = numbers[place] as number
    let left = low
    let right = high
    while (left <= right) {
      while ((numbers[left] as number) < pivot) left += 1
      while ((numbers[right] as number) > pivot) right -= 1
      if (left > right) break
      const swapped = numbers[left] as number
      numbers[left] = numbers[right] as number
      numbers[right] = swapped
      left += 1
      right -= 1
    }
    if (right < place) low = left
    if (place < left) high = right
  }
}

const DAY_MS = 86_400_000

/** Returns the UTC day of an instant. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

function dayText(number: number): string {
  return dayOf(new Date(number * DAY_MS))
}
