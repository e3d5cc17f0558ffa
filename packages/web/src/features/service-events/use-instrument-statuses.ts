import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { instrumentStatusesQuery } from '../connections/connections.api.ts'
import { type ListedServiceEvent, patchStatus } from './service-event-cache.ts'
import { changeServiceEvents } from './service-events.api.ts'

/** Statuses older than this are said to be so. */
const OUTDATED_AFTER_MS = 60_000

/**
 * Asks every ten seconds, in one call, what the instruments of the rows do now, and changes the rows in place: document 1
 * section 4. Failures are quiet, for the last known status stays; where none was confirmed for a minute, this is since
 * when (epoch milliseconds), else null. `readAt`: when the rows themselves were read; `now`: the half-minute's tick.
 */
export function useInstrumentStatuses(
  rows: readonly ListedServiceEvent[],
  { readAt, now }: { readAt: number; now: number },
): number | null {
  const client = useQueryClient()
  const { data, dataUpdatedAt } = useQuery({
    ...instrumentStatusesQuery(instrumentsOf(rows)),
    // The rows brought them along.
    initialData: {},
    initialDataUpdatedAt: readAt,
  })
  useEffect(() => {
    if (Object.keys(data).length > 0) changeServiceEvents(client, (event) => patchStatus(event, data))
    // dataUpdatedAt: the same answer again still repairs what changed in between.
  }, [client, data, dataUpdatedAt])
  return rows.length > 0 && now - dataUpdatedAt > OUTDATED_AFTER_MS ? dataUpdatedAt : null
}

/** Each once, in one order, so that the same rows in another order are the same question; edge issues have none. */
function instrumentsOf(rows: readonly ListedServiceEvent[]): string[] {
  const shown = rows.filter(({ alarm, removed }) => !alarm.isEdgeIssue && !removed)
  return [...new Set(shown.map(({ alarm }) => alarm.instrumentInstalledProductId))].toSorted()
}
