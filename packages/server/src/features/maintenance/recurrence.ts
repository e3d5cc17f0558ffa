import { RRuleTemporal } from 'rrule-temporal'

/**
 * Windows that recur, by a rule of RFC 5545 on the clock of a zone. Rules are counted in wall time and each window is put
 * on the time line afterwards: one whose time of day a change of clocks skips comes an hour later and is not left out, as
 * the RFC has it, because a night without its maintenance would be found out by the alarms of that night.
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

/** Why a rule can't be used, as a sentence for whoever wrote it. */
export class BadRule extends Error {}

const frequencies = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
const partNames = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST'])
/** What the parts with numbers may name; those of days and months count from the end where they are negative. */
const numberRanges: Record<string, { from: number; to: number }> = {
  INTERVAL: { from: 1, to: 999 },
  COUNT: { from: 1, to: 9999 },
  BYMONTH: { from: 1, to: 12 },
  BYMONTHDAY: { from: -31, to: 31 },
  BYSETPOS: { from: -366, to: 366 },
}
/** No instant of the product lies later; years of five digits would be told with a sign, which no reader expects. */
const LAST_YEAR = 9998
/** A rule that finds nothing within so many steps finds nothing at all, such as every 30th of February. */
const MOST_STEPS = 10_000
/** A window must end before the next one begins; looked at in so many, which covers a year of the monthly ones. */
const COMPARED_WINDOWS = 60
const DAY_MS = 86_400_000

/** Throws BadRule for a rule that is none, that is finer than days, whose first window is not the one given, or whose windows overlap. */
export function checkRecurrence(recurrence: Recurrence): void {
  const some = firstWindows(recurrence, COMPARED_WINDOWS)
  if (some[0]?.start.getTime() !== recurrence.start.getTime()) {
    throw new BadRule('The first window does not fall on the rule. Let it start on a day that the rule names.')
  }
  for (const [index, window] of some.entries()) {
    const next = some[index + 1]
    if (next && next.start < window.end) {
      throw new BadRule('A window would still be on as the next one begins. Shorten it, or let it recur less often.')
    }
  }
}

/** Windows that begin from ≤ start < until, in order. */
export function windowsBetween(recurrence: Recurrence, { from, until }: { from: Date; until: Date }): Window[] {
  if (until <= from) return []
  // Wall time and time line differ by the change of a clock at most; a day covers every one.
  const wall = (at: Date, days: number) => onWall(new Date(at.getTime() + days * DAY_MS), recurrence.timeZone)
  return ruleOf(recurrence)
    .between(wall(from, -1), wall(until, 1), true)
    .map((at) => placed(recurrence, at))
    .filter(({ start }) => start >= from && start < until)
}

/** The first window that ends after this instant; undefined where none does. */
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

/** The first `count` windows that end after this instant, in order; fewer where there are no more. */
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

/** As many as there are within MOST_STEPS. */
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
 * What a rule finds; undefined where it takes too many steps, which the library tells by an error of no class of its own, or
 * where they lead past the end of the calendar.
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

/** The rule in wall time, which is told as UTC because that has no changes. */
function ruleOf({ rrule, timeZone, start }: Recurrence): RRuleTemporal {
  const rule = readParts(rrule)
    .map(([name, value]) => `${name}=${name === 'UNTIL' ? untilOnWall(value, timeZone) : value}`)
    .join(';')
  const first = compact(onWall(start, timeZone).toPlainDateTime())
  try {
    return new RRuleTemporal({ rruleString: `DTSTART;TZID=UTC:${first}\nRRULE:${rule}`, maxIterations: MOST_STEPS })
  } catch (error) {
    throw new BadRule(`The rule can't be read: ${(error as Error).message}.`, { cause: error })
  }
}

function readParts(rrule: string): [string, string][] {
  const parts = rrule.split(';').map((part): [string, string] => {
    const [name = '', value = '', ...more] = part.toUpperCase().split('=')
    if (!partNames.has(name) || !/^[\w,+-]+$/.test(value) || more.length > 0) {
      throw new BadRule(`"${part.slice(0, 60)}" can't stand in a rule here. Use ${[...partNames].join(', ')}.`)
    }
    checkNumbers(name, value)
    return [name, value]
  })
  const frequency = parts.find(([name]) => name === 'FREQ')?.[1]
  if (!frequency || !frequencies.has(frequency)) {
    throw new BadRule(`A rule needs FREQ=${[...frequencies].join(', ')}.`)
  }
  if (new Set(parts.map(([name]) => name)).size < parts.length)
    throw new BadRule('A rule names each of its parts once.')
  if (parts.some(([name]) => name === 'COUNT') && parts.some(([name]) => name === 'UNTIL'))
    throw new BadRule('A rule ends by COUNT or by UNTIL. Leave one of them out.')
  return parts
}

/** The library takes a COUNT that is no number for none, and loses its way with such an INTERVAL. */
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

/** An end is an instant, a day, or a time by the clock of the zone. */
function untilOnWall(value: string, timeZone: string): string {
  const [, date = '', time = '235959', utc = ''] = /^(\d{8})(?:T(\d{6})(Z)?)?$/.exec(value) ?? []
  if (date === '') throw new BadRule('UNTIL is a day such as 20271231 or an instant such as 20271231T230000Z.')
  if (utc === '') return `${date}T${time}Z`
  return `${compact(onWall(new Date(readCompact(date, time)), timeZone).toPlainDateTime())}Z`
}

function readCompact(date: string, time: string): number {
  const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`
  const at = Date.parse(iso)
  if (Number.isNaN(at)) throw new BadRule(`UNTIL=${date}T${time}Z is no instant.`)
  return at
}

function onWall(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toZonedDateTime('UTC')
}

/** A window on the time line. A time of day that is skipped comes later by what was skipped, a repeated one is the first. */
function placed({ timeZone, start, end }: Recurrence, wall: { epochMilliseconds: number }): Window {
  const length = onWall(start, timeZone).until(onWall(end, timeZone))
  const beginning = Temporal.Instant.fromEpochMilliseconds(wall.epochMilliseconds)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
    // Rules count in whole seconds.
    .add({ milliseconds: start.getUTCMilliseconds() })
  const from = beginning.toZonedDateTime(timeZone).epochMilliseconds
  const to = beginning.add(length).toZonedDateTime(timeZone).epochMilliseconds
  // Its end stood in the hour that was skipped, too: it lasts as long as the first one.
  return { start: new Date(from), end: new Date(to > from ? to : from + (end.getTime() - start.getTime())) }
}

/** 2026-11-20T22:00 as 20261120T220000. */
function compact(wall: Temporal.PlainDateTime): string {
  return wall.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')
}
