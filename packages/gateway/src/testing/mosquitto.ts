import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const BROKER = '/usr/sbin/mosquitto'
const PUBLISHER = '/usr/bin/mosquitto_pub'

/** True if the broker and its clients are installed (Debian: mosquitto, mosquitto-clients). */
export const hasMosquitto = existsSync(BROKER) && existsSync(PUBLISHER)

const run = promisify(execFile)

/** A mosquitto broker on a free port of this machine. It keeps sessions and messages over restarts. */
export class Mosquitto {
  port = 0
  #directory = ''
  #process: ChildProcess | undefined

  async start(configuration = 'allow_anonymous true'): Promise<void> {
    this.#directory ||= await mkdtemp(join(tmpdir(), 'mosquitto-'))
    this.port ||= await freePort()
    const lines = [
      `listener ${this.port} 127.0.0.1`,
      configuration,
      'persistence true',
      // Started by root, it would otherwise become a user who can't write here.
      'user root',
      `persistence_location ${this.#directory}/`,
      // Otherwise only 20 messages may be in flight, and 1000 wait for an absent client.
      'max_queued_messages 100000',
    ]
    const file = join(this.#directory, 'mosquitto.conf')
    await writeFile(file, `${lines.join('\n')}\n`)
    const child = spawn(BROKER, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#process = child
    await new Promise<void>((resolve, reject) => {
      let output = ''
      child.stderr.on('data', (text) => {
        output += String(text)
        if (output.includes('running')) resolve()
      })
      child.once('exit', () => reject(new Error(output)))
    })
  }

  url(): string {
    return `mqtt://127.0.0.1:${this.port}`
  }

  /** Publishes with QoS 1 by mosquitto_pub, a program of others; resolves when the broker has the message. */
  async publish(topic: string, message: string, ...options: string[]): Promise<void> {
    await run(PUBLISHER, [
      '-p',
      String(this.port),
      '-h',
      '127.0.0.1',
      '-q',
      '1',
      '-t',
      topic,
      '-m',
      message,
      ...options,
    ])
  }

  /** Publishes each line as a message of its own, with QoS 1. */
  async publishLines(topic: string, lines: readonly string[]): Promise<void> {
    const child = spawn(PUBLISHER, ['-p', String(this.port), '-h', '127.0.0.1', '-q', '1', '-t', topic, '-l'])
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.stdin.end(`${lines.join('\n')}\n`)
    await ended
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#process
    if (!child) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill(signal)
    await ended
    this.#process = undefined
  }

  async remove(): Promise<void> {
    await this.stop()
    if (this.#directory) await rm(this.#directory, { recursive: true, force: true })
  }
}
