import { useQuery } from '@tanstack/react-query'
import { createdQuery, totalsQuery } from '../events.api.ts'
import type { Narrowing } from './event-list-request.ts'
import { countNewEvents, messagesSuffice, type ShownList, seenPart, unseenPart, unseenSince } from './new-events.ts'

/**
 * Returns the number of events that arrived since the list was shown, and the list without them. "All" means all
 * events that the user has seen: a bulk change must not touch others.
 */
export function useUnseenEvents(shown: ShownList | undefined, narrowed: Narrowing) {
  const created = useQuery(createdQuery())
  const since = shown ? unseenSince(created.data, shown) : null
  const arrived = shown ? countNewEvents(created.data, shown) : 0
  const asksServer = since !== null && arrived > 0 && shown !== undefined && !messagesSuffice(shown.search)
  const matching = useQuery({ ...totalsQuery(unseenPart(narrowed, since ?? '')), enabled: asksServer })
  return {
    count: asksServer ? Math.min(arrived, matching.data?.events ?? 0) : arrived,
    /** The list without unseen events; `isWhole` if there are none. */
    seen: seenPart(narrowed, since),
    isWhole: since === null,
  }
}
