import { useEffect, useState } from 'react'

/** Whole seconds until `until` (milliseconds of the epoch), counted down each second; 0 from then on. */
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

/** How long another code can't be asked for after a click (document 1 section 4). */
const RESEND_LOCK_MS = 5000

/**
 * The lock of a resend button: whole seconds that it still holds, and what closes it anew. It begins closed, because
 * whatever led here sent a code.
 */
export function useResendLock(): { lockedFor: number; lock: () => void } {
  const [clickedAt, setClickedAt] = useState(Date.now)
  return { lockedFor: useRemainingSeconds(clickedAt + RESEND_LOCK_MS), lock: () => setClickedAt(Date.now()) }
}
