import { pino } from 'pino'
import type { Note } from '../outbox.ts'
import { Line, type Report } from '../report.ts'
import type { SourceContext } from '../source.ts'

/** An outbox in memory with the reports of a source. It outlives the sources that write to it. */
export class MemoryOutbox {
  readonly reports: Report[] = []
  readonly notes = new Map<string, string>()
  readonly counts = { unmatched: 0, faulty: 0 }
  readonly faults: string[] = []
  readonly unmatchedNames: string[] = []
  /** The newest state of each link, with its reason. */
  readonly links = new Map<string, string>()
  /** Every write fails. */
  isFull = false
  #watchers: (() => void)[] = []

  /** Returns what a source gets; its notes are those of now. */
  context(more: Partial<SourceContext> = {}): SourceContext {
    return {
      name: 'GW-UPP-01',
      report: (report, note) => this.#write(note, report),
      keep: (note) => this.#write(note),
      statusOf: (instrument) =>
        this.statuses().findLast(({ subject }) => subject === instrument)?.data.instrumentStatus,
      notes: new Map(this.notes),
      link: (name, state, reason) => {
        this.links.set(name, [state, reason].filter(Boolean).join(': '))
        this.#changed()
      },
      unmatched: (name) => {
        this.counts.unmatched++
        this.unmatchedNames.push(name?.name ?? '')
        this.#changed()
      },
      fault: (sentence) => {
        this.counts.faulty++
        this.faults.push(sentence)
        this.#changed()
      },
      knowsCounts: () => true,
      certificates: '',
      isTrial: false,
      line: new Line(),
      log: pino({ level: 'silent' }),
      ...more,
    }
  }

  /** Types of the reports; of a raise also its component. */
  told(): string[] {
    return this.reports.map(({ type, data }) =>
      type === 'benchwatch.alarm.raised' ? `raised ${data.componentName}` : type.slice('benchwatch.'.length),
    )
  }

  statuses() {
    return this.reports.filter((report) => report.type === 'benchwatch.status.changed')
  }

  /** Resolves when the condition holds; it is checked after each change. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  async #write(note: Note | undefined, report?: Report): Promise<void> {
    this.#changed()
    if (this.isFull) throw new Error('No space left on device')
    if (report) this.reports.push(report)
    if (note?.value === null) this.notes.delete(note.name)
    else if (note) this.notes.set(note.name, note.value)
  }

  #changed(): void {
    // Watchers look after the change that is being made.
    queueMicrotask(() => {
      for (const watcher of this.#watchers.splice(0)) watcher()
    })
  }
}
