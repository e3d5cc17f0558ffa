import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { userKeys } from './users.api.ts'

/** Refetches the user's data after the user's flags or data scope changed, on any screen. */
export function applyToUsers(message: LiveMessage, client: QueryClient): void {
  if (message.entity !== 'user') return
  if (message.property === 'features') {
    void client.invalidateQueries({ queryKey: userKeys.features })
    return
  }
  // A new scope changes the content of every list. What no screen shows now is forgotten: the back button would show it
  // again until the new answer arrives.
  client.removeQueries({ predicate: (query) => query.getObserversCount() === 0 })
  void client.invalidateQueries()
}
