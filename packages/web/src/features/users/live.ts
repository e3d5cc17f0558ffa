import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { userKeys } from './users.api.ts'

/** Flags or the data scope of the person changed: everything read about them is read again, whatever screen is open. */
export function applyToUsers(message: LiveMessage, client: QueryClient): void {
  if (message.entity !== 'user') return
  if (message.property === 'features') void client.invalidateQueries({ queryKey: userKeys.features })
  // A new scope changes what every list may hold.
  else void client.invalidateQueries()
}
