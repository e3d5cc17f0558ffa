import type { ThresholdRule, UsageColor } from '@benchwatch/contract/vocabulary'

/** Rates the usage of a component (3-decisions 9, document 2 section 4). Pure. */

export interface Threshold {
  rule: ThresholdRule
  /** MAXIMUM_USAGE [max], HIGH_SAFE_USAGE [safe, max], COUNT_DOWN [soon, now]. */
  values: readonly number[]
}

export interface Judgement {
  /** Percentage of the maximum, with one decimal. Null if there is no maximum or no value. */
  percentage: number | null
  color: UsageColor
}

const unknown: Judgement = { percentage: null, color: 'unknown' }
/** Share of the maximum from which usage is high. */
const HIGH_OF_MAXIMUM = 0.8
const HIGH_OF_SAFE_MAXIMUM = 0.9

/** Rates a value by its rule; `unknown` if the value, the rule or one of the rule's thresholds is missing. */
export function judge(value: number | null, { rule, values }: Threshold): Judgement {
  const [first, second] = values
  if (value === null || first === undefined) return unknown
  switch (rule) {
    case 'MAXIMUM_USAGE':
      if (first <= 0) return unknown
      return { percentage: percentageOf(value, first), color: maximumColor(value, first) }
    case 'HIGH_SAFE_USAGE':
      if (second === undefined || second <= 0) return unknown
      return { percentage: percentageOf(value, second), color: safeColor(value, { safe: first, max: second }) }
    case 'COUNT_DOWN':
      return second === undefined
        ? unknown
        : { percentage: null, color: countDownColor(value, { soon: first, now: second }) }
    case 'UNKNOWN_THRESHOLD':
      return unknown
  }
}

function maximumColor(value: number, max: number): UsageColor {
  if (value >= max) return 'maximum'
  return reaches(value, { share: HIGH_OF_MAXIMUM, of: max }) ? 'high' : 'normal'
}

function safeColor(value: number, { safe, max }: { safe: number; max: number }): UsageColor {
  if (value >= max) return 'maximum'
  if (reaches(value, { share: HIGH_OF_SAFE_MAXIMUM, of: max })) return 'high'
  return value >= safe ? 'safety' : 'normal'
}

/**
 * Tolerance for binary fractions: 0.8 × 3 is slightly more than 2.4, but a value shown as 80 % must be rated as 80 %.
 */
const ROUNDING = 1e-12

function reaches(value: number, { share, of }: { share: number; of: number }): boolean {
  return value >= share * of * (1 - ROUNDING)
}

/** Normal above the first threshold, due at or below the second. */
function countDownColor(value: number, { soon, now }: { soon: number; now: number }): UsageColor {
  if (value <= now) return 'maximum'
  return value > soon ? 'normal' : 'high'
}

function percentageOf(value: number, max: number): number {
  return Math.round((value / max) * 1000) / 10
}

/**
 * Returns the value at which a part is due, and whether its counter climbs or falls towards it; undefined if unknown.
 */
export function limitOf({ rule, values: [first, second] }: Threshold): { value: number; climbs: boolean } | undefined {
  switch (rule) {
    case 'MAXIMUM_USAGE':
      return first === undefined || first <= 0 ? undefined : { value: first, climbs: true }
    case 'HIGH_SAFE_USAGE':
      return second === undefined || second <= 0 ? undefined : { value: second, climbs: true }
    case 'COUNT_DOWN':
      return second === undefined ? undefined : { value: second, climbs: false }
    case 'UNKNOWN_THRESHOLD':
      return undefined
  }
}
