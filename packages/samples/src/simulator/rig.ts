import type { InstrumentStatus, LogType } from '@benchwatch/contract/vocabulary'
import { componentsOf } from '../equipment/components.ts'
import type { InstrumentType } from '../equipment/instrument-type.ts'
import { type Traits, traitsByType } from '../equipment/traits.ts'
import { type Fault, moduleOf, templateIdOf } from '../faults/fault.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { type Computers, computersAt } from './computers.ts'
import type { Emission, LogLine } from './emission.ts'
import { LogBook, type ReportedLogs } from './log-book.ts'
import type { Pace } from './pace.ts'
import type { Posting } from './postings.ts'

type Transitions = Partial<Record<InstrumentStatus, readonly InstrumentStatus[]>>

/** Allowed status changes by controller. Any status may also change to switched off and on. */
const tables: Record<Traits['led'], Transitions> = {
  UNICORN: {
    'initializing system': ['ready'],
    ready: ['starting method run', 'starting manual run', 'wash', 'disconnected', 'alarms and errors'],
    'starting method run': ['method run', 'system pause', 'alarms and errors', 'hold'],
    'starting manual run': ['manual run'],
    'method run': ['hold', 'manual pause', 'pause hold', 'system pause', 'alarms and errors', 'wash', 'ready'],
    'manual run': ['ready', 'wash'],
    hold: ['method run', 'hold pause', 'starting method run', 'wash'],
    'hold pause': ['method run'],
    'manual pause': ['method run'],
    'pause hold': ['method run'],
    'system pause': ['method run', 'starting method run', 'wash', 'resetting'],
    'alarms and errors': ['resetting'],
    resetting: ['ready'],
    wash: ['ready', 'system pause', 'alarms and errors', 'hold'],
    disconnected: ['initializing'],
    initializing: ['ready'],
  },
  culture: {
    'initializing system': ['ready'],
    ready: ['running', 'disconnected', 'alarms and errors'],
    running: ['paused', 'alarms and errors', 'ready'],
    paused: ['running'],
    'alarms and errors': ['resetting'],
    resetting: ['running', 'ready'],
    disconnected: ['initializing'],
    initializing: ['ready'],
  },
  recipe: {
    'initializing system': ['ready'],
    ready: ['running', 'disconnected'],
    running: ['paused', 'hold', 'alarms and errors', 'ready'],
    paused: ['running'],
    hold: ['running'],
    'alarms and errors': ['resetting'],
    resetting: ['running', 'ready'],
    disconnected: ['initializing'],
    initializing: ['ready'],
  },
}

/** Statuses that count as run time. */
const working: ReadonlySet<InstrumentStatus> = new Set(['running', 'method run', 'manual run', 'wash'])

/** Statuses with which a run begins, and those in which none is on. */
const startsRun: ReadonlySet<InstrumentStatus> = new Set(['starting method run', 'running'])
const afterRun: ReadonlySet<InstrumentStatus> = new Set(['ready', 'wash', 'initializing system', 'disconnected'])

/** Returns e.g. `261120-0912-20431187`. */
function runId(installedProductId: string, localTime: number): string {
  const [day = '', time = ''] = new Date(localTime).toISOString().split('T')
  const at = `${day.slice(2).replaceAll('-', '')}-${time.slice(0, 5).replace(':', '')}`
  return `${at}-${installedProductId.replace(/^IP-/, '')}`
}

/** Measures the working time of an instrument. Times are milliseconds since the epoch and never decrease. */
class RunMeter {
  #counted = 0
  #workingSince: number | null = null

  /** Records a status change. */
  note(status: InstrumentStatus, at: number): void {
    this.#counted = this.total(at)
    this.#workingSince = working.has(status) ? at : null
  }

  /** Skips a period in which nothing happened. */
  skip(milliseconds: number): void {
    if (this.#workingSince !== null) this.#workingSince += milliseconds
  }

  /** Returns the milliseconds of work until a time that is not before the last record. */
  total(at: number): number {
    return this.#counted + (this.#workingSince === null ? 0 : at - this.#workingSince)
  }
}

const RANGE = /\{(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)\}/g

export interface OpenAlarm {
  alertId: string
  fault: Fault
  description: string | undefined
  /** Time at which the instrument logged it, in milliseconds since the epoch. */
  generatedAt: number
}

/**
 * The instrument as its script controls it: the available reports, and a record of those already made.
 *
 * Reports collect until the machine takes them at the end of the script's step; all reports of one step have the same
 * time.
 */
export class Rig {
  readonly posting: Posting
  readonly traits: Traits
  /** Module of the driving part: the first pump or the rocker. */
  readonly leadingModule: string
  pace: Pace
  /** Milliseconds since the epoch, set by the machine before each step. */
  now = 0
  status: InstrumentStatus = 'Unknown'
  /** Method, recipe or culture of the current run. */
  method = ''
  #run: string | null = null
  operator: string
  /** Client PC from which the run was started. */
  client: string | null = null
  /** Milliseconds by which the site's clocks are ahead of UTC. */
  zoneOffset = 0
  random: SeededRandom
  /** Relative fault rate of this instrument. */
  readonly trouble: number
  readonly meter = new RunMeter()
  readonly #logs: LogBook
  #emissions: Emission[] = []
  #open: OpenAlarm[] = []
  #pending: { at: number; act: () => void }[] = []
  #raised = 0

  constructor(posting: Posting, { random, pace }: { random: SeededRandom; pace: Pace }) {
    this.posting = posting
    this.traits = traitsByType[posting.instrument.type]
    this.leadingModule = moduleOf(componentsOf(posting.instrument.type)[0]?.component ?? 'System (SYS)')
    this.#logs = new LogBook(this.traits.logs)
    this.pace = pace
    this.random = random
    this.operator = posting.operators[0] ?? 'operator'
    this.trouble = random.chance(0.12) ? random.between(2, 4.5) : random.between(0.4, 1.3)
  }

  setStatus(status: InstrumentStatus): void {
    const { type } = this.posting.instrument
    if (!mayFollow(type, this.status, status))
      throw new Error(`The script of ${type} goes from "${this.status}" to "${status}", which no instrument does.`)
    this.status = status
    this.meter.note(status, this.now)
    this.#followRun()
    this.#emissions.push({ type: 'benchwatch.status.changed', data: this.statusReport() })
  }

  /** Returns what the instrument reports about itself: its status, and the id of the run of a method. */
  statusReport(): { instrumentStatus: InstrumentStatus; run?: string } {
    return { instrumentStatus: this.status, ...(this.#run !== null && { run: this.#run }) }
  }

  /** A run has a method; its id is the time of its beginning in the laboratory, with the instrument's number. */
  #followRun(): void {
    if (this.method === '' || afterRun.has(this.status)) this.#run = null
    else if (startsRun.has(this.status))
      this.#run ??= runId(this.posting.installedProductId, this.now + this.zoneOffset)
  }

  /** Brings another operator to the instrument. */
  changeOperator(): void {
    this.operator = this.random.pick(this.posting.operators)
    const { clientPcNames } = this.computers()
    this.client = clientPcNames.length > 0 ? this.random.pick(clientPcNames) : null
  }

  computers(): Computers {
    return computersAt(this.posting, this.now)
  }

  /** Writes to the system audit trail: user actions. */
  audit(message: string, line: Partial<LogLine> = {}): void {
    this.write('AUDITTRAIL', { level: 'INFO', module: 'System', userName: this.operator, message, ...line })
  }

  /** Writes to the service log: measurements of the modules. */
  vid(message: string, line: Partial<LogLine> = {}): void {
    this.write('VID', { level: 'INFO', message, ...line })
  }

  /** Writes a line to one of the instrument's logs. Logs that its type does not keep drop the line. */
  write(type: LogType, line: Pick<LogLine, 'message'> & Partial<LogLine>): void {
    this.#logs.write(type, line)
  }

  /** True if lines that are not about an alarm are kept; otherwise costly lines can be skipped. */
  get keepsAllLines(): boolean {
    return this.#logs.reported === 'all logs'
  }

  /** Marks lines written meanwhile as being about an alarm. */
  aboutAlarm(writing: () => void): void {
    this.#logs.aboutAlarm(writing)
  }

  /** Runs an action after a number of simulated minutes, whatever the script is doing then. */
  later(minutes: number, act: () => void): void {
    this.#pending.push({ at: this.now + minutes * 60_000 * this.pace.time, act })
  }

  /** Returns the open alarm of this fault, if any. */
  openAlarm(fault: Fault): OpenAlarm | undefined {
    return this.#open.find(
      (alarm) => alarm.fault.component === fault.component && alarm.fault.errorCode === fault.errorCode,
    )
  }

  openAlarms(): readonly OpenAlarm[] {
    return this.#open
  }

  /** Raises a new alarm. `lateMinutes`: how long ago the instrument logged it. */
  raise(fault: Fault, lateMinutes = 0): OpenAlarm {
    const detail = fault.detail === undefined ? undefined : fillDetail(fault.detail, this.random, this.method)
    const alarm: OpenAlarm = {
      alertId: `${this.posting.installedProductId}-${Math.floor(this.now).toString(36)}-${++this.#raised}`,
      fault,
      description: detail === undefined ? undefined : `${fault.title}. ${detail}`,
      generatedAt: this.now - lateMinutes * 60_000,
    }
    this.#open.push(alarm)
    this.#emissions.push(raiseOf(alarm, alarm.generatedAt))
    return alarm
  }

  /** Raises an open alarm again, as instruments do that detect the same fault repeatedly: it is latched. */
  raiseAgain(alarm: OpenAlarm): void {
    this.#emissions.push(raiseOf(alarm, this.now))
  }

  /** Clears an alarm: the instrument has returned to normal. Does nothing if the alarm is not open any more. */
  clear(alarm: OpenAlarm): void {
    if (!this.#open.includes(alarm)) return
    this.#open = this.#open.filter((other) => other !== alarm)
    this.#emissions.push({ type: 'benchwatch.alarm.cleared', data: { alertId: alarm.alertId } })
    const eventCode = templateIdOf(alarm.fault)
    this.aboutAlarm(() =>
      this.write('EVENT', {
        message: `${alarm.fault.component}: ${eventCode} returned to normal`,
        module: alarm.fault.component,
        level: 'INFO',
        eventCode,
      }),
    )
  }

  /** Drops alarms that need no report. */
  forgetAlarms(isForgotten: (alarm: OpenAlarm) => boolean): void {
    this.#open = this.#open.filter((alarm) => !isForgotten(alarm))
  }

  /** Switches the instrument off and on: cancels planned actions, drops all alarms and resets its state. */
  switchOff(): void {
    this.#pending = []
    for (const alarm of this.#open) this.clear(alarm)
    this.#raised = 0
    this.method = ''
    this.#run = null
    this.operator = this.posting.operators[0] ?? 'operator'
    this.client = this.computers().clientPcNames[0] ?? null
  }

  /** Returns the time of the next planned action; Infinity if there is none. */
  nextPendingAt(): number {
    return this.#pending.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY)
  }

  /** Sets which log lines are kept until they are taken. */
  keepLogs(reported: ReportedLogs): void {
    this.#logs.reported = reported
  }

  /** Runs the actions that are due. */
  runPending(): void {
    if (this.nextPendingAt() > this.now) return
    const due = this.#pending.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at)
    this.#pending = this.#pending.filter(({ at }) => at > this.now)
    for (const { act } of due) act()
  }

  /** Moves all planned actions, as when the pace changes. */
  reschedule(move: (at: number) => number): void {
    for (const action of this.#pending) action.at = move(action.at)
  }

  /** Returns the reports since the last call, log lines last. */
  take(): readonly Emission[] {
    if (this.#emissions.length === 0 && this.#logs.isEmpty()) return nothing
    const taken = this.#emissions
    this.#emissions = []
    if (!this.#logs.isEmpty())
      taken.push(...this.#logs.take({ at: this.now, hostname: this.computers().instrumentServerPcName ?? null }))
    return taken
  }
}

/** Most steps report nothing. */
const nothing: readonly Emission[] = []

/** Returns an alarm as the instrument reports it. */
export function raiseOf({ alertId, fault, description }: OpenAlarm, generatedAt: number): Emission {
  return {
    type: 'benchwatch.alarm.raised',
    data: {
      alertId,
      templateId: templateIdOf(fault),
      alertType: fault.alertType,
      componentName: fault.component,
      logGeneratedAt: new Date(generatedAt).toISOString(),
      ...(description === undefined ? {} : { description }),
    },
  }
}

/** Fills the placeholders of a detail: `{6.1-6.9}` becomes a number of that range, `{method}` the method's name. */
export function fillDetail(detail: string, random: SeededRandom, method: string): string {
  return detail
    .replace(RANGE, (_range, low: string, high: string) => {
      const decimals = low.split('.')[1]?.length ?? 0
      return random.between(Number(low), Number(high)).toFixed(decimals)
    })
    .replaceAll('{method}', method || 'manual instructions')
}

/** True if an instrument of this type can change between these statuses on its own or by its operator. */
export function mayFollow(type: InstrumentType, from: InstrumentStatus, to: InstrumentStatus): boolean {
  if (to === 'initializing system') return true
  return transitionsOf(type)[from]?.includes(to) ?? false
}

export function transitionsOf(type: InstrumentType): Transitions {
  return tables[traitsByType[type].led]
}
