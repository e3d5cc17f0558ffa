import { keepPreviousData, queryOptions, skipToken, useMutation } from '@tanstack/react-query'
import { type CallInput, call } from '../../lib/http.ts'

/** The door to maintenance. Wire 6. */

export type MaintenanceChange = CallInput<'setMaintenance'>['body']
export type RecurringWindow = CallInput<'previewMaintenance'>['body']

/**
 * Sets, changes or ends a maintenance; answers those that are on or to come. Copies of the instrument on the screen follow by
 * the live message, and by whoever calls. ApiError `bad-maintenance` says what is wrong with the dates.
 */
export function useSetMaintenance() {
  return useMutation({
    mutationFn: ({ instrumentId, change }: { instrumentId: string; change: MaintenanceChange }) =>
      call('setMaintenance', { query: { instrumentId }, body: change }),
  })
}

/**
 * The next windows of a rule as the server would plan them, so that a browser needs no calendar arithmetic of its own. The
 * ones before stay while the next are on their way. ApiError `bad-maintenance` says why the rule can't be set.
 */
export function maintenancePreviewQuery(recurring: RecurringWindow | null) {
  return queryOptions({
    queryKey: ['maintenance', 'preview', recurring] as const,
    queryFn: recurring ? ({ signal }) => call('previewMaintenance', { body: recurring, signal }) : skipToken,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
