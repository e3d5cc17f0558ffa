import { keepPreviousData, queryOptions, skipToken, useMutation } from '@tanstack/react-query'
import { type CallInput, call } from '../../lib/http.ts'

/** The entry point to maintenance. Wire 6. */

export type MaintenanceChange = CallInput<'setMaintenance'>['body']
export type RecurringWindow = CallInput<'previewMaintenance'>['body']

/**
 * Sets, changes or ends a maintenance and returns the current and planned ones. The live message and the caller update
 * the cached instrument. ApiError `bad-maintenance` explains what is wrong with the dates.
 */
export function useSetMaintenance() {
  return useMutation({
    mutationFn: ({ instrumentId, change }: { instrumentId: string; change: MaintenanceChange }) =>
      call('setMaintenance', { query: { instrumentId }, body: change }),
  })
}

/**
 * The next windows of a rule as the server would plan them, so that the browser needs no calendar arithmetic. The
 * previous windows stay while the next ones are in flight. ApiError `bad-maintenance` explains why the rule can't be
 * set.
 */
export function maintenancePreviewQuery(recurring: RecurringWindow | null) {
  return queryOptions({
    queryKey: ['maintenance', 'preview', recurring] as const,
    queryFn: recurring ? ({ signal }) => call('previewMaintenance', { body: recurring, signal }) : skipToken,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
