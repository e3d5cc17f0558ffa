import { useQuery } from '@tanstack/react-query'
import { use, useRef } from 'react'
import { IsLive } from '../../../lib/live-handler.ts'
import { formatClock } from '../../../lib/time/dates.ts'
import { ListStrip } from '../../../ui/list/list-screen.tsx'
import { createdQuery, totalsQuery } from '../events.api.ts'
import type { Narrowing } from './event-list-request.ts'
import {
  countNewEvents,
  MAX_NEW_EVENTS,
  messagesSuffice,
  type ShownList,
  seenPart,
  unseenPart,
  unseenSince,
} from './new-events.ts'

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

/**
 * The message above the table: nothing to see while the list is live and up to date, a button if there is more to load or
 * the last load failed.
 */
export function NewEventsBar(props: {
  count: number
  loadedAt: number
  /** The time of the last poll when there is no live connection; null when polling is off. */
  polledAt?: number | null
  hasFailed: boolean
  onLoad: () => void
}) {
  const { count, loadedAt, polledAt = null, hasFailed, onLoad } = props
  const since = formatClock(loadedAt)
  const isLive = use(IsLive)
  const bar = useRef<HTMLDivElement>(null)

  /** The button disappears, so focus moves to the strip; the next tab stop is the list below. */
  function load() {
    bar.current?.focus({ preventScroll: true })
    onLoad()
  }

  return (
    <ListStrip
      ref={bar}
      isLit={count > 0 && !hasFailed}
      hasFailed={hasFailed}
      isQuiet={!hasFailed && count === 0 && (isLive || loadedAt === 0)}
    >
      {hasFailed && (
        <button type="button" onClick={load}>
          Could not get events; list as of {since}. Try again
        </button>
      )}
      {!hasFailed && count > 0 && (
        <button type="button" onClick={load}>
          {count >= MAX_NEW_EVENTS ? `${MAX_NEW_EVENTS}+` : count} new {count === 1 ? 'event' : 'events'}
        </button>
      )}
      {!hasFailed && count === 0 && <span>{quietLabel({ loadedAt, polledAt, isLive })}</span>}
    </ListStrip>
  )
}

function quietLabel(state: { loadedAt: number; polledAt: number | null; isLive: boolean }): string {
  const { loadedAt, polledAt, isLive } = state
  if (loadedAt === 0) return 'Loading events…'
  if (polledAt !== null) return `Not live: checked every 10 s, no new events at ${formatClock(polledAt)}`
  const since = formatClock(loadedAt)
  return isLive ? `No new events since ${since}` : `Offline: list as of ${since}`
}
