import type { OutboxMessage } from '@benchwatch/contract/messages'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/http.ts'

/** Mails and text messages that left: wire 10. */

/** Somebody waits for a code to show up. */
const REFRESH_MS = 2000

/** What the demo sent, newest first; looked at again and again while the page is in sight. */
export function outboxQuery() {
  return queryOptions({
    queryKey: ['messages', 'outbox'],
    queryFn: async ({ signal }): Promise<OutboxMessage[]> => (await call('listOutbox', { signal })).values.reverse(),
    // An answer that says no stays the same until the person does something about it.
    refetchInterval: ({ state: { error } }) => (error instanceof ApiError && error.status < 500 ? false : REFRESH_MS),
    staleTime: 0,
  })
}
