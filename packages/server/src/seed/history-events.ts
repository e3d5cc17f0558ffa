import type { AlertType, InstrumentStatus, Severity } from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import type { HistoricItem } from '@benchwatch/samples/simulator/history'
import { dayAt, isFullSupport } from '../features/registry/full-support.ts'
import { type AutomaticEmail, mailedAbout } from './automatic-emails.ts'
import type { Colleague } from './demo-people.ts'
import { type HandlingStep, handle } from './handling.ts'
import type { HistoryInstrument, HistoryTemplate } from './history-fixture.store.ts'

interface Texts {
  description: string
  userMessage: string | null
}

/** Messages of control software that is set to the language of the laboratory: "check it, note it, continue". */
const localMessages: Readonly<Record<string, string>> = {
  'konan-seiyaku': '装置が異常を報告しました。現場で確認し、記録してから運転を再開してください。',
  'yunling-biopharma': '设备报告异常。请现场检查并记录后再继续运行。',
  'delta-bioprocess': 'أبلغ الجهاز عن خلل. افحصه في الموقع وسجّل الملاحظة قبل متابعة التشغيل.',
}

const LOCAL = 0.3

/** Share of the events that contain the whole trace of the controller: about 2,000 characters. */
const VERBOSE = 0.004

const READINGS = 44

/** An event in its state at the end of the history. */
export interface HistoryEvent {
  createdAt: Date
  logGeneratedAt: Date
  clearedAt: Date | null
  alertId: string
  furtherAlertIds: string[]
  latched: number
  templateId: string
  /** Null for a lost connection, as are instrumentId and statusAtEvent for one of a gateway. */
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
  /** Absent for a lost connection. */
  runId?: number | null
  fullSupport: boolean
  automaticEmail: AutomaticEmail | null
  steps: HandlingStep[]
}

type Raised = Extract<HistoricItem['item'], { type: 'benchwatch.alarm.raised' }>
type Cleared = Extract<HistoricItem['item'], { type: 'benchwatch.alarm.cleared' }>

interface Surroundings {
  /** Keys are `<instrumentType>/<templateId>`. */
  templates: ReadonlyMap<string, HistoryTemplate>
  colleagues: readonly Colleague[]
  random: SeededRandom
  until: Date
}

/**
 * The events that raises and clears create, and their handling by users. Repeats are latched as ingest does, and users
 * close events in between, so events and their handling are created in one pass.
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
    told: { instrument: HistoryInstrument; statusAtEvent: InstrumentStatus; runId: number | null; receivedAt: Date },
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

  /** Adds events that instruments don't report. */
  add(events: readonly HistoryEvent[]): void {
    this.#events.push(...events)
  }

  /** Returns all events in order of creation: delayed ones come after others that happened later. */
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
  told: { instrument: HistoryInstrument; statusAtEvent: InstrumentStatus; runId: number | null; receivedAt: Date },
  around: Surroundings,
): HistoryEvent {
  const { instrument, statusAtEvent, runId, receivedAt } = told
  const template = around.templates.get(`${instrument.type}/${data.templateId}`)
  const severity = data.severity ?? template?.severity ?? 'high'
  const random = around.random.fork(data.alertId)
  const texts = reportedTexts(
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
    runId,
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

/** Returns the texts of an event as the instruments of this laboratory send them. */
function reportedTexts(
  { description, userMessage }: Texts,
  { customerKey, random }: { customerKey: string; random: SeededRandom },
): Texts {
  const local = localMessages[customerKey]
  const isLocal = local !== undefined && random.chance(LOCAL)
  return {
    description: random.chance(VERBOSE) ? `${description} ${readings(random)}` : description,
    userMessage: isLocal ? local : userMessage,
  }
}

function readings(random: SeededRandom): string {
  const lines = Array.from({ length: READINGS }, (_, index) => {
    const pressure = random.between(0.2, 6.4).toFixed(2)
    return `t-${String(READINGS - index).padStart(2, '0')} s: ${pressure} MPa, ${random.between(0, 150).toFixed(1)} mL/min`
  })
  return `Controller readings before the event: ${lines.join('; ')}.`
}
