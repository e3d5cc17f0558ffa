import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { isSame } from '../../lib/draft.ts'
import { readEverythingAgain } from '../../lib/read-again.ts'
import { meQuery, userKeys } from './users.api.ts'

/** Refetches the user's data after the user's flags or data scope changed, on any screen. */
export function applyToUsers(message: LiveMessage, client: QueryClient): void {
  if (message.entity !== 'user') return
  if (message.property === 'features') void client.invalidateQueries({ queryKey: userKeys.features })
  else void followRights(client)
}

/**
 * Takes what was read with other rights off the screen before it is read again: under load that may take long, or fail.
 * If the rights are the same, the message is about a session that ended elsewhere, and dialogs stay open here.
 */
async function followRights(client: QueryClient): Promise<void> {
  const query = meQuery()
  const before = client.getQueryData(query.queryKey)
  const me = await client.fetchQuery({ ...query, staleTime: 0 }).catch(() => before)
  if (isSame([before?.role, before?.customers], [me?.role, me?.customers])) readEverythingAgain(client)
  else void client.resetQueries()
}
