import { seededRandom } from '../seeded-random.ts'

const DAY = 86_400_000

/**
 * When an instrument is serviced: every so many days, for ever, known from its installed product id alone. So the
 * register's dates and what the simulator tells of worn parts agree, whenever each of them was made.
 */
export interface ServiceCalendar {
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
  return {
    everyDays,
    plannedDays,
    numberAt: (at) => Math.floor((at - first) / (everyDays * DAY)),
    instantOf: (number) => first + number * everyDays * DAY,
  }
}
