import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { meQuery } from '../../features/users/users.api.ts'
import { counted } from '../../lib/folded.ts'
import { rememberPath } from '../../lib/remembered-path.ts'
import { idleSeconds } from '../../lib/session/activity.ts'
import { endIdleSession, onSessionEnd, type SessionEnd, useSession, verifySession } from '../../lib/session/session.ts'
import { noteSignOut, type SignOutNotice } from '../../lib/session/sign-out-notice.ts'

const NEXT = 'Log in again to go on where you were.'

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

/** What the sign-in says about a session that ended by itself. `limitSeconds`: of inactivity, where it is known. */
export function signOutReason({ idleSeconds }: SessionEnd, limitSeconds: number | undefined): SignOutNotice {
  const wasIdle = limitSeconds !== undefined && idleSeconds >= limitSeconds
  return {
    title: wasIdle ? `You were signed out after ${durationLabel(limitSeconds)} without activity.` : 'Session expired',
    message: NEXT,
  }
}

/** 4 hours, 1 hour, 90 minutes, 45 seconds: the largest unit that says it exactly. */
function durationLabel(seconds: number): string {
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second']
  return counted(count, unit)
}
