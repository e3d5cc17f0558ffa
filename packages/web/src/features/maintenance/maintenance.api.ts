import { useMutation } from '@tanstack/react-query'
import { type CallInput, call } from '../../lib/http.ts'

/** The door to maintenance. Wire 6. */

export type MaintenanceChange = CallInput<'setMaintenance'>['body']

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
