import { counted } from '../../lib/counted.ts'
import type { SessionEnd } from '../../lib/session/session.ts'
import type { SignOutNotice } from '../../lib/session/sign-out-notice.ts'

const NEXT = 'Log in again to go on where you were.'

/** What the sign-in says about a session that ended by itself. `limitSeconds`: of inactivity, where it is known. */
export function signOutReason({ idleSeconds }: SessionEnd, limitSeconds: number | undefined): SignOutNotice {
  const wasIdle = limitSeconds !== undefined && idleSeconds >= limitSeconds
  return {
    title: wasIdle ? `You were signed out after ${durationWords(limitSeconds)} without activity.` : 'Session expired',
    message: NEXT,
  }
}

/** 4 hours, 1 hour, 90 minutes, 45 seconds: the largest unit that says it exactly. */
function durationWords(seconds: number): string {
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second']
  return counted(count, unit)
}
