/** The kind of an item. */
export type ItemKind = 'alarm' | 'cleared' | 'status' | 'log' | 'heartbeat'

/** One item as its gateway knows it. Times are milliseconds of this machine's clock. */
export interface LedgerEntry {
  gateway: string
  itemId: string
  kind: ItemKind
  /** Identifies the item in the database: the alert id of an alarm, the message of a log line. */
  mark: string
  firstSentAt: number | null
  sends: number
  acknowledgedAt: number | null
}

/**
 * Everything that gateways note before they send and after they are answered. It is compared with the database after
 * the fault.
 */
export class Ledger {
  readonly #entries = new Map<string, LedgerEntry>()
  rejected = 0
  /** The time of the last acknowledgement. */
  lastAcknowledgedAt = 0

  add(item: Pick<LedgerEntry, 'gateway' | 'itemId' | 'kind' | 'mark'>): void {
    this.#entries.set(nameOf(item), { ...item, firstSentAt: null, sends: 0, acknowledgedAt: null })
  }

  /** Called before the first byte leaves. */
  noteSending(gateway: string, itemIds: readonly string[]): void {
    const now = Date.now()
    for (const itemId of itemIds) {
      const entry = this.#entries.get(nameOf({ gateway, itemId }))
      if (!entry) throw new Error(`${gateway} sends ${itemId}, which it never noted.`)
      entry.firstSentAt ??= now
      entry.sends += 1
    }
  }

  /** Called for each item of a batch that was answered 200 and not rejected. */
  noteAcknowledged(gateway: string, itemIds: readonly string[]): void {
    const now = Date.now()
    for (const itemId of itemIds) {
      const entry = this.#entries.get(nameOf({ gateway, itemId }))
      if (entry) entry.acknowledgedAt ??= now
    }
    if (itemIds.length > 0) this.lastAcknowledgedAt = now
  }

  entries(): LedgerEntry[] {
    return [...this.#entries.values()]
  }

  get sent(): number {
    return count(this.#entries.values(), (entry) => entry.firstSentAt !== null)
  }

  get acknowledged(): number {
    return count(this.#entries.values(), (entry) => entry.acknowledgedAt !== null)
  }
}

export function nameOf({ gateway, itemId }: Pick<LedgerEntry, 'gateway' | 'itemId'>): string {
  return `${gateway} ${itemId}`
}

function count<T>(of: Iterable<T>, isMeant: (one: T) => boolean): number {
  let found = 0
  for (const one of of) if (isMeant(one)) found += 1
  return found
}
