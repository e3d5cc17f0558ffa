import { Link } from '@tanstack/react-router'
import styles from '../ui/text/state-message.module.css'

const reasons = {
  'signed-in': 'You are already signed in, and this page is only for signing in.',
  role: 'Your role does not allow you to see this page. If you need it, ask your administrator.',
  flag: 'This page needs a feature flag that is off for you. If you need it, ask your administrator.',
}

/**
 * Explains why this user may not open a page: the login while signed in, a page of other roles, or one whose flag is
 * off.
 */
export function ForbiddenScreen({ reason }: { reason: keyof typeof reasons }) {
  return (
    <div className={styles.message}>
      <p className={styles.code}>403</p>
      <h1>You can’t open this page</h1>
      <p className={styles.text}>{reasons[reason]}</p>
      <Link to="/events" className={styles.link}>
        Go to Service Events
      </Link>
    </div>
  )
}
