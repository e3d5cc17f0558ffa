import type { SampledComponent } from '@benchwatch/contract/ingest'
import type { ComponentSketch, Metric } from '../equipment/component-sketch.ts'
import { componentsOf } from '../equipment/components.ts'
import { traitsByType } from '../equipment/traits.ts'
import { serviceCalendar } from '../fleet/service-calendar.ts'
import { seededRandom } from '../seeded-random.ts'
import type { Posting } from './postings.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** Progress of an instrument in its week: weeks start at its own hour, `workedMs` is its run time in this one. */
export interface WeekSoFar {
  number: number
  startsAt: number
  workedMs: number
}

/**
 * Returns the usage of an instrument's components at a time, derived from posting and week alone.
 *
 * Past weeks count as ordinary weeks of the type, each a little longer or shorter, because simulating a year of weeks
 * for one sample would take a second. Within the current week the value follows the machine's actual work. A value
 * therefore never falls unless the part is replaced.
 */
export function usageAt(posting: Posting, at: number, week: WeekSoFar): SampledComponent[] {
  const { type } = posting.instrument
  const counter = new WorkCounter(posting, week)
  return componentsOf(type).map((sketch) => {
    const part = partIn(posting, sketch, at)
    return {
      componentName: sketch.component,
      usage: sketch.metrics.map((metric) => ({
        metric: metric.metric,
        unit: metric.unit,
        value: valueOf(metric, { part, at, weeks: counter.weeksSince(part.since) }),
        thresholdRule: metric.rule,
        thresholdValues: [...metric.thresholds],
      })),
      info: [
        { metric: 'Serial number', unit: null, value: part.serialNumber },
        { metric: 'Article number', unit: null, value: sketch.article },
      ],
      details: [
        ...(part.firmware === null ? [] : [{ metric: 'Firmware', unit: null, value: part.firmware }]),
        { metric: 'Installed on', unit: null, value: new Date(part.since).toISOString().slice(0, 10) },
      ],
    }
  })
}

interface Part {
  since: number
  serialNumber: string
  firmware: string | null
  /** Some parts wear faster than others. */
  wear: number
}

/** Returns the part installed at a time. */
function partIn({ installedProductId }: Posting, sketch: ComponentSketch, at: number): Part {
  const first = seededRandom(`part/${installedProductId}/${sketch.component}`)
  const turn = first.next()
  const calendar = serviceCalendar(installedProductId)
  const { since: replacedAt, number } =
    'days' in sketch.replaced ? byDays(sketch.replaced.days) : byServices(sketch.replaced.services)
  // The first part came with the instrument.
  const since = Math.max(replacedAt, calendar.installedAt)
  const own = first.fork(String(number))
  return {
    since,
    serialNumber: `${own.integer(1, 9)}${String(own.integer(0, 9_999_999)).padStart(7, '0')}`,
    firmware: sketch.hasFirmware ? `${own.integer(1, 4)}.${own.integer(0, 9)}.${own.integer(0, 30)}` : null,
    wear: own.between(0.55, 1.15),
  }

  function byDays(days: number) {
    const start = Math.floor(turn * days) * DAY + 9 * HOUR
    const count = Math.floor((at - start) / (days * DAY))
    return { since: start + count * days * DAY, number: count }
  }
  function byServices(services: number) {
    const last = calendar.numberAt(at)
    const turnOf = Math.floor(turn * services)
    const service = last - ((((last - turnOf) % services) + services) % services)
    return { since: calendar.instantOf(service), number: Math.floor((service - turnOf) / services) }
  }
}

/** Units of measured values; all other values are counts. */
const measuredUnits: ReadonlySet<string | null> = new Set(['h', 'l', 'm³'])

function valueOf(
  { moves, unit }: Metric,
  { part, at, weeks }: { part: Part; at: number; weeks: number },
): number | null {
  if (moves === null) return null
  if ('from' in moves) return moves.from - Math.floor((at - part.since) / DAY)
  const value = (moves.to * part.wear * weeks) / moves.weeks
  return measuredUnits.has(unit) ? Math.floor(value * 10) / 10 : Math.floor(value)
}

/** Counts work in ordinary weeks of the type. */
class WorkCounter {
  readonly #posting: Posting
  readonly #week: WeekSoFar
  readonly #now: number

  constructor(posting: Posting, week: WeekSoFar) {
    this.#posting = posting
    this.#week = week
    const { weeklyHours } = traitsByType[posting.instrument.type]
    const [start, end] = [this.#atWeek(week.number), this.#atWeek(week.number + 1)]
    this.#now = Math.min(end, start + week.workedMs / (weeklyHours * HOUR))
  }

  /** Returns the work between a time and now. */
  weeksSince(at: number): number {
    const passed = (at - this.#week.startsAt) / WEEK
    const number = this.#week.number + Math.floor(passed)
    const [start, end] = [this.#atWeek(number), this.#atWeek(number + 1)]
    return Math.max(0, this.#now - (start + (end - start) * (passed - Math.floor(passed))))
  }

  /** Returns the work from 1970 to the start of a week. Each week is 0.7 to 1.3 ordinary weeks. */
  #atWeek(number: number): number {
    return number + 0.3 * seededRandom(`work/${this.#posting.installedProductId}/${number}`).next()
  }
}
