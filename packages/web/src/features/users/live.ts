import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { readEverythingAgain } from '../../lib/read-again.ts'
import { userKeys } from './users.api.ts'

/** Refetches the user's data after the user's flags or data scope changed, on any screen. */
export function applyToUsers(message: LiveMessage, client: QueryClient): void {
  if (message.entity !== 'user') return
  if (message.property === 'features') void client.invalidateQueries({ queryKey: userKeys.features })
  // A new scope changes the content of every list.
  else readEverythingAgain(client)
}
