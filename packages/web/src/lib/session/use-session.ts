import { useSyncExternalStore } from 'react'
import { type SessionState, sessionState, subscribeToSession } from './session.ts'

/** Whether somebody is signed in, and who. What else is known of them: features/users. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribeToSession, sessionState)
}
