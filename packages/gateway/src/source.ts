import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { Logger } from 'pino'
import type { Mapped, MessageName } from './mapping/map-facts.ts'
import type { Facts } from './mapping/templates.ts'
import type { Note } from './outbox.ts'
import type { Line, Report } from './report.ts'

/** State of a source's connection to what it listens to: an OPC UA server, a broker, a port. */
export type LinkState = 'up' | 'down'

/** Everything a gateway passes to a source. */
export interface SourceContext {
  /** The gateway's name. */
  name: string
  /**
   * Stores a report and, atomically, a note that the source can read from `notes` after a restart. Resolves when both
   * are on disk; a source acknowledges upstream only then. Rejects if they could not be written.
   */
  report(report: Report, note?: Note): Promise<void>
  /** The status that was reported last for an instrument, also before the gateway was restarted. */
  statusOf(instrument: string): InstrumentStatus | undefined
  /** Stores a note alone. Resolves when it is on disk. */
  keep(note: Note): Promise<void>
  /** Notes by name, as the previous run left them. */
  notes: ReadonlyMap<string, string>
  /**
   * Reports the state of a link, whenever it is known; repeats cost nothing. The reason is a sentence for the operator.
   * Links are in the heartbeat. While the link with the name of the source stays down, its instruments are shown as
   * disconnected.
   */
  link(name: string, state: LinkState, reason?: string): void
  /** Counts a message that no rule matched; the heartbeat reports the counts and the names. */
  unmatched(name: MessageName | null): void
  /** Counts a message that could not be read; the heartbeat reports the count and the last sentence. */
  fault(sentence: string): void
  /** The server can add the number of alarms that one report represents to its event. */
  knowsCounts(): boolean
  /** Folder of the certificates that sources show and trust. */
  certificates: string
  /** `gateway:try`: nothing is sent, so nothing may be acknowledged or removed upstream. */
  isTrial: boolean
  /** Called with what the mapping made of each message; for a trial. */
  onMapped?: (facts: Facts, mapped: Mapped) => void
  line: Line
  log: Logger
}

/** Starts reporting for the instruments of a gateway. `stop` is awaited before the outbox is closed. */
export type Source = (context: SourceContext) => Promise<{ stop(): Promise<void> }>
