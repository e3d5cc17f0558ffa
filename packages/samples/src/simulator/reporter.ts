import { seededRandom } from '../seeded-random.ts'
import { type Computers, computersAt } from './computers.ts'
import type { Emission } from './emission.ts'
import type { ReportedLogs } from './log-book.ts'
import { Machine } from './machine.ts'
import type { Pace } from './pace.ts'
import type { Posting } from './postings.ts'
import { usageAt } from './usage.ts'
import { dayAt, midnight } from './working-hours.ts'

/** Run time of a day that is under way: milliseconds of work since its midnight. */
export interface DayUnderWay {
  /** YYYY-MM-DD in the zone of the site. */
  day: string
  workedMs: number
}

export interface ReporterOptions {
  seed: string
  at: number
  /** Milliseconds between two samples of the components' usage, by instant. */
  usageEvery(at: number): number
  /** Milliseconds between two reports of the run time of the day under way; without, a day is told after it has ended. */
  runTimeEvery?: number
  /** When its gateway reaches it no more, for good. */
  lostAt?: number
  /** Run time that was counted in an earlier life of the program. */
  dayUnderWay?: DayUnderWay
}

/** A day that has ended, and when its run time is told. */
interface EndedDay {
  at: number
  emission: Emission
}

/**
 * Everything that one instrument reports: what its machine does, and beside it what is told on a schedule: run time of
 * each day, usage of its components, and its computers when they have changed.
 *
 * Each instrument keeps its own minute, so that a fleet does not tell everything at once.
 */
export class Reporter {
  readonly posting: Posting
  readonly machine: Machine
  /** When it tells something next, in milliseconds since 1970. */
  nextAt: number
  readonly #options: ReporterOptions
  /** Where in an interval this instrument has its turn: 0 ≤ x < 1. */
  readonly #turn: number
  #day: string
  #midnight: number
  #workedBefore: number
  #ended: EndedDay | null
  #usageAt: number
  #runTimeAt: number
  #computers: Computers
  #isLost = false

  /** The instrument at `at`; what it has told until then is not told again. */
  constructor(posting: Posting, options: ReporterOptions) {
    const { seed, at, usageEvery, dayUnderWay } = options
    this.posting = posting
    this.#options = options
    this.#turn = seededRandom(`turn/${posting.installedProductId}`).next()
    this.#day = dayAt(posting.timeZone, at)
    this.#midnight = midnight(posting.timeZone, at, 'ends')
    // From the beginning of the day, so that its run time is whole.
    const from = midnight(posting.timeZone, at, 'begins')
    this.machine = new Machine(posting, { seed, at: from })
    this.#workedBefore = this.machine.workedMs(from)
    while (this.machine.nextAt < at) this.machine.advance('logs of alarms')
    if (dayUnderWay?.day === this.#day) this.#workedBefore = this.machine.workedMs(at) - dayUnderWay.workedMs
    this.#usageAt = this.#nextTurn(at, usageEvery(at))
    this.#runTimeAt = this.#nextTurn(at, options.runTimeEvery ?? Number.POSITIVE_INFINITY)
    this.#ended = this.#dayBefore(at, from)
    this.#computers = computersAt(posting, at)
    this.nextAt = this.#firstDue()
  }

  /** The day before the one that began at `from`, where its run time is still to be told at `at`. */
  #dayBefore(at: number, from: number): EndedDay | null {
    const { posting } = this
    const options = this.#options
    const tellAt = from + this.#lateness()
    if (options.dayUnderWay && options.dayUnderWay.day < this.#day)
      return { at: Math.max(at, tellAt), emission: runTime(options.dayUnderWay) }
    if (options.dayUnderWay || at >= tellAt) return null
    const began = midnight(posting.timeZone, from - 1, 'begins')
    const machine = new Machine(posting, { seed: options.seed, at: began })
    const before = machine.workedMs(began)
    while (machine.nextAt < from) machine.advance('logs of alarms')
    const workedMs = machine.workedMs(from) - before
    return { at: tellAt, emission: runTime({ day: dayAt(posting.timeZone, began), workedMs }) }
  }

  /** A day's run time is told some minutes after its end, as a gateway does it that first waits for late lines. */
  #lateness(): number {
    return Math.floor((2 + 25 * this.#turn) * 60_000)
  }

  /** Goes to `nextAt` and answers what the instrument reports then. */
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

  /** The computers as they are now. */
  clients(): Emission {
    return { type: 'benchwatch.clients.changed', data: this.#computers }
  }

  /** The run time of the day under way, as it is told before the day has ended. */
  runTimeSoFar(at: number): Emission {
    return runTime(this.dayUnderWay(at))
  }

  dayUnderWay(at: number): DayUnderWay {
    return { day: this.#day, workedMs: this.machine.workedMs(at) - this.#workedBefore }
  }

  changePace(pace: Pace, now: number): void {
    this.machine.changePace(pace, now)
    this.nextAt = this.#firstDue()
  }

  /**
   * The computer has slept until `at`: what was to come is moved, nothing is made up for. Of a day that has ended
   * meanwhile, the run time is told that was seen.
   */
  wake(at: number): Emission[] {
    this.machine.postpone(Math.max(0, at - this.machine.nextAt))
    this.#usageAt = this.#nextTurn(at, this.#options.usageEvery(at))
    this.#runTimeAt = this.#nextTurn(at, this.#options.runTimeEvery ?? Number.POSITIVE_INFINITY)
    const told: Emission[] = []
    if (at >= this.#midnight) {
      told.push(...(this.#ended ? [this.#ended.emission] : []), runTime(this.dayUnderWay(at)))
      this.#ended = null
      this.#beginDay(at)
    }
    this.nextAt = this.#firstDue()
    return told
  }

  #beginDay(at: number): void {
    this.#day = dayAt(this.posting.timeZone, at)
    this.#midnight = midnight(this.posting.timeZone, at, 'ends')
    this.#workedBefore = this.machine.workedMs(at)
  }

  #turnDay(): Emission[] {
    const at = this.#midnight
    const told = this.#ended
    this.#ended = { at: at + this.#lateness(), emission: runTime(this.dayUnderWay(at)) }
    this.#beginDay(at)
    const computers = computersAt(this.posting, at)
    const hasChanged = computers !== this.#computers
    this.#computers = computers
    return [...(told ? [told.emission] : []), ...(hasChanged ? [this.clients()] : [])]
  }

  #usage(at: number): Emission {
    const components = usageAt(this.posting, at, this.machine.weekSoFar(at))
    return { type: 'benchwatch.usage.sampled', data: { components } }
  }

  /** The instrument's next turn after an instant, in an interval that is the same for everybody. */
  #nextTurn(at: number, every: number): number {
    if (every === Number.POSITIVE_INFINITY) return every
    // Whole milliseconds: rounding must not bring the same turn again.
    const own = Math.floor(this.#turn * every)
    return Math.floor((at - own) / every + 1) * every + own
  }
}

function runTime({ day, workedMs }: DayUnderWay): Emission {
  const seconds = Math.min(86_400, Math.max(0, Math.round(workedMs / 1000)))
  return { type: 'benchwatch.runtime.measured', data: { day, seconds } }
}
