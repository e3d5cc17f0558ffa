import type { CountedReport } from '../read-items.ts'

/**
 * The rules for alarms, without the database: which raises make a new event, which repeat an open one, what a
 * 'cleared' ends, and which 'cleared' must wait for its raise (specification: Latched).
 */

/** Position of an item in the sequence of its gateway: the outbox epoch, then the number within it. */
export interface ItemOrder extends CountedReport {
  gatewayId: number
}

export interface Raise {
  kind: 'raised'
  instrumentId: number
  /** The present customer of the instrument: an event of a former customer is never latched. */
  customerId: number
  templateId: string
  componentId: number
  alertId: string
  /** Number of alarms that the gateway merged into this one; 1 if absent. */
  count?: number | undefined
  order: ItemOrder
  /** The gateway's clock. */
  time: Date
  /** True if it makes no event for lack of a running contract. It still counts as a repeat of an open event. */
  isHeldBack?: boolean
}

export interface Clear {
  kind: 'cleared'
  instrumentId: number
  alertId: string
  order: ItemOrder
  time: Date
}

/** An event in the database that has not returned to normal. */
export interface UnclearedEvent {
  id: number
  instrumentId: number
  customerId: number
  templateId: string
  componentId: number
  /** Its own alert id and those of repeats that latched onto it. */
  alertIds: readonly string[]
  isClosed: boolean
}

/** An event that was held back, not released, and has not returned to normal. */
export type UnclearedHeldBack = Omit<UnclearedEvent, 'isClosed'>

/** A 'cleared' that found no event. */
export type PendingClear = Omit<Clear, 'kind'>

/** Changes of one event: the number of repeats, their alert ids, and when it was cleared. */
export interface EventOutcome {
  latched: number
  furtherAlertIds: string[]
  clearedAt: Date | null
}

export interface AlarmOutcome<R extends Raise> {
  /** New events, and new held-back events. */
  raised: (EventOutcome & { raise: R })[]
  /** Stored events that change, by id. */
  touched: Map<number, EventOutcome>
  /** Stored held-back events that change, by id. */
  touchedHeldBack: Map<number, EventOutcome>
  /** Clears to keep until their raise arrives. */
  keep: PendingClear[]
  /** Kept clears that were used or overtaken. */
  forget: Pick<PendingClear, 'instrumentId' | 'alertId'>[]
}

interface Known {
  uncleared: readonly UnclearedEvent[]
  heldBack?: readonly UnclearedHeldBack[]
  pending: readonly PendingClear[]
}

interface Live extends EventOutcome {
  latchKey: string
  /** The map that holds it under that key. */
  latches: Map<string, Live>
  /** Keys under which a 'cleared' finds it. */
  names: string[]
}

/** Computes the outcome of raises and clears in the given order, starting from the stored state. */
export function followAlarms<R extends Raise>(items: readonly (R | Clear)[], known: Known): AlarmOutcome<R> {
  const outcome: AlarmOutcome<R> = {
    raised: [],
    touched: new Map(),
    touchedHeldBack: new Map(),
    keep: [],
    forget: [],
  }
  const latches = new Map<string, Live>()
  // Kept apart: a raise that becomes an event is never counted on a held-back one, where no one would see it.
  const heldBackLatches = new Map<string, Live>()
  const byAlert = new Map<string, Set<Live>>()
  const pending = new Map(known.pending.map((clear) => [alertKey(clear), { clear, isStored: true }]))

  const nameAlert = (live: Live, key: string) => {
    const lives = byAlert.get(key) ?? new Set()
    byAlert.set(key, lives.add(live))
    live.names.push(key)
  }
  const end = (live: Live, at: Date) => {
    live.clearedAt = at
    if (live.latches.get(live.latchKey) === live) live.latches.delete(live.latchKey)
    for (const name of live.names) byAlert.get(name)?.delete(live)
  }

  for (const event of known.uncleared) {
    const live = { ...untouched(), latchKey: latchKey(event), latches, names: [] }
    if (!event.isClosed) latches.set(live.latchKey, live)
    for (const alertId of event.alertIds) nameAlert(live, alertKey({ ...event, alertId }))
    outcome.touched.set(event.id, live)
  }
  for (const held of known.heldBack ?? []) {
    const live = { ...untouched(), latchKey: latchKey(held), latches: heldBackLatches, names: [] }
    heldBackLatches.set(live.latchKey, live)
    for (const alertId of held.alertIds) nameAlert(live, alertKey({ ...held, alertId }))
    outcome.touchedHeldBack.set(held.id, live)
  }

  for (const item of items) {
    const key = alertKey(item)
    if (item.kind === 'cleared') {
      const lives = [...(byAlert.get(key) ?? [])]
      for (const live of lives) end(live, item.time)
      if (lives.length === 0) pending.set(key, { clear: item, isStored: false })
      continue
    }
    const open = latches.get(latchKey(item)) ?? (item.isHeldBack ? heldBackLatches.get(latchKey(item)) : undefined)
    let live: Live
    if (open) {
      live = open
      live.latched += item.count ?? 1
      if (!byAlert.get(key)?.has(live)) live.furtherAlertIds.push(item.alertId)
    } else {
      const place = { latchKey: latchKey(item), latches: item.isHeldBack ? heldBackLatches : latches, names: [] }
      const raised = { ...untouched(), latched: (item.count ?? 1) - 1, ...place, raise: item }
      outcome.raised.push(raised)
      raised.latches.set(raised.latchKey, raised)
      live = raised
    }
    nameAlert(live, key)
    const waiting = pending.get(key)
    if (waiting) {
      pending.delete(key)
      if (waiting.isStored) outcome.forget.push({ instrumentId: item.instrumentId, alertId: item.alertId })
      if (!isAfter(item, waiting.clear)) end(live, waiting.clear.time)
    }
  }

  for (const { clear, isStored } of pending.values()) if (!isStored) outcome.keep.push(clear)
  for (const touched of [outcome.touched, outcome.touchedHeldBack]) {
    for (const [id, { latched, clearedAt }] of touched) if (latched === 0 && clearedAt === null) touched.delete(id)
  }
  return outcome
}

function untouched(): EventOutcome {
  return { latched: 0, furtherAlertIds: [], clearedAt: null }
}

function latchKey(of: Pick<Raise, 'instrumentId' | 'customerId' | 'templateId' | 'componentId'>): string {
  return `${of.instrumentId} ${of.customerId} ${of.componentId} ${of.templateId}`
}

function alertKey(of: Pick<Clear, 'instrumentId' | 'alertId'>): string {
  return `${of.instrumentId} ${of.alertId}`
}

/** True if the raise is newer: then the clear belonged to an earlier raise with the same alert id. */
function isAfter(raise: Raise, clear: PendingClear): boolean {
  if (raise.order.gatewayId !== clear.order.gatewayId) return raise.time > clear.time
  if (raise.order.epoch !== clear.order.epoch) return raise.order.epoch > clear.order.epoch
  return raise.order.sequence > clear.order.sequence
}
