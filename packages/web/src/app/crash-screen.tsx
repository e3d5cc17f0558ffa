import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { reasonOf } from '../lib/reason.ts'
import styles from '../ui/state-message.module.css'

/** A screen broke. Reloading is what helps, and loses nothing: the address says what was shown. It is done by itself as the network comes back. */
export function CrashScreen({ error }: { error: unknown }) {
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  return (
    <div className={styles.message} role="alert">
      <h1>This screen could not be shown</h1>
      <p className={styles.text}>Reload the page. If it happens again, tell support what you did and this message:</p>
      <p className={styles.text}>
        <code>{reasonOf(error)}</code>
      </p>
      <Button mt={16} onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  )
}
