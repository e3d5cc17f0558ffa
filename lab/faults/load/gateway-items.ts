import { randomUUID } from 'node:crypto'
import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { ItemKind, Ledger } from '../ledger/ledger.ts'
import type { RegisteredGateway } from '../product/fleet.ts'

/** An item in the queue of a gateway. Its text is made once, because it is sent until it is acknowledged. */
export interface QueuedItem {
  id: string
  kind: ItemKind
  text: string
}

/** Distinguishes the alarms of a whole run, so that each one makes its own event and none is latched. */
let alarms = 0

/** Makes the items of one outbox of a gateway and notes each in the ledger. Times default to now. */
export class GatewayItems {
  readonly epoch = randomUUID()
  readonly gateway: RegisteredGateway
  readonly #ledger: Ledger
  #sequence = 0

  constructor(gateway: RegisteredGateway, ledger: Ledger) {
    this.gateway = gateway
    this.#ledger = ledger
  }

  alarm({
    instrument = this.#anyInstrument(),
    time = new Date(),
    logGeneratedAt = time,
  }: {
    instrument?: string
    time?: Date
    logGeneratedAt?: Date
  } = {}): QueuedItem {
    alarms += 1
    const alertId = `${this.epoch}-a${this.#sequence + 1}`
    return this.#item('alarm', alertId, {
      type: 'benchwatch.alarm.raised',
      subject: instrument,
      time: time.toISOString(),
      data: {
        alertId,
        templateId: `FLT-${alarms}`,
        alertType: 1,
        componentName: 'Pump B (P9-B)',
        logGeneratedAt: logGeneratedAt.toISOString(),
        severity: 'medium',
        description: 'Pressure above limit, pump B (P9-B)',
      },
    })
  }

  cleared({
    instrument,
    alertId,
    time = new Date(),
  }: {
    instrument: string
    alertId: string
    time?: Date
  }): QueuedItem {
    return this.#item('cleared', alertId, {
      type: 'benchwatch.alarm.cleared',
      subject: instrument,
      time: time.toISOString(),
      data: { alertId },
    })
  }

  status({
    instrument = this.#anyInstrument(),
    time = new Date(),
    instrumentStatus = this.#sequence % 2 === 0 ? 'ready' : 'method run',
  }: {
    instrument?: string
    time?: Date
    instrumentStatus?: InstrumentStatus
  } = {}): QueuedItem {
    return this.#item('status', `${instrument} ${instrumentStatus}`, {
      type: 'benchwatch.status.changed',
      subject: instrument,
      time: time.toISOString(),
      data: { instrumentStatus },
    })
  }

  /** Makes one log line whose message names its item. */
  log({ instrument = this.#anyInstrument(), time = new Date() } = {}): QueuedItem {
    const message = `Pressure 0.42 MPa, flow 1.00 ml/min, line ${this.epoch}-${this.#sequence + 1}`
    return this.#item('log', message, {
      type: 'benchwatch.log.appended',
      subject: instrument,
      time: time.toISOString(),
      data: { logType: 'VID', lines: [{ timestamp: time.toISOString(), message, module: 'P9-B', level: 'INFO' }] },
    })
  }

  #anyInstrument(): string {
    const { instruments } = this.gateway
    const instrument = instruments[this.#sequence % instruments.length]
    if (instrument === undefined) throw new Error(`${this.gateway.name} has no instrument.`)
    return instrument
  }

  #item(kind: ItemKind, mark: string, content: ItemContent): QueuedItem {
    this.#sequence += 1
    const id = `${this.epoch}-${this.#sequence}`
    this.#ledger.add({ gateway: this.gateway.name, itemId: id, kind, mark })
    const item = {
      specversion: '1.0',
      id,
      source: `/gateways/${this.gateway.name}`,
      sequence: this.#sequence,
      ...content,
    } as IngestItemInput
    return { id, kind, text: JSON.stringify(item) }
  }
}

type ItemContent = IngestItemInput extends infer I
  ? I extends IngestItemInput
    ? Pick<I, 'type' | 'subject' | 'time' | 'data'>
    : never
  : never
