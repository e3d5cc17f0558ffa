import { limitOf, type Threshold } from './thresholds.ts'

/**
 * When a part will be due, from what was measured of it day by day. Pure.
 *
 * The pace is the median of the slopes between any two days (Theil–Sen): a third of the days may be wrong, such as a counter
 * that was read while it started, without moving it. The mean slope would follow the first and the last day alone, least
 * squares every outlier.
 */

/** The last value of a UTC day, YYYY-MM-DD. */
export interface DayValue {
  day: string
  value: number
}

export interface Trend {
  /** The first day that was taken into account, and how many days were. */
  from: string
  days: number
  /** Units a day. */
  perDay: number
}

/** Older days say little about how an instrument is used now. */
export const LOOK_BACK_DAYS = 90
/** Fewer days, or a shorter span of them, are no trend. */
const LEAST_VALUES = 5
const LEAST_SPAN_DAYS = 7
/** A forecast that lies further ahead is none. */
const FURTHEST_DAYS = 5 * 365
/** A step back of more than this share of the larger value is a new part and no correction. */
const RESET_SHARE = 0.1

/** Days on which counting began anew, of values in the order of their days. */
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

/** The pace since the last reset, of the 90 days before `today`; null where too few days were measured. */
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
 * The UTC day on which a part will be due; null where it is due already, where its counter stands still or goes away from the
 * limit, and where the day lies more than 5 years ahead.
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
  // Counted from the day of the last value: an instrument that was not heard since went on working.
  const due = dayNumber(last.day) + Math.ceil(rest / trend.perDay)
  if (due - dayNumber(today) > FURTHEST_DAYS) return null
  return dayText(Math.max(due, dayNumber(today)))
}

/**
 * 90 days have 4005 slopes, and a dashboard asks for every part of a fleet: to sort them all would take twenty times as long
 * as to find the middle one. Puts the numbers into another order.
 */
function median(numbers: Float64Array): number {
  const middle = Math.floor(numbers.length / 2)
  select(numbers, middle)
  const upper = numbers[middle] ?? 0
  if (numbers.length % 2 === 1) return upper
  // What stands before the middle is not larger, in any order.
  const lower = numbers.subarray(0, middle).reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY)
  return (lower + upper) / 2
}

/** Hoare's selection: the number at `place` is the one that would stand there if all were sorted. */
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

/** The UTC day of an instant. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

function dayText(number: number): string {
  return dayOf(new Date(number * DAY_MS))
}
