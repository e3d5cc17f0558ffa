import { seededRandom } from '../seeded-random.ts'
import { type Computers, computersAt } from './computers.ts'
import type { Emission } from './emission.ts'
import type { ReportedLogs } from './log-book.ts'
import { Machine } from './machine.ts'
import type { Pace } from './pace.ts'
import type { Posting } from './postings.ts'
import { usageAt } from './usage.ts'
import { dayAt, midnight } from './working-hours.ts'

/** Run time of the current day: milliseconds of work since midnight. */
export interface CurrentDay {
  /** YYYY-MM-DD in the site's time zone. */
  day: string
  workedMs: number
}

export interface ReporterOptions {
  seed: string
  at: number
  /** Returns the milliseconds between two samples of the components' usage at a time. */
  usageEvery(at: number): number
  /** Milliseconds between reports of the current day's run time; if absent, a day is reported after its end. */
  runTimeEvery?: number
  /** Time at which its gateway loses it for good. */
  lostAt?: number | undefined
  /** Run time counted by an earlier run of the program. */
  currentDay?: CurrentDay
}

/** A day that has ended, and the time its run time is reported. */
interface EndedDay {
  at: number
  emission: Emission
}

/**
 * All reports of one instrument: those of its machine and the scheduled ones, which are the run time of each day, the
 * usage of its components, and its computers after a change.
 *
 * Each instrument has its own minute, so that a fleet does not report everything at once.
 */
export class Reporter {
  readonly posting: Posting
  readonly machine: Machine
  /** Time of the next report, in milliseconds since the epoch. */
  nextAt: number
  readonly #options: ReporterOptions
  /** Position of this instrument in an interval: 0 ≤ x < 1. */
  readonly #turn: number
  #day: string
  #midnight: number
  #workedBefore: number
  #ended: EndedDay | null
  #usageAt: number
  #runTimeAt: number
  #computers: Computers
  #isLost = false

  /** Creates the instrument at `at`. Earlier reports are not repeated. */
  constructor(posting: Posting, options: ReporterOptions) {
    const { seed, at, usageEvery, currentDay } = options
    this.posting = posting
    this.#options = options
    this.#turn = seededRandom(`turn/${posting.installedProductId}`).next()
    this.#day = dayAt(posting.timeZone, at)
    this.#midnight = midnight(posting.timeZone, at, 'ends')
    // Starts at the beginning of the day, so that its run time is complete.
    const from = midnight(posting.timeZone, at, 'begins')
    this.machine = new Machine(posting, { seed, at: from })
    this.#workedBefore = this.machine.workedMs(from)
    while (this.machine.nextAt < at) this.machine.advance('logs of alarms')
    if (currentDay?.day === this.#day) this.#workedBefore = this.machine.workedMs(at) - currentDay.workedMs
    this.#usageAt = this.#nextTurn(at, usageEvery(at))
    this.#runTimeAt = this.#nextTurn(at, options.runTimeEvery ?? Number.POSITIVE_INFINITY)
    this.#ended = this.#dayBefore(at, from)
    this.#computers = computersAt(posting, at)
    this.nextAt = this.#firstDue()
  }

  /** Returns the day before `from` if its run time is still to be reported at `at`. */
  #dayBefore(at: number, from: number): EndedDay | null {
    const { posting } = this
    const options = this.#options
    const tellAt = from + this.#lateness()
    if (options.currentDay && options.currentDay.day < this.#day)
      return { at: Math.max(at, tellAt), emission: runTime(options.currentDay) }
    if (options.currentDay || at >= tellAt) return null
    const began = midnight(posting.timeZone, from - 1, 'begins')
    const machine = new Machine(posting, { seed: options.seed, at: began })
    const before = machine.workedMs(began)
    while (machine.nextAt < from) machine.advance('logs of alarms')
    const workedMs = machine.workedMs(from) - before
    return { at: tellAt, emission: runTime({ day: dayAt(posting.timeZone, began), workedMs }) }
  }

  /** Milliseconds after the end of a day at which its run time is reported, because gateways wait for late lines. */
  #lateness(): number {
    return Math.floor((2 + 25 * this.#turn) * 60_000)
  }

  /** Advances to `nextAt` and returns the instrument's reports. */
  advance(logs: ReportedLogs = 'all logs'): readonly Emission[] {
    const emissions = this.#tell(this.nextAt, logs)
    this.nextAt = this.#firstDue()
    return emissions
  }

  #firstDue(): number {
    if (this.#isLost) return Number.POSITIVE_INFINITY
    const lostAt = this.#options.lostAt ?? Number.POSITIVE_INFINITY
    const ended = this.#ended?.at ?? Number.POSITIVE_INFINITY
    return Math.min(this.machine.nextAt, this.#midnight, ended, this.#usageAt, this.#runTimeAt, lostAt)
  }

  #tell(at: number, logs: ReportedLogs): readonly Emission[] {
    if (at === this.#options.lostAt) {
      this.#isLost = true
      return [{ type: 'benchwatch.status.changed', data: { instrumentStatus: 'disconnected' } }]
    }
    if (at === this.machine.nextAt) return this.machine.advance(logs)
    if (at === this.#midnight) return this.#turnDay()
    if (at === this.#ended?.at) {
      const { emission } = this.#ended
      this.#ended = null
      return [emission]
    }
    if (at === this.#usageAt) {
      this.#usageAt = this.#nextTurn(at, this.#options.usageEvery(at))
      return [this.#usage(at)]
    }
    this.#runTimeAt = this.#nextTurn(at, this.#options.runTimeEvery ?? Number.POSITIVE_INFINITY)
    return [this.runTimeSoFar(at)]
  }

  /** Returns the current computers. */
  clients(): Emission {
    return { type: 'benchwatch.clients.changed', data: this.#computers }
  }

  /** Returns the run time of the current day so far. */
  runTimeSoFar(at: number): Emission {
    return runTime(this.currentDay(at))
  }

  currentDay(at: number): CurrentDay {
    return { day: this.#day, workedMs: this.machine.workedMs(at) - this.#workedBefore }
  }

  changePace(pace: Pace, now: number): void {
    this.machine.changePace(pace, now)
    this.nextAt = this.#firstDue()
  }

  /**
   * Resumes at `at` after the computer was suspended. Planned steps are postponed and the gap is not filled. For a day
   * that ended in the meantime, the run time counted so far is reported.
   */
  wake(at: number): Emission[] {
    this.machine.postpone(Math.max(0, at - this.machine.nextAt))
    this.#usageAt = this.#nextTurn(at, this.#options.usageEvery(at))
    this.#runTimeAt = this.#nextTurn(at, this.#options.runTimeEvery ?? Number.POSITIVE_INFINITY)
    const reports: Emission[] = []
    if (at >= this.#midnight) {
      reports.push(...(this.#ended ? [this.#ended.emission] : []), runTime(this.currentDay(at)))
      this.#ended = null
      this.#beginDay(at)
    }
    this.nextAt = this.#firstDue()
    return reports
  }

  #beginDay(at: number): void {
    this.#day = dayAt(this.posting.timeZone, at)
    this.#midnight = midnight(this.posting.timeZone, at, 'ends')
    this.#workedBefore = this.machine.workedMs(at)
  }

  #turnDay(): Emission[] {
    const at = this.#midnight
    const ended = this.#ended
    this.#ended = { at: at + this.#lateness(), emission: runTime(this.currentDay(at)) }
    this.#beginDay(at)
    const computers = computersAt(this.posting, at)
    const hasChanged = computers !== this.#computers
    this.#computers = computers
    return [...(ended ? [ended.emission] : []), ...(hasChanged ? [this.clients()] : [])]
  }

  #usage(at: number): Emission {
    const components = usageAt(this.posting, at, this.machine.weekSoFar(at))
    return { type: 'benchwatch.usage.sampled', data: { components } }
  }

  /** Returns the instrument's next time slot in an interval that is the same for all instruments. */
  #nextTurn(at: number, every: number): number {
    if (every === Number.POSITIVE_INFINITY) return every
    // Whole milliseconds: rounding must not return the same slot again.
    const own = Math.floor(this.#turn * every)
    return Math.floor((at - own) / every + 1) * every + own
  }
}

function runTime({ day, workedMs }: CurrentDay): Emission {
  const seconds = Math.min(86_400, Math.max(0, Math.round(workedMs / 1000)))
  return { type: 'benchwatch.runtime.measured', data: { day, seconds } }
}
