import type { IngestItemInput } from '@benchwatch/contract/ingest'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import type { BenchData } from '../generate/bench-data.ts'
import { eventTexts } from '../generate/event-texts.ts'
import { type ApiClient, apiClient } from '../product/api-client.ts'

/** Numbers the alarms, because a repeat of an open alarm is latched onto its event and makes none. */
let alarms = 0
const random = seededRandom('bench/ingest')
const textOf = eventTexts()

/** Sends alarms for one gateway, one batch after the other, as a gateway does. */
export class GatewaySender {
  readonly #gateway: BenchData['gateways'][number]
  readonly #api: ApiClient
  readonly #epoch: string
  #sequence = 0

  constructor(baseUrl: string, gateway: BenchData['gateways'][number]) {
    this.#gateway = gateway
    this.#api = apiClient({
      baseUrl,
      bearer: gateway.key,
      connections: 1,
      contentType: 'application/cloudevents-batch+json',
    })
    this.#epoch = `measured-${Date.now().toString(36)}-${process.pid}`
  }

  /** Makes this many new alarms, spread over the instruments of the gateway. */
  alarms(count: number): IngestItemInput[] {
    return Array.from({ length: count }, () => this.#alarm())
  }

  #alarm(): IngestItemInput {
    const { name, instruments } = this.#gateway
    const { alertType, component, description, severity, userMessage } = textOf(
      { id: this.#sequence % instruments.length, type: 'AKTAPure' },
      random,
    )
    alarms += 1
    this.#sequence += 1
    const now = new Date().toISOString()
    return {
      specversion: '1.0',
      id: `${this.#epoch}-${this.#sequence}`,
      source: `/gateways/${name}`,
      subject: instruments[this.#sequence % instruments.length] ?? '',
      time: now,
      sequence: this.#sequence,
      type: 'benchwatch.alarm.raised',
      data: {
        alertId: `measured-${alarms}`,
        templateId: `BEN-${alarms}`,
        ...{ alertType, componentName: component, logGeneratedAt: now, severity, description },
        ...(userMessage !== null && { userMessage }),
      },
    }
  }

  /** Sends items in one batch. Throws unless the server has stored all of them. */
  async send(items: readonly IngestItemInput[]): Promise<void> {
    const path = `/api/ingest/v1/gateways/${this.#gateway.name}/batches`
    const { accepted, rejected } = await this.#api.call<{ accepted: number; rejected: unknown[] }>('POST', path, items)
    if (accepted !== items.length)
      throw new Error(`${accepted} of ${items.length} items were accepted: ${JSON.stringify(rejected)}`)
  }

  close(): void {
    this.#api.close()
  }
}
