import type { BulkFailure } from '@benchwatch/contract/events/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import type { User } from '@benchwatch/contract/users/users'
import type { QuickFilter } from '@benchwatch/contract/vocabulary'
import { counted } from '../../lib/folded.ts'
import type { CallInput } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import type { CloseEventForm } from '../events/close/close-event-form.ts'
import type { SelectedEvents } from '../events/list/event-list-request.ts'

/** Requests and texts of bulk changes. Numbers are formatted as in the list: 1,284. */
export type BulkKind = 'take' | 'assign' | 'close'

/** A bulk change that is being prepared or is running, with the selection at its start. */
export interface BulkTask {
  kind: BulkKind
  selected: SelectedEvents
  /** The selected events that the user owned before: their number, and the ids that the page has loaded. */
  own: { count: number; ids: readonly string[] } | null
}

/** Larger selections are changed by a job. */
const EVENTS_AT_ONCE = 500

/** True for selected rows that one request changes: such a claim can be undone, so the console does not ask first. */
export function isFewRows({ mode, ids }: Pick<SelectedEvents, 'mode' | 'ids'>): boolean {
  return mode === 'include' && ids.length <= EVENTS_AT_ONCE
}

/** '0 of 2 are yours.' Null where all are, or where it is not known. */
export function ownLabel({ own, selected: { count } }: Pick<BulkTask, 'own' | 'selected'>): string | null {
  if (own === null || own.count >= count) return null
  const figures = `${own.count.toLocaleString('en')} of ${count.toLocaleString('en')}`
  return `${figures} ${own.count === 1 ? 'is' : 'are'} yours.`
}

/** Names up to five events, then says how many more. */
export function eventNames(events: readonly Pick<BulkFailure, 'eventId'>[]): string {
  const more = events.length - 5
  const names = events.slice(0, 5).map(eventName).join(', ')
  return more > 0 ? `${names} and ${more.toLocaleString('en')} more` : names
}

/** The body of POST /alarms/bulk: wire 2. */
export type BulkRequest = CallInput<'changeServiceEvents'>['body']

/** Returns the request for the selection. The narrowing is included only if the selection is 'all except these'. */
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

/** Returns the same change for the failed events only. */
export function requestAgain(failed: readonly BulkFailure[], { change }: BulkRequest): BulkRequest {
  return { ids: failed.map(({ id }) => id), mode: 'include', change }
}

function quickFilterOf(query: SelectedEvents['narrowing']['query']): QuickFilter | null {
  if (query.noOwnerEvents) return 'noOwner'
  if (query.noActionEvents) return 'noAction'
  return query.fullSupportEvents ? 'fullSupport' : null
}

/** Title of the dialog, with the number of events. */
export function bulkTitle(kind: BulkKind, count: number): string {
  const events = counted(count, 'event')
  return { take: `Assign ${events} to me`, assign: `Assign ${events}`, close: `Close ${events}` }[kind]
}

/** Says in advance which events will not change. */
export function hintOf(kind: BulkKind): string {
  if (kind === 'close')
    return 'Only its owner can close an event. Events of other owners stay unchanged and are listed afterwards.'
  return 'New events become In progress. Closed events keep their owner and are listed afterwards.'
}

/** Second line after success: the result, and how many events were already in that state. */
export function resultMessage(done: {
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

/** Groups failures by reason, the most frequent reason first. */
export function failuresByReason(failed: readonly BulkFailure[]): { reason: string; events: BulkFailure[] }[] {
  const groups = Map.groupBy(failed, ({ ErrorBody }) => ErrorBody)
  return [...groups].map(([reason, events]) => ({ reason, events })).sort((a, b) => b.events.length - a.events.length)
}
