import { randomUUID } from 'node:crypto'
import { type Client, createClient } from '@benchwatch/client/client'
import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { Product } from './product.ts'

/** Limit of items in one batch of a gateway. */
const BATCH = 500
/** Limit of log lines in one item. */
const LOG_LINES = 200

type LogAppended = Extract<IngestItemInput, { type: 'benchwatch.log.appended' }>

interface Raised {
  /** Unique in this run, so that a test finds its own event by its words. */
  description: string
  alertId: string
  templateId: string
  subject: string
}

/** Reports alarms over HTTP in the name of a gateway of the demo fleet, as the gateway program does. */
export class Alarms {
  readonly #gateway: string
  readonly #client: Client
  readonly #epoch = randomUUID()
  #sequence = 0

  private constructor(product: Product, gateway: string, key: string) {
    this.#gateway = gateway
    this.#client = createClient({ url: product.baseUrl, token: key, retries: 0 })
  }

  /** In the name of a gateway that is none of the demo's. */
  static withKey(product: Product, { gateway, key }: { gateway: string; key: string }): Alarms {
    return new Alarms(product, gateway, key)
  }

  static async of(product: Product, gateway?: string): Promise<Alarms> {
    const all = await product.demoGateways()
    const chosen = gateway ? all.find((entry) => entry.gateway === gateway) : all[0]
    if (!chosen) throw new Error('The product has no such demo gateway.')
    return new Alarms(product, chosen.gateway, chosen.key)
  }

  get gateway(): string {
    return this.#gateway
  }

  /** Raises an alarm on an instrument behind this gateway and waits until the server has stored it. */
  async raise(
    subject: string,
    {
      words,
      severity = 'high',
      component = 'Pump B (P9-B)',
      at = new Date(),
      userMessage,
      like,
    }: {
      words: string
      /** When it happened by the instrument's clock. */
      at?: Date
      userMessage?: string
      severity?: 'high' | 'medium' | 'low'
      component?: string
      /** An alarm with the same error as this one, which has to be cleared first on the same instrument. */
      like?: Raised
    },
  ): Promise<Raised> {
    const alertId = `e2e-${randomUUID()}`
    const description = `${words} ${alertId.slice(-6)}`
    // A template of its own for each alarm: otherwise a repeat would be latched onto an open event.
    const templateId = like?.templateId ?? `E2E-${1_000_000 + Math.floor(Math.random() * 99_000_000)}`
    await this.send([
      {
        ...this.#head(subject),
        type: 'benchwatch.alarm.raised',
        data: {
          alertId,
          templateId,
          alertType: 1,
          componentName: component,
          logGeneratedAt: at.toISOString(),
          severity,
          description,
          ...(userMessage !== undefined && { userMessage }),
        },
      },
    ])
    return { description, alertId, templateId, subject }
  }

  /** Raises this number of alarms and returns a word that all their descriptions contain, to search for. */
  async raiseMany(subject: string, { count, words }: { count: number; words: string }): Promise<string> {
    const word = randomUUID().slice(0, 8)
    const items = Array.from(
      { length: count },
      (_, index): IngestItemInput => ({
        ...this.#head(subject),
        type: 'benchwatch.alarm.raised',
        data: {
          alertId: `e2e-${word}-${index}`,
          templateId: `E2E-${1_000_000 + Math.floor(Math.random() * 99_000_000)}`,
          alertType: 1,
          componentName: `Valve ${index} (V9-${index})`,
          logGeneratedAt: new Date().toISOString(),
          severity: 'medium',
          description: `${words} ${word}`,
        },
      }),
    )
    for (let sent = 0; sent < count; sent += BATCH) await this.send(items.slice(sent, sent + BATCH))
    return word
  }

  async clear(raised: Raised): Promise<void> {
    await this.send([
      { ...this.#head(raised.subject), type: 'benchwatch.alarm.cleared', data: { alertId: raised.alertId } },
    ])
  }

  /** Tells which statuses an instrument took on, oldest first. */
  async tellStatuses(subject: string, statuses: { status: InstrumentStatus; at: Date; run?: string }[]): Promise<void> {
    await this.send(
      statuses.map(({ status, at, run }) => ({
        ...this.#head(subject),
        time: at.toISOString(),
        type: 'benchwatch.status.changed',
        data: { instrumentStatus: status, ...(run !== undefined && { run }) },
      })),
    )
  }

  /** Reports lines that an instrument wrote to one of its logs. */
  async tellLog(subject: string, { logType, lines }: Pick<LogAppended['data'], 'logType' | 'lines'>): Promise<void> {
    const items: IngestItemInput[] = []
    for (let told = 0; told < lines.length; told += LOG_LINES)
      items.push({
        ...this.#head(subject),
        type: 'benchwatch.log.appended',
        data: { logType, lines: lines.slice(told, told + LOG_LINES) },
      })
    await this.send(items)
  }

  /** The sign of life of the gateway itself. */
  async heartbeat(): Promise<void> {
    await this.send([{ ...this.#head(this.#gateway), type: 'benchwatch.heartbeat', data: {} }])
  }

  async send(items: IngestItemInput[]): Promise<void> {
    const answer = await this.#client.call('ingestBatch', {
      params: { gateway: this.#gateway },
      body: items,
      mediaType: 'application/cloudevents-batch+json',
    })
    if (answer.accepted !== items.length) throw new Error(`Not taken: ${JSON.stringify(answer)}`)
  }

  #head(subject: string) {
    this.#sequence += 1
    return {
      specversion: '1.0' as const,
      id: `${this.#epoch}-${this.#sequence}`,
      source: `/gateways/${this.#gateway}`,
      subject,
      time: new Date().toISOString(),
      sequence: this.#sequence,
    }
  }
}
