import { useEffect, useState } from 'react'

/** Returns the whole seconds until `until` (milliseconds since the epoch), counted down every second; 0 afterwards. */
export function useRemainingSeconds(until: number): number {
  const [now, setNow] = useState(Date.now)
  const remaining = Math.max(0, Math.ceil((until - now) / 1000))
  const isRunning = until > now
  useEffect(() => {
    setNow(Date.now())
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning, until])
  return remaining
}

/** Another code can be requested after this time (document 1 section 4). */
const RESEND_LOCK_MS = 5000

/** Locks the button that requests another code. Starts locked, because the previous step has just sent a code. */
export function useResendLock(): { lockedFor: number; lock: () => void } {
  const [clickedAt, setClickedAt] = useState(Date.now)
  return { lockedFor: useRemainingSeconds(clickedAt + RESEND_LOCK_MS), lock: () => setClickedAt(Date.now()) }
}
