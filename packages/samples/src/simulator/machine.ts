import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { Traits } from '../equipment/traits.ts'
import type { Situation } from '../faults/fault.ts'
import { seededRandom } from '../seeded-random.ts'
import type { Emission } from './emission.ts'
import { type Outcome, phase, type Script } from './faulty-phase.ts'
import { idle, startUp } from './laboratory-day.ts'
import type { ReportedLogs } from './log-book.ts'
import { logAcknowledged, logRunEnded, logRunStarted } from './log-stories.ts'
import { aCulture, aMethod } from './methods.ts'
import { ordinaryPace, type Pace } from './pace.ts'
import type { Posting } from './postings.ts'
import { type OpenAlarm, Rig } from './rig.ts'
import { unicornScript } from './unicorn-script.ts'
import type { WeekSoFar } from './usage.ts'
import { zoneOffset } from './working-hours.ts'

/** A stopped WAVE: in error until its operator resets it; cultures are rarely abandoned. */
function* stoppingWave(rig: Rig, alarm: OpenAlarm): Script<Outcome> {
  if (alarm.fault.severity === 'medium') {
    rig.setStatus('paused')
    yield rig.random.between(3, 20)
    rig.clear(alarm)
    rig.setStatus('running')
    return 'goes on'
  }
  rig.setStatus('alarms and errors')
  yield rig.random.between(3, 45)
  rig.changeOperator()
  logAcknowledged(rig, alarm)
  rig.setStatus('resetting')
  yield rig.random.between(0.5, 2)
  rig.clear(alarm)
  if (rig.random.chance(0.9)) {
    rig.setStatus('running')
    return 'goes on'
  }
  rig.audit(`Culture given up: “${rig.method}”`, { module: 'Recipe', level: 'WARNING', eventCode: 'AT-2205' })
  rig.setStatus('ready')
  rig.method = ''
  return 'ended'
}

/** A stopped recipe: held until its operator has looked, or in error until the system is reset. */
function* stopping(rig: Rig, alarm: OpenAlarm, situation: Situation): Script<Outcome> {
  const isGrave = alarm.fault.severity === 'high'
  rig.setStatus(isGrave ? 'alarms and errors' : 'hold')
  yield rig.random.between(3, isGrave ? 60 : 25)
  rig.changeOperator()
  logAcknowledged(rig, alarm)
  if (!isGrave) {
    rig.clear(alarm)
    rig.setStatus('running')
    return 'goes on'
  }
  rig.setStatus('resetting')
  yield rig.random.between(0.5, 3)
  rig.clear(alarm)
  if (situation === 'run' && rig.random.chance(0.7)) {
    rig.setStatus('running')
    return 'goes on'
  }
  rig.audit(`Recipe ended by user: “${rig.method}”`, { module: 'Recipe', level: 'WARNING', eventCode: 'AT-2305' })
  rig.setStatus('ready')
  rig.method = ''
  return 'ended'
}

const WEEK = 7 * 86_400_000

const scripts: Record<Traits['led'], (rig: Rig) => Script<never>> = {
  UNICORN: unicornScript,
  culture: waveScript,
  recipe: controlSystemScript,
}

/**
 * State machine of one instrument on a virtual clock.
 *
 * Each instrument restarts once a week at its own hour, and each week depends only on (seed, installed product ID,
 * week number). The state at a given time therefore does not depend on the start of the simulation: a history and a
 * live run that starts later agree, and no state has to be stored.
 */
export class Machine {
  readonly posting: Posting
  /** Time of the next step, in milliseconds since the epoch. */
  nextAt: number
  readonly #fleetSeed: string
  readonly #seed: string
  readonly #rig: Rig
  readonly #weekStart: number
  #script: Script<never>
  #scriptAt: number
  #weekEnd: number
  #workedBeforeWeek = 0

  /** Creates the machine at `at`. It replays the week so far without reporting again. */
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

  /** Returns what the instrument reports about its present status. */
  statusReport() {
    return this.#rig.statusReport()
  }

  /** Alarms that were raised and not cleared. */
  get openAlarms(): readonly OpenAlarm[] {
    return this.#rig.openAlarms()
  }

  /** Drops open alarms that need no report, such as those cleared at another pace. */
  forgetAlarms(isForgotten: (alarm: OpenAlarm) => boolean): void {
    this.#rig.forgetAlarms(isForgotten)
  }

  /** Run time in milliseconds since some time before this machine was created; only differences are meaningful. */
  workedMs(at: number): number {
    return this.#rig.meter.total(at)
  }

  /** Returns its week at a time: the machine's own week, unless it has left the weekly cycle for another pace. */
  weekSoFar(at: number): WeekSoFar {
    if (this.#weekEnd === Number.POSITIVE_INFINITY)
      return new Machine(this.posting, { seed: this.#fleetSeed, at }).weekSoFar(at)
    const startsAt = this.#weekEnd - WEEK
    const number = Math.round((startsAt - this.#weekStart) / WEEK)
    return { number, startsAt, workedMs: this.workedMs(at) - this.#workedBeforeWeek }
  }

  /** Advances to `nextAt`, performs the due steps and returns the instrument's reports. */
  advance(logs: ReportedLogs = 'all logs'): readonly Emission[] {
    this.#rig.keepLogs(logs)
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

  /** Leaves the weekly cycle and continues at another pace, which scales current activities as well. */
  changePace(pace: Pace, now: number): void {
    const ratio = pace.time / this.#rig.pace.time
    this.#rig.pace = pace
    this.#rig.random = seededRandom(`${this.#seed}/${now}`)
    this.#weekEnd = Number.POSITIVE_INFINITY
    // Scripts read the pace at each step, so the first step comes soon.
    const longest = this.#rig.random.next() * LONGEST_WAIT * pace.time
    const move = (at: number) => now + Math.max(0, at - now) * ratio
    this.#scriptAt = Math.min(move(this.#scriptAt), now + longest)
    this.#rig.reschedule(move)
    this.#setNext()
  }

  /** Postpones everything planned, as after the computer was suspended. The gap is not filled. */
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

/** Twenty simulated minutes. */
const LONGEST_WAIT = 20 * 60_000

/** Script of a BioProcess IC, which runs recipes on the tanks and transfer lines of a suite. */
function* controlSystemScript(rig: Rig): Script<never> {
  yield* startUp(rig)
  for (;;) {
    yield* idle(rig, { minutes: rig.random.between(20, 300), stopping })
    rig.changeOperator()
    yield* recipe(rig)
  }
}

function* recipe(rig: Rig): Script {
  const { name, hours, blocks } = aMethod(rig.traits.methods, rig.random)
  rig.method = name
  rig.setStatus('running')
  logRunStarted(rig, { message: `Recipe started: “${name}”`, module: 'Recipe', code: 'AT-2301' })
  const minutes = rig.random.between(...hours) * 60
  const total = blocks.reduce((sum, { share }) => sum + share, 0)
  for (const block of blocks) {
    rig.audit(`Step “${block.name}” of “${name}”. ${rig.traits.readings(rig.random)}`, {
      module: 'Recipe',
      eventCode: 'AT-2310',
      userName: null,
    })
    const outcome = yield* phase(rig, { minutes: (minutes * block.share) / total, situation: 'run', stopping })
    if (outcome === 'ended') return
    yield* perhapsPause(rig)
  }
  logRunEnded(rig, { message: `Recipe completed: “${name}”`, module: 'Recipe', code: 'AT-2304' })
  rig.setStatus('ready')
  rig.method = ''
}

function* perhapsPause(rig: Rig): Script {
  if (!rig.random.chance(0.12)) return
  rig.setStatus('paused')
  rig.audit('Recipe paused', { module: 'Recipe', eventCode: 'AT-2320' })
  yield rig.random.between(3, 40)
  rig.setStatus('running')
  rig.audit('Recipe continued', { module: 'Recipe', eventCode: 'AT-2321' })
}

/** Script of a WAVE 25 from power-on to power-off: cultures over several days, with sampling. */
function* waveScript(rig: Rig): Script<never> {
  yield* startUp(rig)
  for (;;) {
    yield* idle(rig, { minutes: rig.random.between(60, 900), stopping: stoppingWave })
    rig.changeOperator()
    yield* culture(rig)
  }
}

function* culture(rig: Rig): Script {
  rig.method = aCulture(rig.random)
  rig.setStatus('running')
  rig.audit(`Culture started: “${rig.method}”. Set points 37.0 °C, 6.0°, 22/min, 5.0 % CO2`, {
    module: 'Recipe',
    eventCode: 'AT-2201',
  })
  const samplings = rig.random.integer(8, 40)
  for (let sampling = 1; sampling <= samplings; sampling++) {
    const minutes = rig.random.between(140, 420)
    const outcome = yield* phase(rig, { minutes, situation: 'run', stopping: stoppingWave })
    if (outcome === 'ended') return
    rig.vid(rig.traits.readings(rig.random), { module: 'CBCU-25', eventCode: 'VID-210' })
    yield* sample(rig, sampling)
  }
  rig.audit(`Culture harvested: “${rig.method}”`, { module: 'Recipe', eventCode: 'AT-2204' })
  rig.setStatus('ready')
  rig.method = ''
}

/** Pauses the rocker for a sample; every third time it keeps rocking. */
function* sample(rig: Rig, number: number): Script {
  const isPaused = rig.random.chance(0.66)
  if (isPaused) rig.setStatus('paused')
  rig.changeOperator()
  rig.audit(`Sample ${number} taken of “${rig.method}”: viability ${rig.random.between(88, 98.9).toFixed(1)} %`, {
    module: 'Recipe',
    eventCode: 'AT-2210',
  })
  if (!isPaused) return
  yield rig.random.between(4, 18)
  rig.setStatus('running')
}
