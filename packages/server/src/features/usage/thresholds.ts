import type { ThresholdRule, UsageColor } from '@benchwatch/contract/vocabulary'

/** How the use of a component is judged (3-decisions 9, document 2 section 4). Pure. */

export interface Threshold {
  rule: ThresholdRule
  /** MAXIMUM_USAGE [max], HIGH_SAFE_USAGE [safe, max], COUNT_DOWN [soon, now]. */
  values: readonly number[]
}

export interface Judgement {
  /** Of the maximum, with one decimal. Null where there is none or nothing was counted. */
  percentage: number | null
  color: UsageColor
}

const unknown: Judgement = { percentage: null, color: 'unknown' }
/** Share of the maximum from which a use is high. */
const HIGH_OF_MAXIMUM = 0.8
const HIGH_OF_SAFE_MAXIMUM = 0.9

/** What a value means under its rule; unknown without a value, a rule or all the values that the rule takes. */
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

/** 0.8 × 3 is a little more than 2.4 in binary fractions; what is shown as 80 % must be judged as 80 %. */
const ROUNDING = 1e-12

function reaches(value: number, { share, of }: { share: number; of: number }): boolean {
  return value >= share * of * (1 - ROUNDING)
}

/** Above the first value all is well, at or below the second it is time. */
function countDownColor(value: number, { soon, now }: { soon: number; now: number }): UsageColor {
  if (value <= now) return 'maximum'
  return value > soon ? 'normal' : 'high'
}

function percentageOf(value: number, max: number): number {
  return Math.round((value / max) * 1000) / 10
}

/** The value at which a part is due, and whether its counter climbs or falls towards it; undefined where none is known. */
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
