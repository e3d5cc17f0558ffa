import type { IngestItem } from '@benchwatch/contract/ingest'
import type { Trx } from '../../../db/connect.ts'
import type { Announcement } from '../../../db/queues/outbox.ts'
import { BeginAgain } from '../../../db/transaction.ts'
import { creationMessage, type NewServiceEvent, updateMessage } from '../../events/change-record.ts'
import { insertServiceEvents } from '../../events/events.store.ts'
import { dayAt, isFullSupport, isRunning } from '../../registry/full-support.ts'
import { holdBack, readUnclearedHeldBack, reportHeldBack } from '../held-back.store.ts'
import { isOfFormer, type LockedInstrument } from '../inbox.store.ts'
import { KnownIds } from '../read-items.ts'
import { componentIds } from '../readings.store.ts'
import {
  type AlarmOutcome,
  type Clear,
  type EventOutcome,
  followAlarms,
  type ItemOrder,
  type Raise,
} from './alarm-outcome.ts'
import {
  applyOutcomes,
  countFirstRepeats,
  type FurtherAlert,
  nameFurtherAlerts,
  type RaiseSurroundings,
  type ReportedEvent,
  readFormerOwners,
  readKnownAlarms,
  readSurroundings,
  storePendingClears,
} from './alarms.store.ts'

type RaisedItem = Extract<IngestItem, { type: 'benchwatch.alarm.raised' }>
type ClearedItem = Extract<IngestItem, { type: 'benchwatch.alarm.cleared' }>

/** An alarm item of an instrument that belongs to the sending gateway. */
export interface AlarmItem {
  item: RaisedItem | ClearedItem
  instrument: LockedInstrument
  order: ItemOrder
  /** Source of its event, one of the values in 3-decisions 4. */
  alertSource: string
}

interface KnownRaise extends Raise {
  item: RaisedItem
  alertSource: string
  instrument: LockedInstrument
  logGeneratedAt: Date
}

/** A raise with the data that its event takes from other tables. */
interface SurroundedRaise extends KnownRaise {
  around: RaiseSurroundings
}

type Outcome = Pick<AlarmOutcome<SurroundedRaise>, 'raised' | 'touched' | 'touchedHeldBack'>

/** Outcome of an alarm while its event was held back. */
export interface HeldBackOutcome {
  raises: number
  /** Alert ids of all its raises. */
  alertIds: readonly string[]
  clearedAt: Date | null
}

/**
 * Applies raises and clears to events, in the given order, and returns the live messages. New events count as created
 * `now`, by the server's clock; logGeneratedAt is when they happened. With `mayHoldBack`, instruments without a
 * running contract get no event if the deployment is configured so (3-decisions 5).
 */
export async function storeAlarms(
  trx: Trx,
  {
    alarms,
    now,
    components,
    mayHoldBack = false,
  }: { alarms: readonly AlarmItem[]; now: Date; components: KnownIds; mayHoldBack?: boolean },
): Promise<Announcement[]> {
  if (alarms.length === 0) return []
  const owned = await withOwners(trx, alarms)
  const items = await withSurroundings(trx, await withComponents(trx, owned, components), { now, mayHoldBack })
  const known = await readKnownAlarms(trx, items)
  const heldBack = mayHoldBack ? await readUnclearedHeldBack(trx, items) : []
  const outcome = followAlarms(items, { ...known, heldBack })
  await storePendingClears(trx, outcome)
  return storeOutcome(trx, outcome, { alarms, now })
}

/**
 * Creates the event that was held back, from its first raise, in the state that it would have now if it had been
 * created then. If an event of the same alarm is open, it counts these raises instead, unless the held-back alarm has
 * returned to normal: then it would have been an earlier, separate event.
 */
export async function storeHeldBackAlarm(
  trx: Trx,
  { alarm, held, now }: { alarm: AlarmItem; held: HeldBackOutcome; now: Date },
): Promise<Announcement[]> {
  const alarms = [alarm]
  const items = await withSurroundings(trx, await withComponents(trx, alarms, new KnownIds()), {
    now,
    mayHoldBack: false,
  })
  const uncleared = held.clearedAt ? [] : (await readKnownAlarms(trx, items)).uncleared
  // No clear is pending: a 'cleared' that overtook one of its raises, or came after it, is in `held`.
  const outcome = followAlarms(items, { uncleared, pending: [] })
  for (const event of [...outcome.raised, ...outcome.touched.values()]) {
    event.latched += held.raises - 1
    event.furtherAlertIds.push(...held.alertIds.filter((alertId) => alertId !== alarm.item.data.alertId))
    event.clearedAt = held.clearedAt
  }
  return storeOutcome(trx, outcome, { alarms, now })
}

async function storeOutcome(
  trx: Trx,
  outcome: Outcome,
  { alarms, now }: { alarms: readonly AlarmItem[]; now: Date },
): Promise<Announcement[]> {
  // Ends first: an event that returns to normal here makes room for a new one of the same alarm.
  const reported = await applyOutcomes(trx, outcome.touched)
  await reportHeldBack(trx, outcome.touchedHeldBack)
  const created = await createEvents(trx, outcome.raised, now)
  await countFirstRepeats(
    trx,
    new Map(created.filter(({ latched }) => latched > 0).map(({ id, latched }) => [id, latched])),
  )
  await nameFurtherAlerts(trx, [
    ...created.flatMap(({ id, raise, furtherAlertIds }) => furtherAlerts(id, raise.instrumentId, furtherAlertIds)),
    ...reported.flatMap(({ id, instrumentId }) =>
      furtherAlerts(id, instrumentId, outcome.touched.get(id)?.furtherAlertIds ?? []),
    ),
  ])
  const ipids = new Map(alarms.map(({ instrument }) => [instrument.id, instrument.installedProductId]))
  return [
    ...created.map(creation),
    ...reported.flatMap((event) => updates(event, outcome.touched.get(event.id), ipids.get(event.instrumentId) ?? '')),
  ]
}

/** Counts a repeat on an event that the caller found open and has locked, and returns the live messages. */
export async function latchOnto(
  trx: Trx,
  { id, installedProductId }: { id: number; installedProductId: string },
): Promise<Announcement[]> {
  const outcome: EventOutcome = { latched: 1, furtherAlertIds: [], clearedAt: null }
  const reported = await applyOutcomes(trx, new Map([[id, outcome]]))
  return reported.flatMap((event) => updates(event, outcome, installedProductId))
}

/** Gives alarms from before a move to the customer and site that the instrument had then. */
async function withOwners(trx: Trx, alarms: readonly AlarmItem[]): Promise<readonly AlarmItem[]> {
  const late = alarms.filter(isOfFormer)
  if (late.length === 0) return alarms
  const owners = await readFormerOwners(
    trx,
    late.map(({ item, instrument }) => ({ instrumentId: instrument.id, time: item.time })),
  )
  const byAlarm = new Map(late.map((alarm, index) => [alarm, owners[index]]))
  return alarms.map((alarm) => ({ ...alarm, instrument: { ...alarm.instrument, ...byAlarm.get(alarm) } }))
}

async function withComponents(
  trx: Trx,
  alarms: readonly AlarmItem[],
  knownIds: KnownIds,
): Promise<(KnownRaise | Clear)[]> {
  const components = await componentIds(
    trx,
    alarms.flatMap(({ item }) => (item.type === 'benchwatch.alarm.raised' ? [item.data.componentName] : [])),
    knownIds,
  )
  return alarms.map(({ item, instrument, order, alertSource }) => {
    const common = { instrumentId: instrument.id, alertId: item.data.alertId, order, time: item.time }
    if (item.type === 'benchwatch.alarm.cleared') return { kind: 'cleared', ...common }
    const componentId = components.get(item.data.componentName)
    if (componentId === undefined) throw new Error(`The component ${item.data.componentName} was not stored.`)
    const { templateId, logGeneratedAt, count } = item.data
    const { customerId } = instrument
    return {
      kind: 'raised',
      ...common,
      customerId,
      templateId,
      componentId,
      count,
      item,
      alertSource,
      instrument,
      logGeneratedAt,
    }
  })
}

async function withSurroundings(
  trx: Trx,
  items: readonly (KnownRaise | Clear)[],
  { now, mayHoldBack }: { now: Date; mayHoldBack: boolean },
): Promise<(SurroundedRaise | Clear)[]> {
  const raises = items.filter((item) => item.kind === 'raised')
  // The clock of an instrument may be ahead, and what it reported after the move belongs to the present customer.
  const placed = raises.map((raise) =>
    isOfFormer(raise) && raise.time < raise.logGeneratedAt ? { ...raise, logGeneratedAt: raise.time } : raise,
  )
  const surroundings = raises.length > 0 ? await readSurroundings(trx, placed) : []
  const byRaise = new Map(raises.map((raise, index) => [raise, surroundings[index]]))
  return items.map((item) => {
    if (item.kind === 'cleared') return item
    const around = byRaise.get(item)
    if (!around) throw new Error(`The instrument ${item.instrument.installedProductId} vanished.`)
    // The contract is the present customer's, and what is held back can only be released for that one.
    if (isOfFormer(item)) return { ...item, around: { ...around, contract: null }, isHeldBack: false }
    return { ...item, around, isHeldBack: mayHoldBack && item.alertSource !== 'TEST' && lacksContract(around, now) }
  })
}

type CreatedEvent = EventOutcome & { id: number; raise: KnownRaise; event: NewServiceEvent }

async function createEvents(
  trx: Trx,
  raised: readonly (EventOutcome & { raise: SurroundedRaise })[],
  now: Date,
): Promise<CreatedEvent[]> {
  const drafts = raised.map((outcome) => ({
    ...outcome,
    event: { ...newEvent(outcome.raise, now), clearedAt: outcome.clearedAt },
  }))
  await holdBack(
    trx,
    drafts.filter(({ raise }) => raise.isHeldBack),
    now,
  )
  const made = drafts.filter(({ raise }) => !raise.isHeldBack)
  if (made.length === 0) return []
  const ids = await insertServiceEvents(
    trx,
    made.map(({ event }) => event),
  )
  return made.map((draft, index) => {
    const id = ids.get(index)
    // Another writer raised the same alarm without the instrument's lock, so the open events must be read again.
    if (id === undefined) throw new BeginAgain()
    return { ...draft, id }
  })
}

/** True if the deployment creates events only under a running contract, and there is none. */
function lacksContract({ isContractRequired, contract, timeZone }: RaiseSurroundings, now: Date): boolean {
  return isContractRequired && !isRunning(contract, dayAt(timeZone, now))
}

/** An alarm is not lost because its template is unknown (docs/decisions/0010). */
function newEvent(raise: SurroundedRaise, now: Date): NewServiceEvent {
  const { data } = raise.item
  const { around } = raise
  const { template } = around
  return {
    createdAt: now,
    logGeneratedAt: data.logGeneratedAt,
    alertId: data.alertId,
    templateId: data.templateId,
    severity: data.severity ?? template?.severity ?? 'high',
    alertType: data.alertType,
    alertSource: raise.alertSource,
    description: data.description || template?.description || `${data.templateId} on ${data.componentName}`,
    userMessage: data.userMessage || template?.userMessage || null,
    instrumentId: raise.instrumentId,
    componentId: raise.componentId,
    gatewayId: raise.instrument.gatewayId,
    siteId: raise.instrument.siteId,
    customerId: raise.customerId,
    instrumentStatusAtEvent: around.status,
    duringMaintenance: around.duringMaintenance,
    fullSupport: isFullSupport(around.contract, dayAt(around.timeZone, now)),
  }
}

function furtherAlerts(eventId: number, instrumentId: number, alertIds: readonly string[]): FurtherAlert[] {
  return alertIds.map((alertId) => ({ instrumentId, alertId, eventId }))
}

function creation({ id, event, raise }: CreatedEvent): Announcement {
  return creationMessage({ id, event, installedProductId: raise.instrument.installedProductId })
}

function updates(event: ReportedEvent, outcome: EventOutcome | undefined, installedProductId: string): Announcement[] {
  const changed = { ...event, installedProductId }
  const messages: Announcement[] = []
  if (outcome && outcome.latched > 0)
    messages.push(updateMessage(changed, 'latchedCount', { latchedCount: event.latchedCount }))
  if (outcome?.clearedAt)
    messages.push(updateMessage(changed, 'clearedAt', { clearedAt: event.clearedAt?.toISOString() ?? null }))
  return messages
}
