import type { BulkFailure } from '@benchwatch/contract/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/events'
import type { User } from '@benchwatch/contract/users'
import type { QuickFilter } from '@benchwatch/contract/vocabulary'
import { counted } from '../../lib/folded.ts'
import type { CallInput } from '../../lib/http.ts'
import type { CloseEventForm } from '../events/close/close-event-form.ts'
import type { SelectedEvents } from '../events/list/event-list-request.ts'

/** The words of bulk changes. Numbers are written as in the list: 1,284. */
export type BulkKind = 'take' | 'assign' | 'close'

/** A bulk change somebody is about to make or has begun, with the selection as it was then. */
export interface BulkTask {
  kind: BulkKind
  selected: SelectedEvents
}

/** The body of POST /alarms/bulk: wire 2. */
export type BulkRequest = CallInput<'changeServiceEvents'>['body']

/** The change of what is selected. What narrows the list goes along only where the selection is 'all but these'. */
export function bulkRequest(
  { mode, ids, narrowing }: Pick<SelectedEvents, 'mode' | 'ids' | 'narrowing'>,
  change: ServiceEventChange,
): BulkRequest {
  if (mode === 'include') return { ids: [...ids], mode, change }
  const { start, stop, keyword } = narrowing.query
  const quick = quickFilterOf(narrowing.query)
  return {
    ids: [...ids],
    mode,
    filter: narrowing.body.filter,
    start,
    stop,
    ...(keyword !== undefined && { keyword }),
    ...(quick !== null && { quick }),
    change,
  }
}

/** The same change once more, of those alone that it failed for. */
export function requestAgain(failed: readonly BulkFailure[], { change }: BulkRequest): BulkRequest {
  return { ids: failed.map(({ id }) => id), mode: 'include', change }
}

function quickFilterOf(query: SelectedEvents['narrowing']['query']): QuickFilter | null {
  if (query.noOwnerEvents) return 'noOwner'
  if (query.noActionEvents) return 'noAction'
  return query.fullSupportEvents ? 'fullSupport' : null
}

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
export function changedLabel(changed: number): string {
  return `${counted(changed, 'event')} changed`
}

/** Why events failed, each reason once with its events, the most frequent reason first. */
export function failuresByReason(failed: readonly BulkFailure[]): { reason: string; events: BulkFailure[] }[] {
  const groups = Map.groupBy(failed, ({ ErrorBody }) => ErrorBody)
  return [...groups].map(([reason, events]) => ({ reason, events })).sort((a, b) => b.events.length - a.events.length)
}
