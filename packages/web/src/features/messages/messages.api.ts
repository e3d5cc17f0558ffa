import type { OutboxMessage } from '@benchwatch/contract/messages/messages'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/http.ts'

/** The outbox of the demo: sent e-mails and text messages (wire 10). */

/** Short, because users wait here for a code. */
const REFRESH_MS = 2000

/** Messages that the demo sent, newest first. Polls while the page is visible. */
export function outboxQuery() {
  return queryOptions({
    queryKey: ['messages', 'outbox'],
    queryFn: async ({ signal }): Promise<OutboxMessage[]> => (await call('listOutbox', { signal })).values.reverse(),
    // A 4xx answer does not change by polling.
    refetchInterval: ({ state: { error } }) => (error instanceof ApiError && error.status < 500 ? false : REFRESH_MS),
    staleTime: 0,
  })
}
