import type { AlarmMessage, UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { OrcStatus, WebhookOccasion } from '@benchwatch/contract/vocabulary'

/** A published live message. `customerId` is null for messages to single users. */
export interface PublishedMessage {
  seq: number
  customerId: number | null
  message: UnnumberedLiveMessage
}

/** Something that webhooks may send. */
export type Occasion = {
  /** Number of its first live message. */
  seq: number
  /** Identifies the occasion, so that it is sent once. */
  key: string
  customerId: number
} & (
  | { occasion: Extract<WebhookOccasion, `event.${string}`>; eventId: number }
  | { occasion: Extract<WebhookOccasion, `instrument.${string}`>; instrumentId: number; orcStatus: OrcStatus }
)

type AlarmUpdate = Extract<AlarmMessage, { action: 'update' }>

/** Counting a repeat and noting an automatic e-mail are not changes by a user. */
const silent: ReadonlySet<AlarmUpdate['property']> = new Set(['latchedCount', 'automaticEmailSentAt'])

/** Returns the ids of the events that these messages are about, except deleted ones. */
export function eventsOf(messages: readonly PublishedMessage[]): number[] {
  const ids = messages.flatMap(({ message }) =>
    message.entity === 'alarm' && message.action !== 'delete' ? [Number(message.payload.id)] : [],
  )
  return [...new Set(ids)]
}

/**
 * Returns the occasions of live messages, in their order. The messages of one change are one occasion, so they must be
 * given together. `closedVersions` holds the version that closed each event: only this one is the close, later ones
 * correct its reason.
 */
export function occasionsOf(
  messages: readonly PublishedMessage[],
  closedVersions: ReadonlyMap<number, number | null>,
): Occasion[] {
  const occasions: Occasion[] = []
  const changes = new Map<string, AlarmUpdate['property'][]>()
  const byChange = Map.groupBy(messages, changeOf)
  for (const { seq, customerId, message } of messages) {
    if (customerId === null) continue
    const add = (
      occasion: Extract<WebhookOccasion, `event.${string}`>,
      { eventId, key }: { eventId: number; key: string },
    ) => occasions.push({ seq, key, customerId, occasion, eventId })
    if (message.entity === 'instrument' && message.property === 'orcStatus') {
      const { id, orcStatus } = message.payload
      if (orcStatus === 'Onboarding') continue
      const occasion = orcStatus === 'Connected' ? 'instrument.back' : 'instrument.lost'
      occasions.push({ seq, key: `instrument:${id}:${seq}`, customerId, occasion, instrumentId: Number(id), orcStatus })
    }
    if (message.entity !== 'alarm' || message.action === 'delete') continue
    const eventId = Number(message.payload.id)
    if (message.action === 'create') add('event.raised', { eventId, key: `raised:${eventId}` })
    else if (message.property === 'clearedAt') add('event.cleared', { eventId, key: clearedKey(eventId) })
    else {
      const change = changeOf({ message })
      if (change === null || changes.has(change)) continue
      const updates = (byChange.get(change) ?? []).map((one) => one.message as AlarmUpdate)
      changes.set(
        change,
        updates.map(({ property }) => property),
      )
      const occasion = occasionOfChange(updates, closedVersions.get(eventId) ?? null)
      if (occasion !== null) add(occasion, { eventId, key: `event:${change}` })
    }
  }
  return occasions
}

/**
 * Returns how many of the first messages to decide together: `limit`, and those after it up to the end of the changes
 * that it would cut. The messages of a change are written by one statement, so they are close together.
 */
export function wholeChanges(messages: readonly Pick<PublishedMessage, 'message'>[], limit: number): number {
  const lastOf = new Map(messages.map((message, index) => [changeOf(message), index]))
  lastOf.delete(null)
  let count = Math.min(limit, messages.length)
  for (const [index, message] of messages.entries())
    if (index < count) count = Math.max(count, (lastOf.get(changeOf(message)) ?? 0) + 1)
  return count
}

/** An event returns to normal once. */
export function clearedKey(eventId: number): string {
  return `cleared:${eventId}`
}

/** Returns the event and version of a change; null for messages about anything else. */
function changeOf({ message }: Pick<PublishedMessage, 'message'>): string | null {
  if (message.entity !== 'alarm' || message.action !== 'update' || message.property === 'clearedAt') return null
  return `${message.payload.id}:${message.payload.version}`
}

function occasionOfChange(
  updates: readonly Omit<AlarmUpdate, 'seq'>[],
  closedVersion: number | null,
): Extract<WebhookOccasion, `event.${string}`> | null {
  const announced = updates.filter(({ property }) => !silent.has(property))
  const [first] = announced
  if (first === undefined) return null
  if (first.payload.version === closedVersion) return 'event.closed'
  const isClaim = announced.some(
    (update) => update.property === 'claimedBy' && 'claimedBy' in update.payload && update.payload.claimedBy !== null,
  )
  return isClaim ? 'event.claimed' : 'event.changed'
}
