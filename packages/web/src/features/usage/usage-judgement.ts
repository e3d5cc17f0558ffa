import type { ComponentMetric, ComponentReading, ComponentUsage } from '@benchwatch/contract/instruments/usage'
import { type UsageColor, usageColors } from '@benchwatch/contract/vocabulary'
import { formatInstrumentDate } from '../../lib/time/dates.ts'

/**
 * Labels and bars for the judged use of a component: document 2 sections 4 and 8, 3-decisions 9. The server judges
 * (`usageColor`, `usagePercentage`). Pure; shared by the card, the report and its PDF.
 */

/** Labels of the colour key. */
export const usageLabels: Record<UsageColor, string> = {
  normal: 'Normal',
  safety: 'Safety threshold',
  high: 'High',
  maximum: 'Maximum',
  unknown: 'Unknown',
}

/** Labels of the count-down steps, which say what to do. */
const countDownLabels: Record<UsageColor, string> = {
  ...usageLabels,
  high: 'Change soon',
  maximum: 'Change now!',
}

/** Returns the judgement in one or two words, shown beside its colour. */
export function judgementLabel({ thresholdRule, usageColor }: ComponentMetric): string {
  return (thresholdRule === 'COUNT_DOWN' ? countDownLabels : usageLabels)[usageColor]
}

/** Returns the specification's tooltip with numbers formatted as in its row. */
export function usageTooltip(metric: ComponentMetric): string {
  const { thresholdRule, thresholdValues, usagePercentage, usageColor, value } = metric
  const limit = limitOf(metric)
  if (thresholdRule === 'UNKNOWN_THRESHOLD') return 'Unknown'
  if (limit === null) return 'No threshold data'
  if (value === null || usageColor === 'unknown') return 'Unknown'
  if (thresholdRule === 'COUNT_DOWN') {
    if (usageColor === 'maximum') return 'Change now!'
    return usageColor === 'high' ? 'Change soon' : `Change at ${formatCount(limit.value)}`
  }
  const share = formatPercentage(usagePercentage ?? 0)
  return usageColor === 'safety'
    ? `${share} SAFETY THRESHOLD = ${formatCount(thresholdValues[0] ?? 0)}`
    : `${share} MAX = ${formatCount(limit.value)}`
}

/** Returns the tooltip if it says more than the label beside it. */
export function usageVerdict(metric: ComponentMetric): string | null {
  const tooltip = usageTooltip(metric)
  return tooltip === judgementLabel(metric) ? null : tooltip
}

/** Returns the value at which a part is due and whether its counter rises or falls towards it; null if unknown. */
export function limitOf({ thresholdRule, thresholdValues: [first, second] }: ComponentMetric): {
  value: number
  climbs: boolean
} | null {
  switch (thresholdRule) {
    case 'MAXIMUM_USAGE':
      return first === undefined || first <= 0 ? null : { value: first, climbs: true }
    case 'HIGH_SAFE_USAGE':
      return second === undefined || second <= 0 ? null : { value: second, climbs: true }
    case 'COUNT_DOWN':
      return second === undefined ? null : { value: second, climbs: false }
    case 'UNKNOWN_THRESHOLD':
      return null
  }
}

/** Percentages of the maximum from which a use is high: 3-decisions 9. */
const HIGH_OF_MAXIMUM = 80
const HIGH_OF_SAFE_MAXIMUM = 90

export type UsageBar =
  /** Filled to `width` percent, at most 100, with marks where the judgement changes. */
  | { kind: 'share'; width: number; marks: number[] }
  /** A count-down has no maximum. It shows one of three steps; the last means change the part now. */
  | { kind: 'steps'; step: 1 | 2 | 3 }
  | { kind: 'none' }

export function usageBar(metric: ComponentMetric): UsageBar {
  const { thresholdRule, thresholdValues, usagePercentage, usageColor } = metric
  if (usageColor === 'unknown') return { kind: 'none' }
  if (thresholdRule === 'COUNT_DOWN')
    return { kind: 'steps', step: usageColor === 'maximum' ? 3 : usageColor === 'high' ? 2 : 1 }
  if (usagePercentage === null) return { kind: 'none' }
  const [safe = 0, max = 0] = thresholdValues
  const marks =
    thresholdRule === 'HIGH_SAFE_USAGE' && max > 0 ? [(100 * safe) / max, HIGH_OF_SAFE_MAXIMUM] : [HIGH_OF_MAXIMUM]
  return { kind: 'share', width: Math.min(100, Math.max(0, usagePercentage)), marks: marks.filter(isWithin) }
}

function isWithin(percentage: number): boolean {
  return percentage > 0 && percentage < 100
}

/** Returns e.g. `984 of 1,000 strokes`, or `20 days` for a count-down or without a limit; a dash without a value. */
export function usageAmount(metric: ComponentMetric): string {
  const { value, unit } = metric
  if (value === null) return '–'
  const limit = limitOf(metric)
  const amount = limit?.climbs ? `${formatCount(value)} of ${formatCount(limit.value)}` : formatCount(value)
  return withUnit(amount, unit)
}

/**
 * Returns a reading of a component, such as serial number or pressure, with its unit; null without a value. Dates are
 * formatted as elsewhere in the instruments area.
 */
export function readingText({ unit, value }: ComponentReading): string | null {
  if (value === null || value === '') return null
  if (typeof value === 'number') return withUnit(formatCount(value), unit)
  return CALENDAR_DATE.test(value) ? formatInstrumentDate(value) : withUnit(value, unit)
}

const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/

/** Units that are English plurals. Instruments send units as text, so other units stay as they are. */
const singularUnits: Record<string, string> = {
  batches: 'batch',
  cycles: 'cycle',
  days: 'day',
  hours: 'hour',
  motions: 'motion',
  moves: 'move',
  runs: 'run',
  strokes: 'stroke',
  switches: 'switch',
  times: 'time',
}

/** Returns e.g. '1,000 strokes', '1 stroke' or, without a unit, the amount alone. */
export function withUnit(amount: string, unit: string | null): string {
  if (unit === null || unit === '') return amount
  return `${amount} ${amount === '1' ? (singularUnits[unit] ?? unit) : unit}`
}

/** Returns e.g. '96.0%': percentages of use have one decimal. */
export function formatPercentage(percentage: number): string {
  return `${percentage.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`
}

/** Returns e.g. '1,684,000' or '12.5', with thousands separators and without meaningless digits. */
export function formatCount(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1 })
}

/** Returns the most urgent counter; undefined without counters. */
export function worstMetric({ usage }: Pick<ComponentUsage, 'usage'>): ComponentMetric | undefined {
  return byUrgency(usage)[0]
}

/** Returns counters by urgency; equally urgent ones keep their order. */
export function byUrgency(usage: readonly ComponentMetric[]): ComponentMetric[] {
  return usage.toSorted(
    (one, other) => urgencyOf(other) - urgencyOf(one) || (other.usagePercentage ?? 0) - (one.usagePercentage ?? 0),
  )
}

/** Returns components by the urgency of their worst counter; equally urgent ones keep their order by name. */
export function componentsByUrgency(components: readonly ComponentUsage[]): ComponentUsage[] {
  const worst = new Map(components.map((component) => [component, worstMetric(component)]))
  return components.toSorted((one, other) => {
    const [a, b] = [worst.get(one), worst.get(other)]
    return urgencyOf(b) - urgencyOf(a)
  })
}

/** Returns the rank of a judgement by urgency; lowest without a counter. */
function urgencyOf(metric: ComponentMetric | undefined): number {
  return metric === undefined ? -1 : usageColors.indexOf(metric.usageColor)
}

/**
 * Splits `Pump A (P9-A)` into the component 'Pump A' and the module 'P9-A'. A name without parentheses has no module.
 */
export function splitComponentName(componentName: string): { name: string; module: string | null } {
  // Not a regular expression: instruments send the names, and backtracking could be made slow by them.
  const open = componentName.lastIndexOf('(')
  const end = componentName.trimEnd()
  const name = componentName.slice(0, Math.max(open, 0)).trimEnd()
  if (open < 0 || !end.endsWith(')') || name === '') return { name: componentName, module: null }
  return { name, module: end.slice(open + 1, -1) }
}
