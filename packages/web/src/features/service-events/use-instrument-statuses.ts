import { useQueryClient } from '@tanstack/react-query'
import { useStatusPoll } from '../connections/connections.api.ts'
import { type ListedServiceEvent, patchStatus } from './service-event-cache.ts'
import { changeServiceEvents } from './service-events.api.ts'

/** Keeps the instrument statuses of the rows as they are now; since when they could not be confirmed (epoch ms), or null. */
export function useInstrumentStatuses(
  rows: readonly ListedServiceEvent[],
  { readAt, now }: { readAt: number; now: number },
): number | null {
  const client = useQueryClient()
  const shown = rows.filter(({ alarm, removed }) => !alarm.isEdgeIssue && !removed)
  return useStatusPoll(
    shown.map(({ alarm }) => alarm.instrumentInstalledProductId),
    {
      readAt,
      now,
      apply: (statuses) => changeServiceEvents(client, (event) => patchStatus(event, statuses)),
    },
  )
}
