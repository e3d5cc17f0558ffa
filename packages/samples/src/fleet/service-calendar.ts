import { seededRandom } from '../seeded-random.ts'

const DAY = 86_400_000
/** The last instruments of the fleet were installed before this day: well before the history of any demo begins. */
const ALL_INSTALLED = Date.parse('2026-06-01T00:00:00.000Z')

/**
 * When an instrument was installed, and is serviced every so many days since, for ever: known from its installed product
 * id alone. So the register's dates and what the simulator tells of worn parts agree, whenever each of them was made.
 */
export interface ServiceCalendar {
  /** When the instrument was installed, on a day on which it would have had a service. */
  installedAt: number
  /** Days between two services as they really come. */
  everyDays: number
  /** Days that were agreed; somewhat fewer, so some instruments are overdue. */
  plannedDays: number
  /** Number of the last service at an instant, counted from 1970. */
  numberAt(at: number): number
  /** Instant of a service, at 11:00 UTC of its day. */
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
