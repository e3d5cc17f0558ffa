import { seededRandom } from '../seeded-random.ts'

const DAY = 86_400_000
/** All instruments were installed before this day, well before the history of any demo begins. */
const ALL_INSTALLED = Date.parse('2026-06-01T00:00:00.000Z')

/**
 * Installation date and service interval of an instrument, derived from its installed product ID alone. The registry's
 * dates and the simulated wear of parts therefore agree, whenever each of them was generated.
 */
export interface ServiceCalendar {
  /** Installation time, on a day that would otherwise have had a service. */
  installedAt: number
  /** Actual days between two services. */
  everyDays: number
  /** Agreed days between two services; somewhat fewer, so some instruments are overdue. */
  plannedDays: number
  /** Returns the number of the latest service at a time, counted from 1970. */
  numberAt(at: number): number
  /** Returns the time of a service, at 11:00 UTC on its day. */
  instantOf(number: number): number
}

export function serviceCalendar(installedProductId: string): ServiceCalendar {
  const random = seededRandom(`service/${installedProductId}`)
  const plannedDays = random.chance(0.35) ? 182 : 365
  const everyDays = plannedDays + random.integer(3, plannedDays === 182 ? 30 : 55)
  const first = random.integer(0, everyDays - 1) * DAY + 11 * 3_600_000
  const numberAt = (at: number) => Math.floor((at - first) / (everyDays * DAY))
  const instantOf = (number: number) => first + number * everyDays * DAY
  const years = random.fork('installed').between(0, 8)
  return {
    everyDays,
    plannedDays,
    numberAt,
    instantOf,
    installedAt: instantOf(numberAt(ALL_INSTALLED) - Math.floor((years * 365) / everyDays)),
  }
}
