import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

/** Options of the server program, as in `server.ts`. */
export interface ServerArguments {
  level?: number
  begins?: number
  valid?: number
  lads?: boolean
  strict?: boolean
}

/** The OPC UA server of `server.ts`: one address over several lives, each of which may be killed. */
export class OpcUaServerProcess {
  readonly port: number
  readonly endpoint: string
  readonly #folder: string
  #child: ChildProcess | null = null
  #answers: (() => void)[] = []

  private constructor(port: number, folder: string) {
    this.port = port
    this.endpoint = `opc.tcp://127.0.0.1:${port}`
    this.#folder = folder
  }

  static async prepare(folder: string): Promise<OpcUaServerProcess> {
    return new OpcUaServerProcess(await freePort(), folder)
  }

  /** Resolves when the server listens. */
  async start(given: ServerArguments = {}): Promise<void> {
    const args = Object.entries(given).map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`))
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'server.ts'), '--port', String(this.port), '--folder', this.#folder, ...args],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    )
    this.#child = child
    let output = ''
    child.stderr?.on('data', (text) => (output += String(text)))
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (text) => {
        output += String(text)
        for (const line of String(text).split('\n')) {
          if (line === 'ready') resolve()
          if (line === 'done') this.#answers.shift()?.()
        }
      })
      child.once('exit', () => reject(new Error(`The OPC UA server ended: ${output}`)))
    })
  }

  /** Gives commands; resolves when the server has obeyed them. */
  async tell(commands: Record<string, unknown>): Promise<void> {
    const done = new Promise<void>((resolve) => this.#answers.push(resolve))
    this.#child?.stdin?.write(`${JSON.stringify(commands)}\n`)
    await done
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Ends the server at once. Resolves when its port is free. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await ended
  }
}
