import type { UsageHistory } from '@benchwatch/contract/usage'
import { counted } from '../../lib/counted.ts'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { daysBetween } from '../../lib/zone-clock.ts'
import { formatCount, limitOf, withUnit } from './usage-judgement.ts'

/** A forecast and what it was made of, in sentences (3-decisions 9, docs/instruments.md). Pure. */

/** When the counter will reach its limit, or why nobody can say. `today` is the UTC day, YYYY-MM-DD. */
export function forecastSentence({ metric, trend, values }: UsageHistory, today: string): string {
  const { forecastDate, unit } = metric
  const limit = limitOf(metric)
  if (limit === null) return 'No limit is known for it, so nothing can be forecast.'
  const value = values.at(-1)?.value ?? metric.value
  if (value !== null && (limit.climbs ? value >= limit.value : value <= limit.value))
    return limit.climbs ? 'It has reached its maximum.' : 'It is due for a change.'
  if (trend === null) return 'Too few days were measured for a forecast: it takes five of them, over a week or more.'
  if (forecastDate === null)
    return (limit.climbs ? trend.perDay > 0 : trend.perDay < 0)
      ? 'At this pace its limit is more than five years away.'
      : 'It comes no nearer to its limit.'
  const what = limit.climbs
    ? `reaches its maximum of ${withUnit(formatCount(limit.value), unit)}`
    : 'is due for a change'
  return `At this pace it ${what} on ${formatInstrumentDate(forecastDate)}, ${untilWords(daysBetween(today, forecastDate))}.`
}

/** `Rises by 38 strokes a day: the median pace of 37 measured days since 03-Oct-2026.` Null without a trend. */
export function paceSentence({ metric, trend }: UsageHistory): string | null {
  if (trend === null) return null
  const data = `the median pace of ${trend.days} measured days since ${formatInstrumentDate(trend.from)}`
  if (trend.perDay === 0) return `Stands still: ${data}.`
  const amount = Math.abs(trend.perDay).toLocaleString('en', { maximumSignificantDigits: 3 })
  // '1 days a day' would only confuse.
  const perDay = metric.unit === 'days' ? amount : withUnit(amount, metric.unit)
  return `${trend.perDay > 0 ? 'Rises' : 'Falls'} by ${perDay} a day: ${data}.`
}

function untilWords(days: number): string {
  if (days <= 0) return 'today'
  return days === 1 ? 'tomorrow' : `in ${counted(days, 'day')}`
}
