import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { meQuery } from '../../features/users/users.api.ts'
import { rememberPath } from '../../lib/remembered-path.ts'
import { idleSeconds } from '../../lib/session/activity.ts'
import { endIdleSession, onSessionEnd, verifySession } from '../../lib/session/session.ts'
import { noteSignOut } from '../../lib/session/sign-out-notice.ts'
import { useSession } from '../../lib/session/use-session.ts'
import { signOutReason } from './sign-out-reason.ts'

const CHECK_MS = 30_000
/** Browsers let the timers of a hidden tab run once a minute; a longer gap means that the machine slept. */
const SLEPT_MS = 3 * 60_000

/**
 * What the end of a session does to the page: everything read is forgotten, and the person is at `/`. A page for anybody stays
 * when the session has expired.
 */
export function useSessionLifecycle(): void {
  const router = useRouter()
  const client = useQueryClient()
  const { status } = useSession()

  useEffect(
    () =>
      onSessionEnd((end) => {
        if (end.kind === 'expired' && router.state.matches.at(-1)?.staticData.isPublic) {
          // After the header's own parts for who is signed in are gone.
          setTimeout(() => void client.resetQueries())
          return
        }
        void client.cancelQueries()
        if (end.kind === 'expired') {
          rememberPath(router.state.location.href)
          noteSignOut(signOutReason(end, inactivityLimit(client)))
        }
        // Forgotten only after the screens are gone, or they would read it all again without a session.
        void router.navigate({ to: '/', replace: true }).finally(() => client.clear())
      }),
    [client, router],
  )

  useEffect(() => {
    if (status !== 'signed-in') return
    let checkedAt = Date.now()
    const check = () => {
      const hasSlept = Date.now() - checkedAt > SLEPT_MS
      checkedAt = Date.now()
      const limit = inactivityLimit(client)
      if (limit !== undefined && idleSeconds() >= limit) void endIdleSession()
      // The token first, then what the server says: its clock did not sleep.
      else if (hasSlept) void verifySession()
    }
    const timer = setInterval(check, CHECK_MS)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', check)
    }
  }, [client, status])
}

function inactivityLimit(client: QueryClient): number | undefined {
  return client.getQueryData(meQuery().queryKey)?.inactivityLimitSeconds
}
