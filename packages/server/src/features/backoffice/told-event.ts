import type { AuditEntry } from '../../db/audit.ts'
import type { Announcement } from '../../db/outbox.ts'

interface ToldEvent {
  id: string
  isNew: boolean
  /** Of an event that was there before. */
  latchedCount: string | null
}

/** The event that the messages about one alarm tell of. */
export function toldEventId(messages: readonly Announcement[]): ToldEvent {
  for (const { message } of messages) {
    if (message.entity !== 'alarm') continue
    if (message.action === 'create') return { id: message.payload.id, isNew: true, latchedCount: null }
    if (message.action === 'update' && message.property === 'latchedCount')
      return { id: message.payload.id, isNew: false, latchedCount: String(message.payload.latchedCount) }
  }
  throw new Error('An alarm was stored without an event.')
}

/** What the record of an event says of its raise: made, or counted once more. */
export function raiseEntry({ isNew, latchedCount }: ToldEvent, reason: string): AuditEntry {
  if (isNew) return { action: 'created', reason }
  return { action: 'update', property: 'latchedCount', newValue: latchedCount, reason }
}
