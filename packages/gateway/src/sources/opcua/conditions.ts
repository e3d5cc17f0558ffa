import type { Facts } from '../../mapping/templates.ts'

/**
 * The rule that turns events of OPC UA conditions into alarms that are raised once and cleared once (OPC 10000-9).
 *
 * A server repeats a condition whenever anything about it changes: its level, its severity, an acknowledgement, a
 * comment. Only the change between active and not active is an alarm.
 */

/** An event of a condition. Fields are null where the server does not have them. */
export interface ConditionFacts extends Facts {
  /** Names the condition; stays the same when the server restarts. */
  key: string
  enabled: boolean | null
  active: boolean | null
  /** False once the server considers the condition irrelevant. */
  retain: boolean | null
  severity: number | null
  time: Date
}

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
