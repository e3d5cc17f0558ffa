import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import { seededRandom } from '../seeded-random.ts'
import { aktaScript } from './akta-script.ts'
import type { Emission } from './emission.ts'
import type { Script } from './faulty-phase.ts'
import { ordinaryPace, type Pace } from './pace.ts'
import type { Posting } from './postings.ts'
import { Rig } from './rig.ts'
import { waveScript } from './wave-script.ts'
import { zoneOffset } from './working-hours.ts'

const WEEK = 7 * 86_400_000

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
  private readonly seed: string
  private readonly rig: Rig
  private readonly weekStart: number
  private script: Script<never>
  private scriptAt: number
  private weekEnd: number

  /** The machine at `at`: it has lived through the week so far; what it reported then is not told again. */
  constructor(posting: Posting, { seed, at }: { seed: string; at: number }) {
    this.posting = posting
    this.seed = `${seed}/${posting.installedProductId}`
    const traits = seededRandom(this.seed)
    this.rig = new Rig(posting, { random: traits, pace: ordinaryPace })
    this.weekStart = Math.floor(traits.next() * WEEK)
    const week = Math.floor((at - this.weekStart) / WEEK)
    this.scriptAt = week * WEEK + this.weekStart
    this.weekEnd = this.scriptAt + WEEK
    this.nextAt = this.scriptAt
    this.script = this.switchOn(week)
    while (this.nextAt < at) this.advance()
  }

  get status(): InstrumentStatus {
    return this.rig.status
  }

  /** Alarms that have been raised and not cleared. */
  get openAlertIds(): string[] {
    return this.rig.openAlertIds()
  }

  /** Goes to `nextAt`, does what is due then, and answers what the instrument reports. */
  advance(): Emission[] {
    this.rig.now = this.nextAt
    if (this.nextAt >= this.weekEnd) {
      this.script = this.switchOn(Math.round((this.weekEnd - this.weekStart) / WEEK))
      this.scriptAt = this.weekEnd
      this.weekEnd += WEEK
    }
    this.rig.runPending()
    if (this.scriptAt <= this.nextAt) this.scriptAt += this.script.next().value * 60_000 * this.rig.pace.time
    this.setNext()
    return this.rig.take()
  }

  /** Leaves the weeks and goes on from here at another pace: what goes on now lasts as much shorter or longer. */
  changePace(pace: Pace, now: number): void {
    const ratio = pace.time / this.rig.pace.time
    this.rig.pace = pace
    this.rig.random = seededRandom(`${this.seed}/${now}`)
    this.weekEnd = Number.POSITIVE_INFINITY
    // Scripts look at the pace at each step: the first one comes soon.
    const longest = this.rig.random.next() * LONGEST_WAIT * pace.time
    const move = (at: number) => now + Math.max(0, at - now) * ratio
    this.scriptAt = Math.min(move(this.scriptAt), now + longest)
    this.rig.reschedule(move)
    this.setNext()
  }

  /** Moves all that is to come, as after the computer has slept: nothing is made up for the time in between. */
  postpone(milliseconds: number): void {
    this.scriptAt += milliseconds
    this.rig.reschedule((at) => at + milliseconds)
    this.setNext()
  }

  private setNext(): void {
    this.nextAt = Math.min(this.scriptAt, this.rig.nextPendingAt(), this.weekEnd)
  }

  private switchOn(week: number): Script<never> {
    this.rig.switchOff()
    this.rig.random = seededRandom(`${this.seed}/${week}`)
    this.rig.zoneOffset = zoneOffset(this.posting.timeZone, week * WEEK + this.weekStart)
    return this.posting.instrument.type === 'Wave25' ? waveScript(this.rig) : aktaScript(this.rig)
  }
}

/** Twenty minutes of the simulated world. */
const LONGEST_WAIT = 20 * 60_000
