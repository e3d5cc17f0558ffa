import type { LogType } from '@benchwatch/contract/vocabulary'
import { seededRandom } from '../seeded-random.ts'
import type { Emission, LogLine } from './emission.ts'

const known = new Map<string, number>()

type Line = Pick<LogLine, 'message'> & Partial<LogLine>

/** The part of its logs that an instrument reports: everything, or only lines about alarms. */
export type ReportedLogs = 'all logs' | 'logs of alarms'

/** The logs of one instrument. Collects lines until they are taken. */
export class LogBook {
  reported: ReportedLogs = 'all logs'
  readonly #kept: ReadonlySet<LogType>
  readonly #lines = new Map<LogType, Line[]>()
  #isAboutAlarm = false

  /** `kept`: the logs that this instrument type keeps; lines for other logs are dropped. */
  constructor(kept: readonly LogType[]) {
    this.#kept = new Set(kept)
  }

  write(type: LogType, line: Line): void {
    if (!this.#kept.has(type) || (this.reported === 'logs of alarms' && !this.#isAboutAlarm)) return
    const lines = this.#lines.get(type)
    if (lines) lines.push(line)
    else this.#lines.set(type, [line])
  }

  aboutAlarm(writing: () => void): void {
    this.#isAboutAlarm = true
    writing()
    this.#isAboutAlarm = false
  }

  isEmpty(): boolean {
    return this.#lines.size === 0
  }

  /**
   * Returns the lines of one step, one item per log. Lines without a time are a few tenths of a second apart, the last
   * one at the step's time. Lines of a client have the time of the client's clock.
   */
  take({ at, hostname }: { at: number; hostname: string | null }): Emission[] {
    const taken: Emission[] = []
    for (const [logType, written] of this.#lines) {
      const lines = written.map((line, index) => {
        const full = {
          module: null,
          level: null,
          eventCode: null,
          userName: null,
          hostname,
          timestamp: new Date(at - (written.length - 1 - index) * 240).toISOString(),
          ...line,
        }
        return logType === 'UNICORNCLIENT' ? byClientsClock(full) : full
      })
      taken.push({ type: 'benchwatch.log.appended', data: { logType, lines } })
    }
    this.#lines.clear()
    return taken
  }
}

function byClientsClock(line: LogLine): LogLine {
  const ahead = line.hostname ? clockAhead(line.hostname) : 0
  return ahead === 0 ? line : { ...line, timestamp: new Date(Date.parse(line.timestamp) + ahead).toISOString() }
}

/**
 * Returns the milliseconds by which a client PC's clock is ahead of its instruments. Every fourth PC is unsynchronised
 * and about a minute and a half ahead, for all instruments linked to it.
 */
function clockAhead(client: string): number {
  const before = known.get(client)
  if (before !== undefined) return before
  const random = seededRandom(`clock of ${client}`)
  const ahead = random.chance(0.25) ? Math.round(random.between(70, 110)) * 1000 : 0
  known.set(client, ahead)
  return ahead
}
