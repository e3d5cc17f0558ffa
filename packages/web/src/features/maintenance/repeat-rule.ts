import { isCalendarDay } from '../../lib/time/dates.ts'
import { addDays } from '../../lib/time/zone-clock.ts'

/**
 * A repeat as the form shows it and as a rule of RFC 5545. The days of a rule follow from the first day (the third
 * Saturday, day 21), so the first window always matches. A rule that the form can't show is kept as text. Pure; days
 * are YYYY-MM-DD.
 */

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]

export const weekdayNames: Record<Weekday, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
}

export type RepeatUnit = 'never' | 'day' | 'week' | 'month' | 'other'
/** On the same date, or on the same weekday counted from the start or the end of the month. */
export type MonthlyBy = 'date' | 'weekday' | 'last-weekday'

export interface Repeat {
  unit: RepeatUnit
  /** Interval in days, weeks or months; null while the field is empty. */
  every: number | null
  /** Weekdays in calendar order. */
  weekdays: readonly Weekday[]
  monthlyBy: MonthlyBy
  ends: 'never' | 'until' | 'times'
  /** The last day on which a window may start. */
  until: string | null
  times: number | null
  /** The text of a rule that the form can't show. */
  rule: string | null
}

export const noRepeat: Repeat = {
  unit: 'never',
  every: 1,
  weekdays: [],
  monthlyBy: 'date',
  ends: 'never',
  until: null,
  times: 10,
  rule: null,
}

export const MOST_EVERY = 99
export const MOST_TIMES = 999

/** Returns the first day on or after `day` that matches the repeat. */
export function firstRepeatedDay(repeat: Repeat, day: string): string {
  if (repeat.unit !== 'week' || repeat.weekdays.length === 0) return day
  let first = day
  while (!repeat.weekdays.includes(weekdayOf(first))) first = addDays(first, 1)
  return first
}

/** Returns the rule without DTSTART; null for a single window. `firstDay` must match the repeat. */
export function writeRule(repeat: Repeat, firstDay: string): string | null {
  if (repeat.unit === 'never') return null
  if (repeat.unit === 'other') return repeat.rule
  const parts = { day: 'FREQ=DAILY', week: 'FREQ=WEEKLY', month: 'FREQ=MONTHLY' }[repeat.unit]
  const interval = (repeat.every ?? 1) > 1 ? `;INTERVAL=${repeat.every}` : ''
  return `${parts}${interval}${daysPart(repeat, firstDay)}${endPart(repeat)}`
}

function daysPart(repeat: Repeat, firstDay: string): string {
  if (repeat.unit === 'week') return `;BYDAY=${inOrder(repeat.weekdays).join(',')}`
  if (repeat.unit !== 'month') return ''
  const weekday = weekdayOf(firstDay)
  switch (monthlyByOf(repeat, firstDay)) {
    case 'date':
      return `;BYMONTHDAY=${dateOf(firstDay)}`
    case 'weekday':
      return `;BYDAY=${nthOf(firstDay)}${weekday}`
    case 'last-weekday':
      return `;BYDAY=-1${weekday}`
  }
}

function endPart({ ends, until, times }: Repeat): string {
  if (ends === 'until' && until !== null) return `;UNTIL=${until.replaceAll('-', '')}`
  if (ends === 'times' && times !== null) return `;COUNT=${times}`
  return ''
}

/** Returns a rule as the form shows it; `other` if writing it again would change its meaning. */
export function readRule(rule: string, firstDay: string): Repeat {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';')
      .map((part): [string, string] => {
        const [name = '', value = ''] = part.split('=')
        return [name, value]
      }),
  )
  const frequency = parts.get('FREQ') ?? ''
  const unit = ({ DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' } as const)[frequency]
  const read: Repeat = { ...noRepeat, unit: unit ?? 'other', every: Number(parts.get('INTERVAL') ?? 1) }
  const until = /^(\d{4})(\d\d)(\d\d)$/.exec(parts.get('UNTIL') ?? '')
  if (until) Object.assign(read, { ends: 'until', until: until.slice(1).join('-') } satisfies Partial<Repeat>)
  const count = parts.get('COUNT')
  if (count !== undefined) Object.assign(read, { ends: 'times', times: Number(count) } satisfies Partial<Repeat>)
  const byDay = parts.get('BYDAY')
  if (unit === 'week') read.weekdays = inOrder(byDay?.split(',') ?? [weekdayOf(firstDay)])
  if (unit === 'month' && byDay !== undefined) read.monthlyBy = byDay.startsWith('-1') ? 'last-weekday' : 'weekday'
  return sameRule(parts, { rule: writeRule(read, firstDay), firstDay, unit })
    ? read
    : { ...noRepeat, unit: 'other', rule }
}

/** True if the parts mean the same as the rule, with the rule's defaults filled in. */
function sameRule(
  parts: ReadonlyMap<string, string>,
  drawn: { rule: string | null; firstDay: string; unit: RepeatUnit | undefined },
): boolean {
  if (drawn.unit === undefined) return false
  const full = new Map(parts)
  if (full.get('INTERVAL') === '1') full.delete('INTERVAL')
  if (full.get('WKST') === 'MO') full.delete('WKST')
  const byDay = full.get('BYDAY')
  if (drawn.unit === 'week') full.set('BYDAY', sortedDays(byDay ?? weekdayOf(drawn.firstDay)))
  if (drawn.unit === 'month' && byDay === undefined && !full.has('BYMONTHDAY')) {
    full.set('BYMONTHDAY', String(dateOf(drawn.firstDay)))
  }
  const written = [...full].map(([name, value]) => `${name}=${value}`)
  return drawn.rule?.split(';').toSorted().join(';') === written.toSorted().join(';')
}

/**
 * Returns the options for a monthly repeat from the first day. A fifth weekday is offered as the last one, or not at
 * all.
 */
export function monthlyChoices(firstDay: string): { value: MonthlyBy; label: string }[] {
  const name = weekdayNames[weekdayOf(firstDay)]
  const nth = ordinals[nthOf(firstDay) - 1]
  return [
    { value: 'date', label: `on day ${dateOf(firstDay)}` },
    ...(nth === undefined ? [] : [{ value: 'weekday' as const, label: `on the ${nth} ${name}` }]),
    ...(isLastOfMonth(firstDay) ? [{ value: 'last-weekday' as const, label: `on the last ${name}` }] : []),
  ]
}

/** Returns the chosen option if it applies to the first day, else the nearest one. */
export function monthlyByOf({ monthlyBy }: Repeat, firstDay: string): MonthlyBy {
  const offered = monthlyChoices(firstDay).map(({ value }) => value)
  if (offered.includes(monthlyBy)) return monthlyBy
  return offered.find((value) => value !== 'date') ?? 'date'
}

/** Returns e.g. 'Every 2 weeks on Monday and Friday, 10 times'. `formatDay` formats a day. */
export function repeatLabel(repeat: Repeat, firstDay: string, formatDay: (day: string) => string): string {
  return `${intervalLabel(repeat, firstDay)}${endLabel(repeat, formatDay)}`
}

function intervalLabel(repeat: Repeat, firstDay: string): string {
  const { unit, every } = repeat
  if (unit === 'never') return 'Once'
  if (unit === 'other') return `Custom rule ${repeat.rule}`
  const pace = (every ?? 1) === 1 ? `Every ${unit}` : `Every ${every} ${unit}s`
  if (unit === 'week') return `${pace} on ${listed(inOrder(repeat.weekdays).map((day) => weekdayNames[day]))}`
  if (unit === 'day') return pace
  const by = monthlyByOf(repeat, firstDay)
  return `${pace} ${monthlyChoices(firstDay).find(({ value }) => value === by)?.label ?? ''}`
}

function endLabel({ unit, ends, until, times }: Repeat, formatDay: (day: string) => string): string {
  if (unit === 'other') return ''
  if (ends === 'until' && until !== null) return `, until ${formatDay(until)}`
  if (ends === 'times' && times !== null) return times === 1 ? ', once' : `, ${times} times`
  return ''
}

/** Returns the missing or invalid fields; empty if the repeat can be set. */
export function repeatProblems(
  repeat: Repeat,
  firstDay: string,
): Partial<Record<'every' | 'weekdays' | 'until' | 'times', string>> {
  if (repeat.unit === 'never' || repeat.unit === 'other') return {}
  const { every, until, times } = repeat
  return {
    ...(!isWhole(every, MOST_EVERY) && { every: `Enter a whole number from 1 to ${MOST_EVERY}` }),
    ...(repeat.unit === 'week' && repeat.weekdays.length === 0 && { weekdays: 'Choose at least one weekday' }),
    ...(repeat.ends === 'until' && untilProblem(until, firstDay)),
    ...(repeat.ends === 'times' &&
      !isWhole(times, MOST_TIMES) && { times: `Enter a whole number from 1 to ${MOST_TIMES}` }),
  }
}

function untilProblem(until: string | null, firstDay: string): { until?: string } {
  if (until === null) return { until: 'Choose the last day' }
  if (!isCalendarDay(until)) return { until: 'Invalid date format' }
  return until < firstDay ? { until: 'Choose the first day or a later one' } : {}
}

function isWhole(value: number | null, most: number): boolean {
  return value !== null && Number.isInteger(value) && value >= 1 && value <= most
}

const ordinals = ['first', 'second', 'third', 'fourth']

export function weekdayOf(day: string): Weekday {
  return weekdays[(new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7] ?? 'MO'
}

function inOrder(some: readonly string[]): Weekday[] {
  return weekdays.filter((day) => some.includes(day))
}

/** Sorts weekdays as the form writes them. A day with an ordinal stays as it is. */
function sortedDays(byDay: string): string {
  const days = byDay.split(',')
  const known = inOrder(days)
  return known.length === days.length ? known.join(',') : byDay
}

function dateOf(day: string): number {
  return Number(day.slice(8))
}

function nthOf(day: string): number {
  return Math.ceil(dateOf(day) / 7)
}

function isLastOfMonth(day: string): boolean {
  return addDays(day, 7).slice(5, 7) !== day.slice(5, 7)
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
