import { addDays } from '../../lib/time/zone-clock.ts'

/**
 * How a window repeats, as the form draws it and as a rule of RFC 5545. What a rule says of days follows from the first
 * day (the third Saturday, day 21), so that the first window always falls on it. A rule that the form can't draw is kept
 * as its text. Pure; days are YYYY-MM-DD.
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
/** On the same date, on the same weekday counted from the first or from the last of the month. */
export type MonthlyBy = 'date' | 'weekday' | 'last-weekday'

export interface Repeat {
  unit: RepeatUnit
  /** Every so many days, weeks or months; null while the field is empty. */
  every: number | null
  /** Of a week, in its order. */
  weekdays: readonly Weekday[]
  monthlyBy: MonthlyBy
  ends: 'never' | 'until' | 'times'
  /** The last day on which a window may begin. */
  until: string | null
  times: number | null
  /** The text of a rule that the form can't draw. */
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

/** The first day on or after `day` that falls on the repeat. */
export function firstRepeatedDay(repeat: Repeat, day: string): string {
  if (repeat.unit !== 'week' || repeat.weekdays.length === 0) return day
  let first = day
  while (!repeat.weekdays.includes(weekdayOf(first))) first = addDays(first, 1)
  return first
}

/** The rule without DTSTART; null for a window that doesn't repeat. `firstDay` falls on the repeat. */
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

/** A rule as the form draws it; `other` where writing that again would not mean the same. */
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

/** Whether the parts say what the rule says, with what a rule means where it leaves something out. */
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

/** What a month may be counted by, from the first day; the fifth Saturday is the last one, or none. */
export function monthlyChoices(firstDay: string): { value: MonthlyBy; label: string }[] {
  const name = weekdayNames[weekdayOf(firstDay)]
  const nth = ordinals[nthOf(firstDay) - 1]
  return [
    { value: 'date', label: `on day ${dateOf(firstDay)}` },
    ...(nth === undefined ? [] : [{ value: 'weekday' as const, label: `on the ${nth} ${name}` }]),
    ...(isLastOfMonth(firstDay) ? [{ value: 'last-weekday' as const, label: `on the last ${name}` }] : []),
  ]
}

/** What was chosen where the first day has it, else the nearest to it. */
export function monthlyByOf({ monthlyBy }: Repeat, firstDay: string): MonthlyBy {
  const offered = monthlyChoices(firstDay).map(({ value }) => value)
  if (offered.includes(monthlyBy)) return monthlyBy
  return offered.find((value) => value !== 'date') ?? 'date'
}

/** Every 2 weeks on Monday and Friday, 10 times. `formatDay` writes a day as the area has it. */
export function repeatLabel(repeat: Repeat, firstDay: string, formatDay: (day: string) => string): string {
  return `${everyWords(repeat, firstDay)}${endLabel(repeat, formatDay)}`
}

function everyWords(repeat: Repeat, firstDay: string): string {
  const { unit, every } = repeat
  if (unit === 'never') return 'Once'
  if (unit === 'other') return `By the rule ${repeat.rule}`
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

/** What is missing or wrong, by field; empty where the repeat can be set. */
export function repeatProblems(
  repeat: Repeat,
  firstDay: string,
): Partial<Record<'every' | 'weekdays' | 'until' | 'times', string>> {
  if (repeat.unit === 'never' || repeat.unit === 'other') return {}
  const { every, until, times } = repeat
  return {
    ...(!isWhole(every, MOST_EVERY) && { every: `A whole number from 1 to ${MOST_EVERY}` }),
    ...(repeat.unit === 'week' && repeat.weekdays.length === 0 && { weekdays: 'Choose a day of the week' }),
    ...(repeat.ends === 'until' && untilProblem(until, firstDay)),
    ...(repeat.ends === 'times' && !isWhole(times, MOST_TIMES) && { times: `A whole number from 1 to ${MOST_TIMES}` }),
  }
}

function untilProblem(until: string | null, firstDay: string): { until?: string } {
  if (until === null) return { until: 'Choose the last day' }
  return until < firstDay ? { until: 'Lies before the first day' } : {}
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

/** As the form writes them; what is no day of every week stays as it is. */
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
