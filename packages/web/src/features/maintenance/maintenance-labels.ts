import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import { addDays, daysBetween, type WallTime, wallTime } from '../../lib/time/zone-clock.ts'
import { hasStarted } from './current-maintenance.ts'
import type { FirstWindow, MaintenanceForm } from './maintenance-form.ts'
import { readRule, repeatLabel, weekdayNames, weekdayOf } from './repeat-rule.ts'

/** Labels for a maintenance, by the clock of its time zone. Pure. */

/** Returns e.g. 'Sat 21-Nov-2026'. */
export function dayLabel(day: string): string {
  return `${weekdayNames[weekdayOf(day)].slice(0, 3)} ${formatInstrumentDate(day)}`
}

/** Returns e.g. 'Sat 21-Nov-2026 22:00 – Sun 22-Nov-2026 04:00'; whole days have no times. */
export function windowLabel({ start, end }: { start: string | Date; end: string | Date }, zone: string): string {
  const from = wallTime(start, zone)
  const to = wallTime(end, zone)
  if (from.time === '00:00' && to.time === '00:00') {
    const last = addDays(to.day, -1)
    return last === from.day ? `${dayLabel(last)}, all day` : `${dayLabel(from.day)} – ${dayLabel(last)}, all day`
  }
  return from.day === to.day
    ? `${dayLabel(from.day)} ${from.time} – ${to.time}`
    : `${dayLabel(from.day)} ${from.time} – ${dayLabel(to.day)} ${to.time}`
}

/** Returns how an existing maintenance recurs; null for a single window. */
export function recurrenceLabel({ rrule, timeZone, start }: Maintenance): string | null {
  if (rrule === null || timeZone === null) return null
  const { day } = wallTime(start, timeZone)
  return `${repeatLabel(readRule(rrule, day), day, formatInstrumentDate)} (${timeZone})`
}

/** Returns the form as a sentence. A window of today starts now or has started already. */
export function formSentence(
  form: MaintenanceForm,
  { window, edited, now }: { window: FirstWindow; edited: Maintenance | null; now: Date },
): string {
  const { zone, repeat, isAllDay } = form
  const clock = `Time zone: ${zone}.`
  if (repeat.unit === 'never') {
    const from = wallTime(window.start, zone)
    const isEdited = edited !== null && window.start.getTime() === Date.parse(edited.start)
    const isOnSince = isEdited && hasStarted(edited, now.getTime())
    const later = `From ${isAllDay ? dayLabel(from.day) : momentLabel(from)}`
    const begins = isOnSince ? `Since ${momentLabel(from)}` : window.start <= now ? 'From now' : later
    const to = wallTime(window.end, zone)
    const ends = isAllDay ? `the end of ${dayLabel(addDays(to.day, -1))}` : momentLabel(to)
    return `${begins} until ${ends}. ${clock}`
  }
  const words = repeatLabel(repeat, window.firstDay, formatInstrumentDate)
  return [`${words}: ${lengthLabel(form)}, first on ${dayLabel(window.firstDay)}.`, clock, leftOut(form, window)]
    .filter(Boolean)
    .join(' ')
}

function momentLabel({ day, time }: WallTime): string {
  return `${dayLabel(day)} ${time}`
}

/** Returns e.g. '22:00 to 04:00 the next day'. */
function lengthLabel({ firstDay, lastDay, isAllDay, startTime, endTime }: MaintenanceForm): string {
  const days = firstDay === null || lastDay === null ? 0 : daysBetween(firstDay, lastDay)
  if (isAllDay) return days === 0 ? 'all day' : `${days + 1} days`
  const later = ['', ' the next day'][days] ?? `, ${days} days later`
  return `${startTime} to ${endTime}${later}`
}

/** Not every month has a 31st. */
function leftOut({ repeat }: MaintenanceForm, { firstDay }: FirstWindow): string | null {
  const date = Number(firstDay.slice(8))
  return repeat.unit === 'month' && repeat.monthlyBy === 'date' && date > 28
    ? `Months without a day ${date} are skipped.`
    : null
}
