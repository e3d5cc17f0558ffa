import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'

/** Statuses in which an instrument works: these seconds are its run time. */
const working: ReadonlySet<InstrumentStatus> = new Set(['running', 'method run', 'manual run', 'wash'])

/** Counts how long an instrument has worked. Instants are milliseconds since 1970 and never go back. */
export class RunMeter {
  #counted = 0
  #workingSince: number | null = null

  /** The instrument goes to a status. */
  note(status: InstrumentStatus, at: number): void {
    this.#counted = this.total(at)
    this.#workingSince = working.has(status) ? at : null
  }

  /** So much time has passed without anything happening. */
  skip(milliseconds: number): void {
    if (this.#workingSince !== null) this.#workingSince += milliseconds
  }

  /** Milliseconds of work until an instant that is not before the last note. */
  total(at: number): number {
    return this.#counted + (this.#workingSince === null ? 0 : at - this.#workingSince)
  }
}
