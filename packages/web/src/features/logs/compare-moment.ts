import dayjs from 'dayjs'
import { startOfDay } from '../../lib/dates.ts'
import { parseTypedDate } from '../../lib/typed-dates.ts'

/**
 * Reads the moment that a person typed, in their zone: `14:02`, `14:02:23.120` on the day of `beside`, the same after a date
 * as date fields take it, a date alone, or an ISO instant. Null for anything else.
 */
export function parseMoment(text: string, beside: number): number | null {
  const tidy = text.trim()
  if (/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i.test(tidy)) return numberOrNull(Date.parse(tidy))
  const parts = /^(.*?)[\s,@T]*(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,3}))?)?$/.exec(tidy)
  if (parts === null) return parseTypedDate(tidy)?.getTime() ?? null
  const [, date = '', hours = '', minutes = '', seconds = '0', fraction = '0'] = parts
  const day = date === '' ? startOfDay(new Date(beside)) : parseTypedDate(date)
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (day === null || hour > 23 || minute > 59 || second > 59) return null
  // By the wall clock: on a day when clocks change, hours are not counted from midnight.
  return new Date(day).setHours(hour, minute, second, Number(fraction.padEnd(3, '0')))
}

/** `20 Nov 2026 14:02:23`, a form that `parseMoment` reads back. */
export function writeMoment(at: number): string {
  return dayjs(at).format('D MMM YYYY HH:mm:ss')
}

function numberOrNull(number: number): number | null {
  return Number.isNaN(number) ? null : number
}
