import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { Traits } from '../equipment/traits.ts'
import { seededRandom } from '../seeded-random.ts'
import { controlSystemScript } from './control-system-script.ts'
import type { Emission } from './emission.ts'
import type { Script } from './faulty-phase.ts'
import type { ToldLogs } from './log-book.ts'
import { ordinaryPace, type Pace } from './pace.ts'
import type { Posting } from './postings.ts'
import { type OpenAlarm, Rig } from './rig.ts'
import { unicornScript } from './unicorn-script.ts'
import type { WeekSoFar } from './usage.ts'
import { waveScript } from './wave-script.ts'
import { zoneOffset } from './working-hours.ts'

const WEEK = 7 * 86_400_000

const scripts: Record<Traits['led'], (rig: Rig) => Script<never>> = {
  UNICORN: unicornScript,
  culture: waveScript,
  recipe: controlSystemScript,
}

/**
 * One instrument's state machine on a virtual clock.
 *
 * Each instrument is switched off and on once a week, at its own hour, and each week is drawn from (seed, installed
 * product id, number of the week) alone. So what an instrument does at an instant never depends on where a simulation
 * began: a history and a live run that starts later agree, and no state has to be kept.
 */
export class Machine {
  readonly posting: Posting
  /** When something happens next, in milliseconds since 1970. */
  nextAt: number
  readonly #fleetSeed: string
  readonly #seed: string
  readonly #rig: Rig
  readonly #weekStart: number
  #script: Script<never>
  #scriptAt: number
  #weekEnd: number
  #workedBeforeWeek = 0

  /** The machine at `at`: it has lived through the week so far; what it reported then is not told again. */
  constructor(posting: Posting, { seed, at }: { seed: string; at: number }) {
    this.posting = posting
    this.#fleetSeed = seed
    this.#seed = `${seed}/${posting.installedProductId}`
    const traits = seededRandom(this.#seed)
    this.#rig = new Rig(posting, { random: traits, pace: ordinaryPace })
    this.#weekStart = Math.floor(traits.next() * WEEK)
    const week = Math.floor((at - this.#weekStart) / WEEK)
    this.#scriptAt = week * WEEK + this.#weekStart
    this.#weekEnd = this.#scriptAt + WEEK
    this.nextAt = this.#scriptAt
    this.#rig.now = this.#scriptAt
    this.#script = this.#switchOn(week)
    while (this.nextAt < at) this.advance('logs of alarms')
  }

  get status(): InstrumentStatus {
    return this.#rig.status
  }

  /** Alarms that have been raised and not cleared. */
  get openAlarms(): readonly OpenAlarm[] {
    return this.#rig.openAlarms()
  }

  /** Drops open alarms of which nobody has to be told, as those that were cleared at another pace. */
  forgetAlarms(isForgotten: (alarm: OpenAlarm) => boolean): void {
    this.#rig.forgetAlarms(isForgotten)
  }

  /** Run time since this machine was made and some time before, in milliseconds; the difference of two is what counts. */
  workedMs(at: number): number {
    return this.#rig.meter.total(at)
  }

  /** Its week at an instant, which is the machine's own unless that has left the weeks for another pace. */
  weekSoFar(at: number): WeekSoFar {
    if (this.#weekEnd === Number.POSITIVE_INFINITY)
      return new Machine(this.posting, { seed: this.#fleetSeed, at }).weekSoFar(at)
    const startsAt = this.#weekEnd - WEEK
    const number = Math.round((startsAt - this.#weekStart) / WEEK)
    return { number, startsAt, workedMs: this.workedMs(at) - this.#workedBeforeWeek }
  }

  /** Goes to `nextAt`, does what is due then, and answers what the instrument reports. */
  advance(logs: ToldLogs = 'all logs'): readonly Emission[] {
    this.#rig.tellLogs(logs)
    this.#rig.now = this.nextAt
    if (this.nextAt >= this.#weekEnd) {
      this.#script = this.#switchOn(Math.round((this.#weekEnd - this.#weekStart) / WEEK))
      this.#scriptAt = this.#weekEnd
      this.#weekEnd += WEEK
    }
    this.#rig.runPending()
    if (this.#scriptAt <= this.nextAt) this.#scriptAt += this.#script.next().value * 60_000 * this.#rig.pace.time
    this.#setNext()
    return this.#rig.take()
  }

  /** Leaves the weeks and goes on from here at another pace: what goes on now lasts as much shorter or longer. */
  changePace(pace: Pace, now: number): void {
    const ratio = pace.time / this.#rig.pace.time
    this.#rig.pace = pace
    this.#rig.random = seededRandom(`${this.#seed}/${now}`)
    this.#weekEnd = Number.POSITIVE_INFINITY
    // Scripts look at the pace at each step: the first one comes soon.
    const longest = this.#rig.random.next() * LONGEST_WAIT * pace.time
    const move = (at: number) => now + Math.max(0, at - now) * ratio
    this.#scriptAt = Math.min(move(this.#scriptAt), now + longest)
    this.#rig.reschedule(move)
    this.#setNext()
  }

  /** Moves all that is to come, as after the computer has slept: nothing is made up for the time in between. */
  postpone(milliseconds: number): void {
    this.#scriptAt += milliseconds
    this.#rig.meter.skip(milliseconds)
    this.#rig.reschedule((at) => at + milliseconds)
    this.#setNext()
  }

  #setNext(): void {
    this.nextAt = Math.min(this.#scriptAt, this.#rig.nextPendingAt(), this.#weekEnd)
  }

  #switchOn(week: number): Script<never> {
    this.#workedBeforeWeek = this.#rig.meter.total(this.#rig.now)
    this.#rig.switchOff()
    this.#rig.random = seededRandom(`${this.#seed}/${week}`)
    this.#rig.zoneOffset = zoneOffset(this.posting.timeZone, week * WEEK + this.#weekStart)
    return scripts[this.#rig.traits.led](this.#rig)
  }
}

/** Twenty minutes of the simulated world. */
const LONGEST_WAIT = 20 * 60_000
