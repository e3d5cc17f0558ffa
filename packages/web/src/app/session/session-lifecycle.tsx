import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { meQuery } from '../../features/users/users.api.ts'
import { rememberPath } from '../../lib/remembered-path.ts'
import { idleSeconds } from '../../lib/session/activity.ts'
import { onSessionEnd, verifySession } from '../../lib/session/session.ts'
import { useSession } from '../../lib/session/use-session.ts'
import { showFailure } from '../../ui/toasts.ts'

const IDLE_CHECK_MS = 30_000

/** What the end of a session does to the page: everything read is forgotten, and the person is at `/`. */
export function useSessionLifecycle(): void {
  const router = useRouter()
  const client = useQueryClient()
  const { status } = useSession()

  useEffect(
    () =>
      onSessionEnd((end) => {
        void client.cancelQueries()
        if (end === 'expired') {
          rememberPath(router.state.location.href)
          showFailure({ title: 'Session expired', message: 'Sign in again to go on where you were.' })
        }
        // Forgotten only after the screens are gone, or they would read it all again without a session.
        void router.navigate({ to: '/', replace: true }).finally(() => client.clear())
      }),
    [client, router],
  )

  useEffect(() => {
    if (status !== 'signed-in') return
    const timer = setInterval(() => {
      // The server decides whether that was too long; asking it is what ends the session.
      const limit = client.getQueryData(meQuery().queryKey)?.inactivityLimitSeconds
      if (limit !== undefined && idleSeconds() >= limit) void verifySession()
    }, IDLE_CHECK_MS)
    return () => clearInterval(timer)
  }, [client, status])
}
