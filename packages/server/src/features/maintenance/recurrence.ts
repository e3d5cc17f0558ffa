import { RRuleTemporal } from 'rrule-temporal'

/**
 * Recurring windows by RFC 5545 rules in local time. Rules are computed in wall time, and each window is converted to
 * an instant afterwards. A window whose local time a clock change skips comes an hour later. The RFC would drop it,
 * but a night without its maintenance would raise the alarms of that night.
 */
export interface Recurrence {
  rrule: string
  /** IANA zone. */
  timeZone: string
  /** The first window. */
  start: Date
  end: Date
}

export interface Window {
  start: Date
  end: Date
}

/** The reason why a rule cannot be used, as a sentence for its author. */
export class BadRule extends Error {}

const frequencies = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
const partNames = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST'])
/** Allowed numbers of each part. Negative numbers count from the end of month or year. */
const numberRanges: Record<string, { from: number; to: number }> = {
  INTERVAL: { from: 1, to: 999 },
  COUNT: { from: 1, to: 9999 },
  BYMONTH: { from: 1, to: 12 },
  BYMONTHDAY: { from: -31, to: 31 },
  BYSETPOS: { from: -366, to: 366 },
}
/** Last year of all instants in the product. Five-digit years would be written with a sign, which no reader expects. */
const LAST_YEAR = 9998
/** A rule that matches nothing within this many steps never matches, such as every 30 February. */
const MOST_STEPS = 10_000
/** Number of windows checked for overlap, which covers several years of monthly windows. */
const COMPARED_WINDOWS = 60
const DAY_MS = 86_400_000

/**
 * Throws BadRule if the text is not a rule, if the rule repeats more often than daily, if it does not start with the
 * given window, or if its windows overlap.
 */
export function checkRecurrence(recurrence: Recurrence): void {
  const some = firstWindows(recurrence, COMPARED_WINDOWS)
  if (some[0]?.start.getTime() !== recurrence.start.getTime()) {
    throw new BadRule('The first window does not match the rule. Start it on a day of the rule.')
  }
  for (const [index, window] of some.entries()) {
    const next = some[index + 1]
    if (next && next.start < window.end) {
      throw new BadRule('The windows would overlap. Shorten them or let them recur less often.')
    }
  }
}

/** Returns the windows with from ≤ start < until, in order. */
export function windowsBetween(recurrence: Recurrence, { from, until }: { from: Date; until: Date }): Window[] {
  if (until <= from) return []
  // Wall time and UTC-based time differ by at most one clock change; one day covers all of them.
  const wall = (at: Date, days: number) => onWall(new Date(at.getTime() + days * DAY_MS), recurrence.timeZone)
  return ruleOf(recurrence)
    .between(wall(from, -1), wall(until, 1), true)
    .map((at) => placed(recurrence, at))
    .filter(({ start }) => start >= from && start < until)
}

/** Returns the first window that ends after this instant, or undefined if there is none. */
export function windowAfter(recurrence: Recurrence, at: Date): Window | undefined {
  const rule = ruleOf(recurrence)
  const length = recurrence.end.getTime() - recurrence.start.getTime()
  const after = onWall(new Date(at.getTime() - length - DAY_MS), recurrence.timeZone)
  return orNothing(() => {
    for (let wall = rule.next(after, true); wall; wall = rule.next(wall, false)) {
      const window = placed(recurrence, wall)
      if (window.end.getUTCFullYear() > LAST_YEAR) return undefined
      if (window.end > at) return window
    }
    return undefined
  })
}

/** Returns up to `count` windows that end after this instant, in order. */
export function nextWindows(recurrence: Recurrence, { after, count }: { after: Date; count: number }): Window[] {
  const windows: Window[] = []
  for (let at = after; windows.length < count; ) {
    const window = windowAfter(recurrence, at)
    if (!window) break
    windows.push(window)
    at = window.end
  }
  return windows
}

/** Returns up to `count` windows found within MOST_STEPS. */
function firstWindows(recurrence: Recurrence, count: number): Window[] {
  const windows: Window[] = []
  const rule = ruleOf(recurrence)
  orNothing(() =>
    rule.all((at, index) => {
      if (index < count) windows.push(placed(recurrence, at))
      return index < count
    }),
  )
  return windows
}

/**
 * Returns the result of a rule, or undefined if it takes too many steps or runs past the end of the calendar. The
 * library throws plain Errors for both.
 */
function orNothing<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    if (error instanceof Error && error.message.startsWith('Maximum iterations')) return undefined
    throw error
  }
}

/** Returns the rule in wall time, expressed as UTC because UTC has no clock changes. */
function ruleOf({ rrule, timeZone, start }: Recurrence): RRuleTemporal {
  const rule = readParts(rrule)
    .map(([name, value]) => `${name}=${name === 'UNTIL' ? untilOnWall(value, timeZone) : value}`)
    .join(';')
  const first = compact(onWall(start, timeZone).toPlainDateTime())
  try {
    return new RRuleTemporal({ rruleString: `DTSTART;TZID=UTC:${first}\nRRULE:${rule}`, maxIterations: MOST_STEPS })
  } catch (error) {
    throw new BadRule(`The rule is invalid: ${(error as Error).message}.`, { cause: error })
  }
}

function readParts(rrule: string): [string, string][] {
  const parts = rrule.split(';').map((part): [string, string] => {
    const [name = '', value = '', ...more] = part.toUpperCase().split('=')
    if (!partNames.has(name) || !/^[\w,+-]+$/.test(value) || more.length > 0) {
      throw new BadRule(`"${part.slice(0, 60)}" is not supported in rules. Use ${[...partNames].join(', ')}.`)
    }
    checkNumbers(name, value)
    return [name, value]
  })
  const frequency = parts.find(([name]) => name === 'FREQ')?.[1]
  if (!frequency || !frequencies.has(frequency)) {
    throw new BadRule(`A rule requires FREQ=${[...frequencies].join(', ')}.`)
  }
  if (new Set(parts.map(([name]) => name)).size < parts.length)
    throw new BadRule('Each part may occur only once in a rule.')
  if (parts.some(([name]) => name === 'COUNT') && parts.some(([name]) => name === 'UNTIL'))
    throw new BadRule('A rule may have COUNT or UNTIL, but not both. Remove one of them.')
  return parts
}

/** Refuses bad numbers: the library ignores a COUNT that is not a number, and an INTERVAL that is not one breaks it. */
function checkNumbers(name: string, value: string): void {
  const range = numberRanges[name]
  if (!range) return
  const { from, to } = range
  const numbers = name.startsWith('BY') ? value.split(',') : [value]
  const isRight = (text: string) =>
    /^[+-]?\d{1,4}$/.test(text) && Number(text) !== 0 && Number(text) >= from && Number(text) <= to
  if (!numbers.every(isRight)) {
    throw new BadRule(`${name} takes whole numbers from ${from} to ${to}${from < 0 ? ', but not 0' : ''}.`)
  }
}

/** Converts UNTIL, which may be an instant, a day or a local time. */
function untilOnWall(value: string, timeZone: string): string {
  const [, date = '', time = '235959', utc = ''] = /^(\d{8})(?:T(\d{6})(Z)?)?$/.exec(value) ?? []
  if (date === '') throw new BadRule('UNTIL must be a day such as 20271231 or an instant such as 20271231T230000Z.')
  if (utc === '') return `${date}T${time}Z`
  return `${compact(onWall(new Date(readCompact(date, time)), timeZone).toPlainDateTime())}Z`
}

function readCompact(date: string, time: string): number {
  const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`
  const at = Date.parse(iso)
  if (Number.isNaN(at)) throw new BadRule(`UNTIL=${date}T${time}Z is not a valid instant.`)
  return at
}

function onWall(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toZonedDateTime('UTC')
}

/**
 * Converts a window from wall time to instants. A skipped time of day moves later by the skipped duration; of a
 * repeated one the first occurrence counts.
 */
function placed({ timeZone, start, end }: Recurrence, wall: { epochMilliseconds: number }): Window {
  const length = onWall(start, timeZone).until(onWall(end, timeZone))
  const beginning = Temporal.Instant.fromEpochMilliseconds(wall.epochMilliseconds)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
    // Rules have whole seconds only.
    .add({ milliseconds: start.getUTCMilliseconds() })
  const from = beginning.toZonedDateTime(timeZone).epochMilliseconds
  const to = beginning.add(length).toZonedDateTime(timeZone).epochMilliseconds
  // If the skipped hour contained the end too, the window gets the duration of the first one.
  return { start: new Date(from), end: new Date(to > from ? to : from + (end.getTime() - start.getTime())) }
}

/** Formats 2026-11-20T22:00 as 20261120T220000. */
function compact(wall: Temporal.PlainDateTime): string {
  return wall.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')
}
