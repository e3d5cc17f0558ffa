import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder of a fault, and the list of everything that must be ended, last first, however the fault ends. */
export class Workplace {
  readonly folder: string
  readonly #endings: (() => unknown)[] = []
  #ended: Promise<void> | null = null

  constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), `benchwatch-${name}-`))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        console.error(`\n${signal}: ending what was started …`)
        void this.end().finally(() => process.exit(130))
      })
    }
  }

  /** Adds work for the end; it may fail without stopping the rest. */
  atEnd(ending: () => unknown): void {
    this.#endings.push(ending)
  }

  async end(): Promise<void> {
    this.#ended ??= this.#endAll()
    await this.#ended
  }

  async #endAll(): Promise<void> {
    for (let ending = this.#endings.pop(); ending; ending = this.#endings.pop()) {
      try {
        await ending()
      } catch (error) {
        console.error('while ending:', error)
      }
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
