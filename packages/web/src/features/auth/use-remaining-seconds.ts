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
