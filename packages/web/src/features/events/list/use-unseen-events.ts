import { useQuery } from '@tanstack/react-query'
import { createdQuery, totalsQuery } from '../events.api.ts'
import type { Narrowing } from './event-list-request.ts'
import { countNewEvents, isToldWhole, type ShownList, seenPart, unseenPart, unseenSince } from './new-events.ts'

/**
 * What has come since the list was shown: how many of them the bar offers, and the list without them. Who selects "all"
 * means what they were shown: a change of many events must not reach an alarm that nobody has seen.
 */
export function useUnseenEvents(shown: ShownList | undefined, narrowed: Narrowing) {
  const created = useQuery(createdQuery())
  const since = shown ? unseenSince(created.data, shown) : null
  const told = shown ? countNewEvents(created.data, shown) : 0
  const asksServer = since !== null && told > 0 && shown !== undefined && !isToldWhole(shown.search)
  const matching = useQuery({ ...totalsQuery(unseenPart(narrowed, since ?? '')), enabled: asksServer })
  return {
    count: asksServer ? Math.min(told, matching.data?.events ?? 0) : told,
    /** The list without them; `isWhole` where nothing has come. */
    seen: seenPart(narrowed, since),
    isWhole: since === null,
  }
}
