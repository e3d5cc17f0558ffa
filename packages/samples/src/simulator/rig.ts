import type { InstrumentStatus, LogType } from '@benchwatch/contract/vocabulary'
import { type Fault, templateIdOf } from '../faults/fault.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { fillDetail } from './detail.ts'
import type { Emission, LogLine } from './emission.ts'
import type { Pace } from './pace.ts'
import type { Posting } from './postings.ts'
import { mayFollow } from './transitions.ts'

export interface OpenAlarm {
  alertId: string
  fault: Fault
  description: string | undefined
}

type Line = Pick<LogLine, 'message'> & Partial<LogLine>

/**
 * The instrument in the hands of its script: what it can report, and its memory of what it has reported.
 *
 * Reports gather until the machine takes them at the end of the script's step; all of one step have one instant.
 */
export class Rig {
  readonly posting: Posting
  pace: Pace
  /** Milliseconds since 1970, set by the machine before each step. */
  now = 0
  status: InstrumentStatus = 'Unknown'
  /** Method, or culture on a WAVE, of the run that goes on. */
  method = ''
  operator: string
  /** Milliseconds by which the site's clocks are ahead of UTC. */
  zoneOffset = 0
  random: SeededRandom
  /** Some instruments make more trouble than others. */
  readonly trouble: number
  private emissions: Emission[] = []
  private lines = new Map<LogType, Line[]>()
  private open: OpenAlarm[] = []
  private pending: { at: number; act: () => void }[] = []
  private raised = 0

  constructor(posting: Posting, { random, pace }: { random: SeededRandom; pace: Pace }) {
    this.posting = posting
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
    this.emissions.push({ type: 'benchwatch.status.changed', data: { instrumentStatus: status } })
  }

  /** The system audit trail: who did what. */
  audit(message: string, line: Partial<LogLine> = {}): void {
    this.log('AUDITTRAIL', { level: 'INFO', module: 'System', userName: this.operator, message, ...line })
  }

  /** The service log: what the modules measured. */
  vid(message: string, line: Partial<LogLine> = {}): void {
    this.log('VID', { level: 'INFO', message, ...line })
  }

  private log(type: LogType, line: Line): void {
    const lines = this.lines.get(type)
    if (lines) lines.push(line)
    else this.lines.set(type, [line])
  }

  /** Runs an action so many minutes of the simulated world later, whatever the script is doing then. */
  later(minutes: number, act: () => void): void {
    this.pending.push({ at: this.now + minutes * 60_000 * this.pace.time, act })
  }

  /** The open alarm of this fault, if there is one. */
  openAlarm(fault: Fault): OpenAlarm | undefined {
    return this.open.find(
      (alarm) => alarm.fault.component === fault.component && alarm.fault.errorCode === fault.errorCode,
    )
  }

  openAlertIds(): string[] {
    return this.open.map(({ alertId }) => alertId)
  }

  /** Raises a new alarm. `lateMinutes`: how long ago the instrument itself wrote it down. */
  raise(fault: Fault, lateMinutes = 0): OpenAlarm {
    const detail = fault.detail === undefined ? undefined : fillDetail(fault.detail, this.random, this.method)
    const alarm: OpenAlarm = {
      alertId: `${this.posting.installedProductId}-${Math.floor(this.now).toString(36)}-${++this.raised}`,
      fault,
      description: detail === undefined ? undefined : `${fault.title}. ${detail}`,
    }
    this.open.push(alarm)
    this.report(alarm, this.now - lateMinutes * 60_000)
    return alarm
  }

  /** Raises an open alarm once more, as instruments do that see the same thing again: it is latched. */
  raiseAgain(alarm: OpenAlarm): void {
    this.report(alarm, this.now)
  }

  private report({ alertId, fault, description }: OpenAlarm, generatedAt: number): void {
    this.emissions.push({
      type: 'benchwatch.alarm.raised',
      data: {
        alertId,
        templateId: templateIdOf(fault),
        alertType: fault.alertType,
        componentName: fault.component,
        logGeneratedAt: new Date(generatedAt).toISOString(),
        ...(description === undefined ? {} : { description }),
      },
    })
  }

  /** The instrument has returned to normal. Nothing happens when the alarm is not open any more. */
  clear(alarm: OpenAlarm): void {
    if (!this.open.includes(alarm)) return
    this.open = this.open.filter((other) => other !== alarm)
    this.emissions.push({ type: 'benchwatch.alarm.cleared', data: { alertId: alarm.alertId } })
  }

  /** Switched off and on: nothing that was planned happens any more, every alarm is gone, and so is all memory. */
  switchOff(): void {
    this.pending = []
    for (const alarm of this.open) this.clear(alarm)
    this.raised = 0
    this.method = ''
    this.operator = this.posting.operators[0] ?? 'operator'
  }

  /** When the next planned action is due; Infinity without any. */
  nextPendingAt(): number {
    return this.pending.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY)
  }

  /** Does what is due now. */
  runPending(): void {
    const due = this.pending.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at)
    this.pending = this.pending.filter(({ at }) => at > this.now)
    for (const { act } of due) act()
  }

  /** Moves everything that is planned, as when the pace changes. */
  reschedule(move: (at: number) => number): void {
    for (const action of this.pending) action.at = move(action.at)
  }

  /** What has been reported since the last time, log lines last. */
  take(): Emission[] {
    const taken = this.emissions
    this.emissions = []
    for (const [logType, lines] of this.lines) {
      // Lines of one step are a few tenths of a second apart, the last one at the step's instant.
      const stamped = lines.map((line, index) => ({
        module: null,
        level: null,
        eventCode: null,
        userName: null,
        hostname: this.posting.hostname,
        timestamp: new Date(this.now - (lines.length - 1 - index) * 240).toISOString(),
        ...line,
      }))
      taken.push({ type: 'benchwatch.log.appended', data: { logType, lines: stamped } })
    }
    this.lines.clear()
    return taken
  }
}
