import type { LogType } from '@benchwatch/contract/vocabulary'
import type { Emission, LogLine } from './emission.ts'

type Line = Pick<LogLine, 'message'> & Partial<LogLine>

/** The logs of one instrument: lines gather here until they are told. */
export class LogBook {
  private readonly kept: ReadonlySet<LogType>
  private readonly lines = new Map<LogType, { line: Line; isAboutAlarm: boolean }[]>()
  private isAboutAlarm = false

  /** `kept`: the logs that an instrument of this type keeps; what goes to another is dropped. */
  constructor(kept: readonly LogType[]) {
    this.kept = new Set(kept)
  }

  write(type: LogType, line: Line): void {
    if (!this.kept.has(type)) return
    const entry = { line, isAboutAlarm: this.isAboutAlarm }
    const entries = this.lines.get(type)
    if (entries) entries.push(entry)
    else this.lines.set(type, [entry])
  }

  aboutAlarm(writing: () => void): void {
    this.isAboutAlarm = true
    writing()
    this.isAboutAlarm = false
  }

  isEmpty(): boolean {
    return this.lines.size === 0
  }

  /** The lines of one step, one item for each log: a few tenths of a second apart, the last one at the step's instant. */
  take(step: { at: number; hostname: string | null; what: 'all logs' | 'logs of alarms' }): Emission[] {
    const taken: Emission[] = []
    for (const [logType, entries] of this.lines) {
      const told = step.what === 'all logs' ? entries : entries.filter(({ isAboutAlarm }) => isAboutAlarm)
      if (told.length === 0) continue
      const lines = told.map(({ line }, index) => ({
        module: null,
        level: null,
        eventCode: null,
        userName: null,
        hostname: step.hostname,
        timestamp: new Date(step.at - (told.length - 1 - index) * 240).toISOString(),
        ...line,
      }))
      taken.push({ type: 'benchwatch.log.appended', data: { logType, lines } })
    }
    this.lines.clear()
    return taken
  }
}
