import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findInstalledProgram } from '../../../scripts/installed/installed-program.ts'
import { untilOpen } from '../../cluster/nats-process.ts'
import { embeddedPlace, socketUrl, withClient } from '../../product/database.ts'
import { openListeningGateway } from '../product/listening-gateway.ts'
import { freePort, type Product } from '../product/product.ts'
import { ToldProgram } from '../script/told-program.ts'
import type { Verdict } from '../script/verdict.ts'
import type { Workplace } from '../script/workplace.ts'

const TOPIC = 'skid/alarm'
/** mosquitto_pub reconnects without limit; messages that it has not confirmed by then count as not published. */
const PUBLISH_MS = 10_000
const PATIENCE_MS = 120_000
const programs = ['mosquitto', 'mosquitto_pub'] as const

interface Options {
  /** Folder of the gateway's outbox; by default in the workplace. */
  outbox?: string
  /** More alarms a minute are merged into storms. */
  alarmsPerMinute?: number
  /** Number of instruments; 1 by default. */
  instruments?: number
}

/** An event of one alarm, or of a storm of them. */
interface StoredEvent {
  /** Number of the alarm, or null for a storm. */
  number: number | null
  latchedCount: number
  isCleared: boolean
  logGeneratedAt: Date
  createdAt: Date
  run: string | null
}

/** The product, a gateway and a broker, with a ledger of the alarms that the broker has confirmed to their publisher. */
export class MqttLaboratory {
  readonly product: Product
  readonly gateway: ToldProgram
  /** Installed product ids. */
  readonly instruments: readonly string[]
  readonly #broker: ToldProgram
  readonly #port: number
  readonly #publisher: string
  /** Numbers that the broker has confirmed, with the time of the confirmation. */
  readonly #confirmed = new Map<number, number>()
  /** How often the broker was killed. */
  #deaths = 0

  private constructor(given: {
    product: Product
    gateway: ToldProgram
    instruments: readonly string[]
    broker: ToldProgram
    port: number
    publisher: string
  }) {
    this.product = given.product
    this.gateway = given.gateway
    this.instruments = given.instruments
    this.#broker = given.broker
    this.#port = given.port
    this.#publisher = given.publisher
  }

  /** Starts everything. Returns null, and says so in the verdict, if this machine has no mosquitto. */
  static async open(workplace: Workplace, verdict: Verdict, options: Options = {}): Promise<MqttLaboratory | null> {
    const [mosquitto, publisher] = programs.map((name) => findInstalledProgram(name))
    if (!mosquitto || !publisher) {
      verdict.figure('skipped', 'this machine lacks mosquitto or mosquitto-clients')
      return null
    }
    const { outbox, alarmsPerMinute } = options
    const port = await freePort()
    const { product, gateway, instruments } = await openListeningGateway(workplace, {
      sourcesOf: () => sourcesOf(port, alarmsPerMinute),
      ...(options.instruments !== undefined && { instruments: options.instruments }),
      ...(outbox !== undefined && { outbox }),
    })
    const configuration = join(workplace.folder, 'mosquitto.conf')
    writeFileSync(configuration, brokerConfiguration(port, workplace.folder))
    const broker = new ToldProgram(workplace, 'broker', () =>
      spawn(mosquitto, ['-c', configuration], { stdio: ['ignore', 'pipe', 'pipe'], detached: true }),
    )
    const laboratory = new MqttLaboratory({ product, gateway, instruments, broker, port, publisher })
    await laboratory.startBroker()
    await gateway.start('reports to')
    // The broker keeps messages for the gateway only once that has subscribed.
    while ((await laboratory.events()).length === 0) {
      await laboratory.publish([0])
      await pause(200)
    }
    return laboratory
  }

  /** Numbers that the broker has confirmed. */
  get confirmed(): readonly number[] {
    return [...this.#confirmed.keys()]
  }

  async startBroker(): Promise<void> {
    await this.#broker.start('running')
    await untilOpen(this.#port, 'mosquitto')
  }

  /** Kills the broker, and returns the numbers whose message it may not have saved: their publisher sends them again. */
  async killBroker(): Promise<readonly number[]> {
    this.#deaths += 1
    const unsavedSince = Date.now() - 2000
    await this.#broker.kill()
    return [...this.#confirmed].filter(([, at]) => at >= unsavedSince).map(([number]) => number)
  }

  /** Publishes a message for each number, by a program that knows nothing of the product, until the broker has confirmed all. */
  async publish(numbers: readonly number[], { isActive = true } = {}): Promise<void> {
    const [instrument] = this.instruments
    await this.send(numbers.map((number) => ({ instrument, number, on: isActive })))
  }

  /** Publishes messages; those with a number are alarms. */
  async send(messages: readonly { number?: number; [field: string]: unknown }[]): Promise<void> {
    const lines = messages.map((message) => JSON.stringify(message)).join('\n')
    for (let isConfirmed = false; !isConfirmed; ) {
      const deaths = this.#deaths
      const child = spawn(
        this.#publisher,
        ['-h', '127.0.0.1', '-p', String(this.#port), '-q', '1', '-t', TOPIC, '-l'],
        { stdio: ['pipe', 'ignore', 'ignore'], timeout: PUBLISH_MS, killSignal: 'SIGKILL' },
      )
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      child.stdin.on('error', () => undefined)
      child.stdin.end(`${lines}\n`)
      // mosquitto_pub goes on after a lost connection, but without the line that it was about to send.
      isConfirmed = (await ended) === 0 && deaths === this.#deaths
      if (!isConfirmed) await pause(200)
    }
    for (const { number } of messages)
      if (number !== undefined && !this.#confirmed.has(number)) this.#confirmed.set(number, Date.now())
  }

  events(): Promise<StoredEvent[]> {
    const url = socketUrl(embeddedPlace(this.product.dataDir).socketDir)
    return withClient(url, async (database) => {
      const { rows } = await database.query<StoredEvent>(
        `SELECT substring(description FROM '^Alarm (\\d+)$')::int AS number, latched_count AS "latchedCount",
           cleared_at IS NOT NULL AS "isCleared", log_generated_at AS "logGeneratedAt", created_at AS "createdAt", r.name AS run
         FROM service_event e LEFT JOIN run r ON r.id = e.run_id ORDER BY e.id`,
      )
      return rows
    })
  }

  /** Waits until the events are as wanted. Returns the milliseconds it took, also if it gave up. */
  async until(wanted: (events: StoredEvent[]) => boolean): Promise<number> {
    const since = Date.now()
    for (let events = await this.events(); !wanted(events); events = await this.events()) {
      if (Date.now() - since > PATIENCE_MS) break
      await pause(100)
    }
    return Date.now() - since
  }

  /** Adds what every fault asks: each confirmed alarm made one event. */
  judge(verdict: Verdict, events: readonly StoredEvent[]): void {
    const times = new Map<number, number>()
    for (const { number } of events) if (number !== null) times.set(number, (times.get(number) ?? 0) + 1)
    verdict.figure('alarms that the broker confirmed', this.#confirmed.size)
    const lost = this.confirmed.filter((number) => !times.has(number))
    for (const number of lost.slice(0, 10)) console.log(`  lost: alarm ${number}`)
    verdict.atMost('lost', { figure: lost.length, most: 0 })
    verdict.atMost('events twice', { figure: [...times.values()].filter((count) => count > 1).length, most: 0 })
    verdict.atMost('repeats counted as raised again', {
      figure: events.reduce((sum, { latchedCount }) => sum + latchedCount, 0),
      most: 0,
    })
    verdict.figure('peak RSS of the gateway MB', this.gateway.peakRss / 1e6)
    verdict.memory(this.product.peakRss)
  }
}

/** The broker saves each message as soon as it can. Others would otherwise be lost when it is killed. */
function brokerConfiguration(port: number, folder: string): string {
  return [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence true',
    `persistence_location ${folder}/`,
    'autosave_on_changes true',
    'autosave_interval 1',
    'max_queued_messages 100000',
    // Started by root, it would otherwise become a user who can't write here.
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    '',
  ].join('\n')
}

function sourcesOf(port: number, alarmsPerMinute = 10_000): object {
  const common = { instrument: '{json.instrument}', time: '{json.time?}' }
  const alarm = { template: 'SKID-1', component: 'Valve {json.number}', key: '{json.number}' }
  return {
    sources: [
      {
        kind: 'mqtt',
        name: 'skid',
        url: `mqtt://127.0.0.1:${port}`,
        topics: [TOPIC],
        alarmsPerMinute,
        rules: [
          { when: { 'json.state': '*' }, ...common, status: '{json.state}', run: '{json.run?}' },
          { ...common, raise: { ...alarm, description: 'Alarm {json.number}', while: { 'json.on': true } } },
        ],
      },
    ],
  }
}

/** Returns `count` numbers from `first` on. */
export function numbersFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at)
}
