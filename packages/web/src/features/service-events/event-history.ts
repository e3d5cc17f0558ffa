import type { HistoryEntry } from '@benchwatch/contract/event-details'
import { alertStatuses, alertStatusLabels } from '@benchwatch/contract/vocabulary'

/** An entry after the name of who did it: "Anna Lind" + "set status to In progress"; `quote` is what somebody wrote. */
export interface HistorySentence {
  words: string
  quote: string | null
}

export function historySentence(entry: HistoryEntry): HistorySentence {
  const value = entry.newValue
  if (entry.action === 'shared')
    return { words: `shared the event${value ? ` with ${value}` : ''}`, quote: entry.reason }
  if (entry.property === 'reasonClosedComment')
    return value ? { words: 'wrote the comment', quote: value } : { words: 'removed the comment', quote: null }
  return { words: changeWords(entry), quote: null }
}

function changeWords(entry: HistoryEntry): string {
  // A gateway delivers; a person creates at the back office, the system about silence.
  if (entry.action === 'created') return entry.actorId === null ? 'delivered the event' : 'created the event'
  const value = entry.newValue
  switch (entry.property) {
    case 'alertStatus':
      return `set status to ${statusLabel(value)}${entry.reason ? ` - ${entry.reason}` : ''}`
    case 'claimedBy':
      return ownerWords(entry)
    case 'reasonClosed':
      return value ? `gave the reason “${value}”` : 'removed the reason'
    case 'serviceMaxCaseNumber':
      return value ? `set the case number to ${value}` : 'removed the case number'
    case 'serviceMaxUrl':
      return value ? `set the case URL to ${value}` : 'removed the case URL'
    case 'latchedCount':
      return `raised it again (${value ?? '?'} repeats)`
    case 'clearedAt':
      return value ? 'returned to normal' : 'raised it again'
    case 'automaticEmailSentAt':
      return 'sent the support e-mail'
    default:
      return entry.property ? `changed ${entry.property}${value ? ` to ${value}` : ''}` : entry.action
  }
}

/** `newValue` is a user id or a name, whichever the record holds; the actor's own id reads "became owner". */
function ownerWords({ actorId, actorName, newValue }: HistoryEntry): string {
  if (newValue === null) return 'removed the owner'
  if (newValue === actorId || newValue === actorName) return 'became owner'
  return `set the owner to ${newValue}`
}

function statusLabel(value: string | null): string {
  const status = alertStatuses.find((known) => known === value || known.slice(2) === value)
  return status ? alertStatusLabels[status] : (value ?? 'nothing')
}

/** What is shown of a history, newest first. The reason of a closing stands beside its status and not once more. */
export function historyLines(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const saidBeside = (entry: HistoryEntry) =>
    entry.property === 'reasonClosed' &&
    entries.some(
      ({ at, property, reason }) => property === 'alertStatus' && at === entry.at && reason === entry.newValue,
    )
  return entries.filter((entry) => !saidBeside(entry)).reverse()
}
