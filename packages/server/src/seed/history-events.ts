import type { AlertType, InstrumentStatus, Severity } from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import type { HistoricItem } from '@benchwatch/samples/simulator/history'
import { dayAt, isFullSupport } from '../features/registry/full-support.ts'
import { type AutomaticEmail, mailedAbout } from './automatic-emails.ts'
import type { Colleague } from './demo-people.store.ts'
import { type HandlingStep, handle } from './handling.ts'
import type { HistoryInstrument, HistoryTemplate } from './history-ground.store.ts'
import { toldTexts } from './told-texts.ts'

/** An event as history left it. */
export interface HistoryEvent {
  createdAt: Date
  logGeneratedAt: Date
  clearedAt: Date | null
  alertId: string
  furtherAlertIds: string[]
  latched: number
  templateId: string
  /** Null for an edge issue, as are instrumentId and statusAtEvent. */
  componentName: string | null
  severity: Severity
  alertType: AlertType
  isEdgeIssue: boolean
  description: string
  userMessage: string | null
  instrumentId: number | null
  gatewayId: number
  siteId: number
  customerId: number
  statusAtEvent: InstrumentStatus | null
  fullSupport: boolean
  automaticEmail: AutomaticEmail | null
  steps: HandlingStep[]
}

type Raised = Extract<HistoricItem['item'], { type: 'benchwatch.alarm.raised' }>
type Cleared = Extract<HistoricItem['item'], { type: 'benchwatch.alarm.cleared' }>

interface Surroundings {
  /** By `<instrumentType>/<templateId>`. */
  templates: ReadonlyMap<string, HistoryTemplate>
  colleagues: readonly Colleague[]
  random: SeededRandom
  until: Date
}

/**
 * The events that raises and clears make, and what people did about them. Repeats are latched as ingest does it, with
 * people closing events in between; that is why events and their handling are made in one pass.
 */
export class HistoryEvents {
  readonly #around: Surroundings
  readonly #events: HistoryEvent[] = []
  /** Newest event of each instrument, template and component. */
  readonly #latches = new Map<string, HistoryEvent>()
  readonly #byAlert = new Map<string, HistoryEvent>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  raise(
    { data }: Raised,
    told: { instrument: HistoryInstrument; statusAtEvent: InstrumentStatus; receivedAt: Date },
  ): void {
    const latch = `${told.instrument.id} ${data.templateId} ${data.componentName}`
    const open = this.#latches.get(latch)
    if (open && isOpen(open, told.receivedAt)) {
      open.latched += 1
      if (open.alertId !== data.alertId && !open.furtherAlertIds.includes(data.alertId)) {
        open.furtherAlertIds.push(data.alertId)
      }
      this.#byAlert.set(data.alertId, open)
      return
    }
    const event = newEvent(data, told, this.#around)
    this.#events.push(event)
    this.#latches.set(latch, event)
    this.#byAlert.set(data.alertId, event)
  }

  clear({ data, time }: Cleared): void {
    const event = this.#byAlert.get(data.alertId)
    if (!event) return
    event.clearedAt ??= new Date(time)
    this.#byAlert.delete(data.alertId)
  }

  /** Beside what instruments report. */
  add(events: readonly HistoryEvent[]): void {
    this.#events.push(...events)
  }

  /** All of them, in the order in which they were created: delayed ones came after others that happened later. */
  inOrder(): HistoryEvent[] {
    return this.#events.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  }
}

function isOpen(event: HistoryEvent, at: Date): boolean {
  const end = event.steps.find(({ state }) => state.alertStatus === '3_CLOSED')
  return event.clearedAt === null && (end === undefined || end.at > at)
}

function newEvent(
  data: Raised['data'],
  told: { instrument: HistoryInstrument; statusAtEvent: InstrumentStatus; receivedAt: Date },
  around: Surroundings,
): HistoryEvent {
  const { instrument, statusAtEvent, receivedAt } = told
  const template = around.templates.get(`${instrument.type}/${data.templateId}`)
  const severity = data.severity ?? template?.severity ?? 'high'
  const random = around.random.fork(data.alertId)
  const texts = toldTexts(
    {
      description: data.description ?? template?.description ?? `${data.templateId} on ${data.componentName}`,
      userMessage: data.userMessage ?? template?.userMessage ?? null,
    },
    { customerKey: instrument.customerKey, random: random.fork('texts') },
  )
  const mailed = mailedAbout(
    { templateId: data.templateId, description: texts.description, createdAt: receivedAt },
    { instrument, template, random: random.fork('mail'), until: around.until },
  )
  return {
    createdAt: receivedAt,
    logGeneratedAt: new Date(data.logGeneratedAt),
    clearedAt: null,
    alertId: data.alertId,
    furtherAlertIds: [],
    latched: 0,
    templateId: data.templateId,
    componentName: data.componentName,
    severity,
    alertType: data.alertType,
    isEdgeIssue: false,
    ...texts,
    instrumentId: instrument.id,
    gatewayId: instrument.gatewayId,
    siteId: instrument.siteId,
    customerId: instrument.customerId,
    statusAtEvent,
    fullSupport: isFullSupport(instrument.contract, dayAt(instrument.timeZone, receivedAt)),
    automaticEmail: mailed?.email ?? null,
    steps: mailed?.closing
      ? [mailed.closing]
      : handle(
          { createdAt: receivedAt, severity, customerId: instrument.customerId },
          { random, colleagues: around.colleagues, until: around.until },
        ),
  }
}
