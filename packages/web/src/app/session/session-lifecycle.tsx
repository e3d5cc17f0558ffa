import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { meQuery } from '../../features/users/users.api.ts'
import { counted } from '../../lib/folded.ts'
import { rememberPath } from '../../lib/remembered-path.ts'
import { idleSeconds } from '../../lib/session/activity.ts'
import { endIdleSession, onSessionEnd, type SessionEnd, useSession, verifySession } from '../../lib/session/session.ts'
import { noteSignOut, type SignOutNotice } from '../../lib/session/sign-out-notice.ts'

const NEXT = 'Log in again to return to the page you were on.'

const CHECK_MS = 30_000
/** Browsers run the timers of a hidden tab once a minute; a longer gap means that the machine slept. */
const SLEPT_MS = 3 * 60_000

/**
 * Handles the end of a session: clears all data and navigates to `/`. Public pages stay open if the session has
 * expired.
 */
export function useSessionLifecycle(): void {
  const router = useRouter()
  const client = useQueryClient()
  const { status } = useSession()

  useEffect(
    () =>
      onSessionEnd((end) => {
        if (end.kind === 'expired' && router.state.matches.at(-1)?.staticData.isPublic) {
          // Waits until the header no longer shows parts for signed-in users.
          setTimeout(() => void client.resetQueries())
          return
        }
        void client.cancelQueries()
        if (end.kind === 'expired') {
          rememberPath(router.state.location.href)
          noteSignOut(signOutReason(end, inactivityLimit(client)))
        }
        // Clears the cache only after the screens are gone; otherwise they would read everything again without a
        // session.
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
      // Checks the token first, then asks the server, whose clock did not sleep.
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

/**
 * Returns the reason shown on the sign-in screen when a session ended on its own. `limitSeconds` is the inactivity
 * limit, if known.
 */
export function signOutReason({ idleSeconds }: SessionEnd, limitSeconds: number | undefined): SignOutNotice {
  const wasIdle = limitSeconds !== undefined && idleSeconds >= limitSeconds
  return {
    title: wasIdle ? `You were signed out after ${formatDuration(limitSeconds)} without activity.` : 'Session expired',
    message: NEXT,
  }
}

/** Formats a duration in the largest unit that is exact: 4 hours, 1 hour, 90 minutes, 45 seconds. */
function formatDuration(seconds: number): string {
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second']
  return counted(count, unit)
}
