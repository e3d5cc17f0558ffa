import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Variant } from 'node-opcua-client'
import type { RunningMapping } from '../../mapping/mapping.ts'
import type { Facts } from '../../mapping/templates.ts'
import type { SourceContext } from '../../source.ts'
import {
  type ConditionFacts,
  conditionFacts,
  eventFacts,
  isConditionKey,
  type OpcUaEvent,
  overflowType,
  readEvent,
  refreshEndType,
  refreshRequiredType,
  refreshStartType,
} from './facts.ts'

/** Takes what a server sends to the mapping, in its order, one batch after the other. */

const BATCH = 1_000
/** While the disk is full, more than this is not held in memory: conditions are refreshed afterwards. */
const MOST_WAITING = 20_000
const STORE_AGAIN_MS = 1_000

/** How the events of one session are read. */
export interface Reading {
  namespaces: readonly string[]
  /** Names of event types by node id; called before events with new types are mapped. */
  typeNames(types: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The instrument of a source of events; undefined if it belongs to no device. */
  instrumentOf(source: string | null): string | undefined
  /** Asks the server to repeat all its conditions. */
  refresh(): void
}

export interface IntakeOptions {
  mapping: RunningMapping
  fault: SourceContext['fault']
  log: SourceContext['log']
}

type Item = { event: readonly Variant[]; reading: Reading } | { facts: Facts }

export class Intake {
  readonly #options: IntakeOptions
  readonly #conditions = new Conditions()
  #waiting: Item[] = []
  #working: Promise<void> | null = null
  #isHeld = false
  #hasDropped = false
  #isStopping = false

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  event(event: readonly Variant[], reading: Reading): void {
    this.#add({ event, reading })
  }

  facts(facts: Facts): void {
    this.#add({ facts })
  }

  /** Keeps what arrives until `release`. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    this.#working ??= this.#work()
  }

  /** Waits for what has arrived. While the disk is full, that is not waited for. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#working
  }

  #add(item: Item): void {
    if (this.#waiting.length >= MOST_WAITING) {
      if (!this.#hasDropped) this.#options.fault('Messages came faster than they could be stored; some are lost.')
      this.#hasDropped = true
      return
    }
    this.#waiting.push(item)
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    // All events of one answer of the server are mapped together.
    await Promise.resolve()
    while (this.#waiting.length > 0 && !this.#isHeld) {
      const batch = this.#waiting.splice(0, BATCH)
      const reading = batch.findLast((item) => 'reading' in item)?.reading
      await this.#take(batch)
      if (this.#hasDropped && this.#waiting.length === 0) {
        this.#hasDropped = false
        this.#conditions.forget()
        reading?.refresh()
      }
    }
    this.#working = null
  }

  async #take(batch: readonly Item[]): Promise<void> {
    const read = batch.map((item) =>
      'facts' in item ? item : { ...item, read: readEvent(item.event, item.reading.namespaces) },
    )
    const last = batch.findLast((item) => 'reading' in item)
    const types = new Set(read.flatMap((item) => ('read' in item ? item.read.type : [])))
    const names = last && 'reading' in last ? await last.reading.typeNames([...types]) : new Map<string, string>()
    let messages: Facts[] = []
    for (const item of read) {
      if ('facts' in item) messages.push(item.facts)
      else if (item.read.type === refreshEndType) {
        await this.#store(messages)
        messages = []
        const active = this.#conditions.refreshEnds()
        if (active) await this.#clear((key) => isConditionKey(key) && !active.has(key))
      } else {
        const facts = this.#translate(item.read, item.reading, names)
        if (facts?.['kind'] === 'over') {
          await this.#store(messages)
          messages = []
          await this.#clear((key) => key === facts['key'])
        } else if (facts) messages.push(facts)
      }
    }
    await this.#store(messages)
  }

  #translate(event: OpcUaEvent, reading: Reading, names: ReadonlyMap<string, string>): Facts | null {
    switch (event.type) {
      case refreshStartType:
        this.#conditions.refreshStarts()
        return null
      case overflowType:
        this.#options.fault("The server's queue of events overflowed; events without a condition may be lost.")
        reading.refresh()
        return null
      case refreshRequiredType:
        reading.refresh()
        return null
    }
    // A condition that has ended unacknowledged is repeated as a branch that is still active: no second alarm.
    if (event.isBranch) return null
    const resolved = { typeName: names.get(event.type) ?? event.type, instrument: reading.instrumentOf(event.source) }
    if (event.conditionKey !== null) return this.#conditions.take(conditionFacts(event, resolved, new Date()))
    // Transitions of state machines have neither a condition nor a text.
    return event.fields['Message'] === null ? null : eventFacts(event, resolved)
  }

  /** Stores until it works: the mapping takes a repeated message for what it is. */
  async #store(messages: readonly Facts[]): Promise<void> {
    if (messages.length > 0) await this.#untilStored(() => this.#options.mapping.take(messages))
  }

  async #clear(isOver: (key: string) => boolean): Promise<void> {
    await this.#untilStored(() => this.#options.mapping.clearWhere(isOver))
  }

  async #untilStored(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await work()
        return
      } catch (error) {
        this.#options.log.error({ err: error }, 'A message could not be stored. Check the disk.')
        if (this.#isStopping) return
        await pauseFor(STORE_AGAIN_MS)
      }
    }
  }
}

/**
 * The rule that turns events of OPC UA conditions into alarms that are raised once and cleared once (OPC 10000-9).
 *
 * A server repeats a condition whenever anything about it changes: its level, its severity, an acknowledgement, a
 * comment. Only the change between active and not active is an alarm.
 */
export class Conditions {
  /** Active conditions as they were raised, with their last severity. */
  readonly #active = new Map<string, { raised: ConditionFacts; severity: number | null }>()
  /** Conditions that the running refresh has not named yet; null while no refresh is running. */
  #suspects: Set<string> | null = null

  /**
   * Takes an event; returns the message that the mapping gets. It ends an alarm with the facts of its raise, because
   * servers end conditions with severity 0, which could lead to another rule. A change of severity is `kind: change`.
   * `kind: over` is a condition that was raised before the gateway started, if at all.
   */
  take(facts: ConditionFacts): Facts | null {
    const { key, severity, time } = facts
    this.#suspects?.delete(key)
    const known = this.#active.get(key)
    if (!isActive(facts)) {
      this.#active.delete(key)
      return known ? { ...known.raised, active: false, time } : { kind: 'over', key }
    }
    if (!known) {
      this.#active.set(key, { raised: facts, severity })
      return { ...facts, active: true }
    }
    const before = known.severity
    known.severity = severity
    return severity === before ? null : { ...facts, kind: 'change', severityBefore: before }
  }

  /** The server begins to repeat everything that it retains. */
  refreshStarts(): void {
    this.#suspects = new Set(this.#active.keys())
  }

  /**
   * The server has repeated everything: what it did not name has ended unseen. Returns the keys that remain; null for
   * an end without a beginning, whose first conditions may be lost as well.
   */
  refreshEnds(): ReadonlySet<string> | null {
    if (!this.#suspects) return null
    for (const key of this.#suspects) this.#active.delete(key)
    this.#suspects = null
    return new Set(this.#active.keys())
  }

  /** Forgets everything, so that the next refresh reports it again: after a report that could not be stored. */
  forget(): void {
    this.#active.clear()
  }
}

/** Conditions without a state of their own, such as dialogs, count as active while the server retains them. */
function isActive({ enabled, active, retain }: ConditionFacts): boolean {
  if (enabled === false || retain === false) return false
  return active ?? retain === true
}
