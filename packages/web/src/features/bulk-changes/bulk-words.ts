import type { BulkFailure } from '@benchwatch/contract/bulk-changes'
import type { User } from '@benchwatch/contract/users'
import { counted } from '../../lib/counted.ts'
import type { CloseEventForm } from '../service-events/close-event-form.ts'

/** The words of bulk changes. Numbers are written as in the list: 1,284. */

export type BulkKind = 'take' | 'assign' | 'close'

/** What the dialog is about, with how many events. */
export function bulkTitle(kind: BulkKind, count: number): string {
  const events = counted(count, 'event')
  return { take: `Assign ${events} to me`, assign: `Assign ${events}`, close: `Close ${events}` }[kind]
}

/** What will not happen to some of them, said before. */
export function hintOf(kind: BulkKind): string {
  if (kind === 'close')
    return 'Only its owner closes an event. Those of others stay as they are and are listed afterwards.'
  return 'New events become In progress. Closed events keep their owner and are listed afterwards.'
}

/** The second line after a success: what became of them, and how many were so already. */
export function whatWasDone(done: {
  kind: BulkKind
  form: Pick<CloseEventForm, 'reason'>
  owner: Pick<User, 'name'> | null
  unchanged: number
}): string {
  const { kind, form, owner, unchanged } = done
  const what = {
    take: 'You are the owner.',
    assign: `${owner?.name ?? ''} is the owner.`,
    close: `Status: Closed - ${form.reason ?? ''}.`,
  }[kind]
  if (unchanged <= 0) return what
  return `${what} ${counted(unchanged, 'event')} needed no change.`
}

/** '37 events changed' */
export function changedWords(changed: number): string {
  return `${counted(changed, 'event')} changed`
}

/** Why events failed, each reason once with its events, the most frequent reason first. */
export function failuresByReason(failed: readonly BulkFailure[]): { reason: string; events: BulkFailure[] }[] {
  const groups = Map.groupBy(failed, ({ ErrorBody }) => ErrorBody)
  return [...groups].map(([reason, events]) => ({ reason, events })).sort((a, b) => b.events.length - a.events.length)
}
