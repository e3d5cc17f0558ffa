import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { addDays, daysBetween, instantOf, type WallTime, wallTime } from '../../lib/time/zone-clock.ts'
import { hasStarted } from './current-maintenance.ts'
import type { MaintenanceChange } from './maintenance.api.ts'
import {
  firstRepeatedDay,
  noRepeat,
  type Repeat,
  readRule,
  repeatProblems,
  type Weekday,
  weekdayOf,
  writeRule,
} from './repeat-rule.ts'

/**
 * The maintenance form and its request. Document 2 sections 4 and 5: a start of today becomes now, the end is the end
 * of the last day, and nothing starts before today. Pure; days are YYYY-MM-DD, times HH:mm.
 */
export interface MaintenanceForm {
  /** "Maintenance mode" */
  isOn: boolean
  /** "Date range" */
  isRange: boolean
  firstDay: string | null
  lastDay: string | null
  /** True: from the start of the first day, or now, to the end of the last day. */
  isAllDay: boolean
  startTime: string
  endTime: string
  /** IANA time zone of the days and times. */
  zone: string
  reason: string
  repeat: Repeat
}

/** The maintenance that a form edits, and the current time. */
export interface FormContext {
  /** The edited maintenance; null for a new one. */
  edited: Maintenance | null
  /** The form as it was opened. */
  opened: MaintenanceForm
  now: Date
}

/** Usual working hours, the default when the user asks for times. */
const USUAL_TIMES = { startTime: '08:00', endTime: '17:00' }
const MIDNIGHT = '00:00'

/** From now, without an end: the state that "Date range" off resets to. */
export const noRange = {
  isRange: false,
  firstDay: null,
  lastDay: null,
  isAllDay: true,
  ...USUAL_TIMES,
  repeat: noRepeat,
} satisfies Partial<MaintenanceForm>

/** Returns the initial form: off if there is nothing to change. `zone`: the viewer's. */
export function maintenanceForm(
  edited: Maintenance | null,
  { zone, now }: { zone: string; now: Date },
): MaintenanceForm {
  const empty: MaintenanceForm = {
    isOn: edited !== null,
    ...noRange,
    zone: edited?.timeZone ?? zone,
    reason: edited?.reason ?? '',
  }
  return edited === null || edited.end === null
    ? empty
    : { ...empty, isRange: true, ...rangeOf({ ...edited, end: edited.end }, { zone: empty.zone, now }) }
}

function rangeOf(
  edited: Maintenance & { end: string },
  { zone, now }: { zone: string; now: Date },
): Partial<MaintenanceForm> {
  const start = wallTime(edited.start, zone)
  const end = wallTime(edited.end, zone)
  // A current maintenance that ends with a day was started with "now" and that end day.
  const beganNow = edited.rrule === null && hasStarted(edited, now.getTime())
  const isAllDay = end.time === MIDNIGHT && (start.time === MIDNIGHT || beganNow)
  return {
    firstDay: start.day,
    lastDay: isAllDay ? addDays(end.day, -1) : end.day,
    isAllDay,
    ...(!isAllDay && { startTime: start.time, endTime: end.time }),
    repeat: edited.rrule === null ? noRepeat : readRule(edited.rrule, start.day),
  }
}

export function isChanged(form: MaintenanceForm, opened: MaintenanceForm): boolean {
  return JSON.stringify(form) !== JSON.stringify(opened)
}

export interface FirstWindow {
  start: Date
  end: Date
  firstDay: string
}

/** Returns the form with other days. A weekly repeat on the day of its start moves with the start. */
export function withDays(
  form: MaintenanceForm,
  { firstDay, lastDay }: Pick<MaintenanceForm, 'firstDay' | 'lastDay'>,
): MaintenanceForm {
  const { repeat } = form
  const [only, ...others] = repeat.weekdays
  const follows = firstDay !== null && others.length === 0 && (!only || isWeekdayOf(form.firstDay, only))
  const weekdays = follows ? [weekdayOf(firstDay)] : repeat.weekdays
  return { ...form, firstDay, lastDay, repeat: { ...repeat, weekdays } }
}

function isWeekdayOf(day: string | null, weekday: Weekday): boolean {
  return day === null || weekdayOf(day) === weekday
}

/** Returns the first window. A repeat moves on to its first matching day. Null until the range is chosen. */
export function firstWindow(form: MaintenanceForm, context: Pick<FormContext, 'edited' | 'now'>): FirstWindow | null {
  const { firstDay, lastDay, isAllDay, zone, repeat } = form
  if (firstDay === null || lastDay === null) return null
  const first = firstRepeatedDay(repeat, firstDay)
  const last = addDays(lastDay, daysBetween(firstDay, first))
  const from: WallTime = { day: first, time: isAllDay ? MIDNIGHT : form.startTime }
  const to: WallTime = isAllDay ? { day: addDays(last, 1), time: MIDNIGHT } : { day: last, time: form.endTime }
  if (from.time === '' || to.time === '') return null
  const isRecurring = repeat.unit !== 'never'
  const start = instantOf(from, zone)
  return {
    start: isRecurring || start > context.now ? start : startNow(zone, context),
    end: instantOf(to, zone),
    firstDay: first,
  }
}

/**
 * Returns the start that means now: the start of a current maintenance, else the start of today. The server cuts off
 * what has passed by its own clock, because a browser's clock may be ahead and would put "now" into the future.
 */
function startNow(zone: string, { edited, now }: Pick<FormContext, 'edited' | 'now'>): Date {
  if (edited !== null && edited.rrule === null && hasStarted(edited, now.getTime())) return new Date(edited.start)
  return instantOf({ day: wallTime(now, zone).day, time: MIDNIGHT }, zone)
}

export type FormProblems = Partial<Record<'range' | 'every' | 'weekdays' | 'until' | 'times', string>>

/** Returns the problems by field. A range without dates is incomplete but not a problem: see `changeOf`. */
export function formProblems(form: MaintenanceForm, context: FormContext): FormProblems {
  if (!form.isOn || !form.isRange || isAsItWas(form, context)) return {}
  const window = firstWindow(form, context)
  if (window === null) return {}
  const range = rangeProblem(window, { form, ...context })
  return { ...(range !== null && { range }), ...repeatProblems(form.repeat, window.firstDay) }
}

function rangeProblem(
  { start, end, firstDay }: FirstWindow,
  { form, edited, now }: FormContext & { form: MaintenanceForm },
): string | null {
  if (end <= start) return 'The end is before the start. Choose a later end or a later last day.'
  if (end <= now) return 'The end is in the past. Choose a later end.'
  const isOnSince = edited !== null && edited.rrule === null && start.getTime() === Date.parse(edited.start)
  if (!isOnSince && firstDay < wallTime(now, form.zone).day)
    return 'The start is before today. Choose a later first day.'
  return null
}

/** Returns the request; null if the form is incomplete, invalid or unchanged. */
export function changeOf(form: MaintenanceForm, context: FormContext): MaintenanceChange | null {
  const { edited, opened } = context
  const meant = edited === null ? {} : { id: edited.id }
  if (!isChanged(form, opened)) return null
  if (!form.isOn) return edited === null ? null : { ...meant, start: null }
  const schedule = scheduleOf(form, context)
  return schedule && { ...meant, ...schedule, reason: form.reason.trim() || null }
}

/** Returns the schedule: now, or the windows of the range and the repeat; null if incomplete or invalid. */
export function scheduleOf(
  form: MaintenanceForm,
  context: FormContext,
): Pick<MaintenanceChange, 'start' | 'end' | 'rrule' | 'timeZone'> | null {
  const { edited } = context
  if (edited !== null && isAsItWas(form, context)) {
    const { start, end, rrule, timeZone } = edited
    return { start, end, ...(rrule !== null && { rrule, timeZone }) }
  }
  if (!form.isRange) return { start: startNow(form.zone, context).toISOString(), end: null, timeZone: form.zone }
  const window = firstWindow(form, context)
  if (window === null || Object.keys(formProblems(form, context)).length > 0) return null
  const rrule = writeRule(form.repeat, window.firstDay)
  return {
    start: window.start.toISOString(),
    end: window.end.toISOString(),
    ...(rrule !== null && { rrule }),
    timeZone: form.zone,
  }
}

/**
 * True if at most the reason was changed. Details that the form shows less exactly, such as the spelling of a rule,
 * are then kept.
 */
function isAsItWas(form: MaintenanceForm, { edited, opened }: FormContext): boolean {
  return edited !== null && !isChanged({ ...form, reason: opened.reason }, opened)
}

/** Returns the single windows that the server will replace: those that overlap a new single window. */
export function replacedBy(change: MaintenanceChange | null, there: readonly Maintenance[]): Maintenance[] {
  if (change === null || change.start === null || change.id !== undefined || change.rrule) return []
  const from = Date.parse(change.start)
  const to = change.end ? Date.parse(change.end) : Number.POSITIVE_INFINITY
  return there.filter(
    ({ rrule, start, end }) => rrule === null && (end === null || Date.parse(end) > from) && Date.parse(start) < to,
  )
}
