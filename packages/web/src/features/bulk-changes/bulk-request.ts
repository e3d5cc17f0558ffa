import type { BulkFailure } from '@benchwatch/contract/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/service-events'
import type { QuickFilter } from '@benchwatch/contract/vocabulary'
import type { CallInput } from '../../lib/http.ts'
import type { SelectedEvents } from '../service-events/event-selection.ts'
import type { BulkKind } from './bulk-words.ts'

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
