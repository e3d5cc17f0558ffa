import { Link } from '@tanstack/react-router'
import { useSession } from '../lib/session/session.ts'
import styles from '../ui/text/state-message.module.css'

/** Shown for unknown addresses. */
export function NotFoundScreen() {
  const { status } = useSession()
  return (
    <div className={styles.message}>
      <p className={styles.code}>404</p>
      <h1>Page not found</h1>
      <p className={styles.text}>There is nothing at this address. Check it for typos.</p>
      {/* Anonymous visitors have the Login link in the header. */}
      {status === 'signed-in' && (
        <Link to="/events" className={styles.link}>
          Go to Service Events
        </Link>
      )}
    </div>
  )
}
