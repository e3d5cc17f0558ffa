import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { residentBytes } from '../product/process-tree.ts'
import type { Workplace } from './workplace.ts'

/** A process that obeys lines of its input and may be killed and started again; its output is kept beside the server's. */
export class ToldProgram {
  readonly #start: () => ChildProcess
  #child: ChildProcess | null = null
  peakRss = 0

  constructor(workplace: Workplace, name: string, start: () => ChildProcess) {
    const log = createWriteStream(join(workplace.folder, `${name}.log`), { flags: 'a' })
    this.#start = () => {
      const child = start()
      child.stdout?.pipe(log, { end: false })
      child.stderr?.pipe(log, { end: false })
      return child
    }
    const timer = setInterval(() => {
      if (this.#child?.pid) this.peakRss = Math.max(this.peakRss, residentBytes(this.#child.pid) ?? 0)
    }, 500)
    workplace.atEnd(async () => {
      clearInterval(timer)
      await this.kill()
    })
  }

  /** Resolves when its output contains this text. */
  async start(sign: string): Promise<void> {
    const child = this.#start()
    this.#child = child
    await new Promise<void>((resolve, reject) => {
      for (const output of [child.stdout, child.stderr])
        output?.on('data', (text) => String(text).includes(sign) && resolve())
      child.once('exit', (code) => reject(new Error(`It ended with ${code} instead of printing '${sign}'.`)))
    })
  }

  /** Throws if the program has ended by itself, which its log explains. */
  tell(line: object): void {
    const code = this.#child?.exitCode ?? null
    if (code !== null) throw new Error(`The program has ended with ${code}.`)
    this.#child?.stdin?.write(`${JSON.stringify(line)}\n`)
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
}
