import type { Summary } from './percentiles.ts'

type Unit = 'ms' | 's' | 'events/s' | 'requests/s' | 'rows/s' | 'requests' | 'MB' | 'kB' | '×'

/** The limit of a figure: at most or at least. */
export interface Goal {
  atMost?: number
  atLeast?: number
}

/** One figure of a run. Times are compared with their goal by the p95. */
export interface Measure {
  group: string
  name: string
  unit: Unit
  value: number
  /** The percentiles, for times. */
  summary?: Summary
  /** The best value without the product in the same run, and how it was measured. */
  floor?: { value: number; how: string; summary?: Summary }
  goal?: Goal
  note?: string
  /** The product's refusal, such as `answered 503`; the value is then the time until the refusal. */
  refusal?: string
}

export type Verdict = 'met' | 'missed' | ''

/** Returns '' if there is no goal. */
export function verdictOf({ value, goal, refusal }: Pick<Measure, 'value' | 'goal' | 'refusal'>): Verdict {
  if (refusal !== undefined) return 'missed'
  if (!goal) return ''
  const tooMuch = goal.atMost !== undefined && value > goal.atMost
  const tooLittle = goal.atLeast !== undefined && value < goal.atLeast
  return tooMuch || tooLittle ? 'missed' : 'met'
}

/** Formats a figure with three significant digits: `0.84`, `13.2`, `1234`. */
export function figure(value: number): string {
  if (value === 0) return '0'
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toFixed(Math.min(2, decimals))
}

const columns = [
  { name: 'measure', width: 74 },
  { name: 'p50', width: 7 },
  { name: 'p95', width: 14 },
  { name: 'p99', width: 7 },
  { name: 'n', width: 4 },
  { name: 'floor p50', width: 9 },
  { name: 'p95', width: 7 },
  { name: 'goal', width: 7 },
  { name: 'verdict', width: 7 },
] as const

/** The header line above the figures. */
export const heading = row(columns.map(({ name }) => name))

/** Formats one figure as a line of the table. A figure without percentiles is in the column that is compared. */
export function line(measure: Measure): string {
  const { name, unit, value, summary, floor, goal, note, refusal } = measure
  const remarks = [refusal, note].filter((remark) => remark !== undefined).map((remark) => ` (${remark})`)
  return row([
    `${name}${remarks.join('')}`,
    summary ? figure(summary.p50) : '',
    `${figure(value)} ${unit}`,
    summary ? figure(summary.p99) : '',
    summary ? String(summary.samples) : '',
    floor?.summary ? figure(floor.summary.p50) : '',
    floor ? figure(floor.value) : '',
    goal ? goalText(goal) : '',
    verdictOf(measure),
  ])
}

/** Formats results as a file: one measure on a line, so that a comparison of two runs shows what changed. */
export function resultText(head: object, measures: readonly Measure[]): string {
  const rounded = (value: object) =>
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'number' ? Math.round(part * 1000) / 1000 : part))
  const lines = measures.map((measure) => rounded({ ...measure, verdict: verdictOf(measure) }))
  return `${rounded(head).slice(0, -1)},"measures":[\n${lines.join(',\n')}\n]}\n`
}

function row(cells: readonly string[]): string {
  return columns
    .map(({ width }, index) => (index === 0 ? (cells[0] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width)))
    .join(' ')
    .trimEnd()
}

function goalText({ atMost, atLeast }: Goal): string {
  return [...(atMost === undefined ? [] : [`≤ ${atMost}`]), ...(atLeast === undefined ? [] : [`≥ ${atLeast}`])].join(
    ' ',
  )
}
