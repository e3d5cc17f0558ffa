import { BadRule, checkRecurrence, type Recurrence } from './recurrence.ts'

/**
 * Decides how a request changes the maintenance of an instrument. Pure: facts in, verdict out. Document 2 section 4,
 * wire 6.
 */

/** An active or future maintenance. For a recurring one, the window is the active one, else the next. */
export interface LiveMaintenance {
  id: number
  start: Date
  end: Date | null
  reason: string | null
  rrule: string | null
  timeZone: string | null
}

export interface MaintenanceRequest {
  /** Id of the maintenance to change. */
  id?: number | undefined
  /** Null ends the maintenance. */
  start: Date | null
  end: Date | null
  reason: string | null
  rrule?: string | null | undefined
  timeZone?: string | null | undefined
}

export type NewMaintenance = Omit<LiveMaintenance, 'id'>

export type MaintenancePlan =
  | { kind: 'refusal'; sentence: string }
  | { kind: 'nothing' }
  /** Changes end or reason of the same maintenance. */
  | { kind: 'update'; id: number; end: Date | null; reason: string | null }
  /** Changes only the reason of a recurring maintenance; its windows and their remaining number stay as they are. */
  | { kind: 'new-reason'; id: number; reason: string | null }
  /** Ends these or cancels them before they begin, then adds the new one. */
  | { kind: 'replace'; ends: number[]; adds: NewMaintenance | null }

/** More than this for one instrument indicates a faulty program. */
const MOST_AT_ONCE = 20
/** Today began at most this long ago, in any time zone. */
const LONGEST_TODAY_MS = 24 * 3_600_000

/** Decides about a request. `live` is ordered by start, so the first one is the current one. */
export function planMaintenance(
  request: MaintenanceRequest,
  { live, now }: { live: readonly LiveMaintenance[]; now: Date },
): MaintenancePlan {
  const target = request.id === undefined ? undefined : live.find(({ id }) => id === request.id)
  if (request.id !== undefined && !target) {
    return refusal('This maintenance is over or was ended by another user. Reload the instrument.')
  }
  if (request.start === null) {
    if (request.end !== null || request.rrule) return refusal('An end or a rule requires a start.')
    const [current] = live
    const ending = target ?? current
    return ending ? { kind: 'replace', ends: [ending.id], adds: null } : { kind: 'nothing' }
  }
  const { end, reason } = request
  if (target?.rrule && isSameRecurrence(target, request)) {
    return target.reason === reason ? { kind: 'nothing' } : { kind: 'new-reason', id: target.id, reason }
  }
  if (target && !target.rrule && !request.rrule && target.start.getTime() === request.start.getTime()) {
    if (end !== null && end <= (target.start > now ? target.start : now)) return refusal(END_BEFORE_START)
    if (sameInstant(target.end, end) && target.reason === reason) return { kind: 'nothing' }
    return { kind: 'update', id: target.id, end, reason }
  }
  if (request.start < startOfToday(now, request.timeZone)) {
    return refusal('Maintenance cannot start in the past. Choose another start.')
  }
  const start = request.start < now ? now : request.start
  if (end !== null && end <= start) return refusal(END_BEFORE_START)
  const adds = {
    start,
    end,
    reason,
    rrule: request.rrule ?? null,
    timeZone: request.rrule ? (request.timeZone ?? null) : null,
  }
  const badRule = ruleRefusal(request)
  if (badRule) return refusal(badRule)
  if (adds.rrule !== null) adds.start = request.start
  if (!target && live.some((one) => isSame(one, { requested: adds, now }))) return { kind: 'nothing' }
  const ends = target ? [target.id] : live.filter((one) => replaces(adds, one)).map(({ id }) => id)
  if (live.length - ends.length >= MOST_AT_ONCE) {
    return refusal(`An instrument can have at most ${MOST_AT_ONCE} maintenances. End one of them first.`)
  }
  return { kind: 'replace', ends, adds }
}

const END_BEFORE_START = 'The end must be later than the start and in the future. Choose another end.'

function refusal(sentence: string): MaintenancePlan {
  return { kind: 'refusal', sentence }
}

/** Returns the start of the user's today. Without a zone, returns the earliest start that today has in any zone. */
function startOfToday(now: Date, timeZone: string | null | undefined): Date {
  if (!timeZone) return new Date(now.getTime() - LONGEST_TODAY_MS)
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  return new Date(local.startOfDay().epochMilliseconds)
}

function ruleRefusal({ start, end, rrule, timeZone }: MaintenanceRequest): string | null {
  if (!rrule) return null
  if (!timeZone) return 'A recurring maintenance requires a time zone: set timeZone, such as Europe/Stockholm.'
  if (start === null || end === null) return 'A recurring maintenance requires the end of its first window.'
  return recurrenceRefusal({ rrule, timeZone, start, end })
}

/** Returns a sentence that says why these windows cannot recur, or null if they can. */
export function recurrenceRefusal(recurrence: Recurrence): string | null {
  if (recurrence.end <= recurrence.start) return 'The end must be later than the start. Choose another end.'
  try {
    checkRecurrence(recurrence)
    return null
  } catch (error) {
    if (error instanceof BadRule) return error.message
    throw error
  }
}

/** Returns true if at most the reason differs. */
function isSameRecurrence(one: LiveMaintenance, { start, end, rrule, timeZone }: MaintenanceRequest): boolean {
  return one.rrule === rrule && one.timeZone === timeZone && sameInstant(one.start, start) && sameInstant(one.end, end)
}

function sameInstant(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime()
}

/** Returns true if the request repeats an existing maintenance. */
function isSame(one: LiveMaintenance, { requested, now }: { requested: NewMaintenance; now: Date }): boolean {
  const sameStart = sameInstant(one.start, requested.start) || (one.start <= now && requested.start <= now)
  const sameRule = one.rrule === requested.rrule && one.timeZone === requested.timeZone
  return sameRule && sameStart && sameInstant(one.end, requested.end) && one.reason === requested.reason
}

/** Single windows must not overlap; recurring ones are independent of them. */
function replaces(requested: NewMaintenance, one: LiveMaintenance): boolean {
  if (requested.rrule !== null || one.rrule !== null) return false
  return (one.end === null || one.end > requested.start) && (requested.end === null || requested.end > one.start)
}
