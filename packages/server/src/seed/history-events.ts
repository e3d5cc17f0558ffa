import type { AlertType, InstrumentStatus, Severity } from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import type { HistoricItem } from '@benchwatch/samples/simulator/history'
import { dayAt, isFullSupport, type SupportContract } from '../features/registry/full-support.ts'
import type { Colleague } from './demo-people.store.ts'
import { type HandlingStep, handle } from './handling.ts'

/** A registered instrument as history needs it. */
export interface HistoryInstrument {
  id: number
  type: string
  gatewayId: number
  customerId: number
  siteId: number
  timeZone: string
  contract: SupportContract | null
}

export interface HistoryTemplate {
  severity: Severity
  description: string
  userMessage: string | null
}

/** An event as the fortnight left it. */
export interface HistoryEvent {
  createdAt: Date
  logGeneratedAt: Date
  clearedAt: Date | null
  alertId: string
  furtherAlertIds: string[]
  latched: number
  templateId: string
  componentName: string
  severity: Severity
  alertType: AlertType
  description: string
  userMessage: string | null
  instrument: HistoryInstrument
  statusAtEvent: InstrumentStatus
  fullSupport: boolean
  steps: HandlingStep[]
}

export interface HistoryStatus {
  instrumentId: number
  at: Date
  sequence: number
  status: InstrumentStatus
}

export interface HistoryLogLine {
  instrumentId: number
  logType: string
  line: Extract<HistoricItem['item'], { type: 'benchwatch.log.appended' }>['data']['lines'][number]
  receivedAt: Date
}

export interface History {
  events: HistoryEvent[]
  statuses: HistoryStatus[]
  logLines: HistoryLogLine[]
}

interface Surroundings {
  instruments: ReadonlyMap<string, HistoryInstrument>
  /** By `<instrumentType>/<templateId>`. */
  templates: ReadonlyMap<string, HistoryTemplate>
  colleagues: readonly Colleague[]
  random: SeededRandom
  until: Date
}

/** The way of an item from the instrument to the server. */
const DELIVERY_MS = 1200

/**
 * What the fortnight's items and the people who dealt with them leave behind. Repeats are latched as ingest does it, with
 * people closing events in between; that is why events and their handling are made in one pass.
 */
export function historyOf(items: Iterable<HistoricItem>, around: Surroundings): History {
  const history: History = { events: [], statuses: [], logLines: [] }
  const latches = new Map<string, HistoryEvent>()
  const byAlert = new Map<string, HistoryEvent>()
  const statuses = new Map<number, HistoryStatus[]>()

  for (const { item } of items) {
    const instrument = around.instruments.get(item.subject)
    if (!instrument) continue
    const receivedAt = new Date(Date.parse(item.time) + DELIVERY_MS)
    switch (item.type) {
      case 'benchwatch.status.changed': {
        const { instrumentStatus: status } = item.data
        const report = { instrumentId: instrument.id, at: new Date(item.time), sequence: Number(item.sequence), status }
        history.statuses.push(report)
        const known = statuses.get(instrument.id)
        if (known) known.push(report)
        else statuses.set(instrument.id, [report])
        break
      }
      case 'benchwatch.log.appended':
        for (const line of item.data.lines) {
          history.logLines.push({ instrumentId: instrument.id, logType: item.data.logType, line, receivedAt })
        }
        break
      case 'benchwatch.alarm.cleared': {
        const event = byAlert.get(item.data.alertId)
        if (event) event.clearedAt ??= new Date(item.time)
        break
      }
      case 'benchwatch.alarm.raised': {
        const latch = `${instrument.id} ${item.data.templateId} ${item.data.componentName}`
        const open = latches.get(latch)
        if (open && isOpen(open, receivedAt)) {
          open.latched += 1
          if (open.alertId !== item.data.alertId && !open.furtherAlertIds.includes(item.data.alertId)) {
            open.furtherAlertIds.push(item.data.alertId)
          }
          byAlert.set(item.data.alertId, open)
          break
        }
        const statusAtEvent = statusBefore(statuses.get(instrument.id) ?? [], {
          at: new Date(item.data.logGeneratedAt),
          sequence: Number(item.sequence),
        })
        const event = newEvent({ data: item.data, instrument, statusAtEvent, createdAt: receivedAt }, around)
        history.events.push(event)
        latches.set(latch, event)
        byAlert.set(item.data.alertId, event)
        break
      }
      case 'benchwatch.heartbeat':
        break
    }
  }
  return history
}

function isOpen(event: HistoryEvent, at: Date): boolean {
  const end = event.steps.find(({ state }) => state.alertStatus === '3_CLOSED')
  return event.clearedAt === null && (end === undefined || end.at > at)
}

function statusBefore(
  reports: readonly HistoryStatus[],
  { at, sequence }: { at: Date; sequence: number },
): InstrumentStatus {
  const before = reports.findLast(
    (report) => report.at < at || (report.at.getTime() === at.getTime() && report.sequence < sequence),
  )
  return (before ?? reports.at(-1))?.status ?? 'Unknown'
}

interface Raised {
  data: Extract<HistoricItem['item'], { type: 'benchwatch.alarm.raised' }>['data']
  instrument: HistoryInstrument
  statusAtEvent: InstrumentStatus
  createdAt: Date
}

function newEvent({ data, instrument, statusAtEvent, createdAt }: Raised, around: Surroundings): HistoryEvent {
  const template = around.templates.get(`${instrument.type}/${data.templateId}`)
  const severity = data.severity ?? template?.severity ?? 'high'
  return {
    createdAt,
    logGeneratedAt: new Date(data.logGeneratedAt),
    clearedAt: null,
    alertId: data.alertId,
    furtherAlertIds: [],
    latched: 0,
    templateId: data.templateId,
    componentName: data.componentName,
    severity,
    alertType: data.alertType,
    description: data.description ?? template?.description ?? `${data.templateId} on ${data.componentName}`,
    userMessage: data.userMessage ?? template?.userMessage ?? null,
    instrument,
    statusAtEvent,
    fullSupport: isFullSupport(instrument.contract, dayAt(instrument.timeZone, createdAt)),
    steps: handle(
      { createdAt, severity, customerId: instrument.customerId },
      { random: around.random.fork(data.alertId), colleagues: around.colleagues, until: around.until },
    ),
  }
}
