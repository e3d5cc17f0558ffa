import { useEffect, useState } from 'react'
import { useLive } from '../live/live-provider.tsx'
import type { LiveState } from '../live/live-store.ts'
import styles from './live-indicator.module.css'

const words: Record<LiveState['state'], string> = { live: 'Live', connecting: 'Connecting…', offline: 'Offline' }

/** Whether the picture is live, and how old it is. A change is announced; the ticking age is not. */
export function LiveIndicator() {
  const { state, lastMessageAt, retryNow } = useLive()
  const now = useSeconds()
  const age = lastMessageAt === null ? null : readableAge(Math.max(0, now - lastMessageAt))
  return (
    <div className={styles.indicator} data-state={state}>
      <span className={styles.dot} aria-hidden="true" />
      <span role="status">{words[state]}</span>
      {age !== null && (
        <span className={styles.age}>
          <span className={styles.words}> · last message </span>
          {age} ago
        </span>
      )}
      {state === 'offline' && (
        <button type="button" className={styles.retry} onClick={retryNow}>
          Reconnect
        </button>
      )}
    </div>
  )
}

/** 2 s, 3 min, 1 h: coarse, because it says how far to trust the picture. */
export function readableAge(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h`
}

function useSeconds(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
