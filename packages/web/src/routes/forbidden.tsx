import { Link } from '@tanstack/react-router'
import styles from '../ui/text/state-message.module.css'

/** For what a person signed in has no business with: the login itself, or a screen of another role. */
export function ForbiddenScreen() {
  return (
    <div className={styles.message}>
      <p className={styles.code}>403</p>
      <h1>You can’t open this page</h1>
      <p className={styles.text}>You are signed in already, or this page is for other users.</p>
      <Link to="/events" className={styles.link}>
        Go to Service Events
      </Link>
    </div>
  )
}
