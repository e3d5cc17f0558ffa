import { useSearch } from '@tanstack/react-router'
import { UnsubscribePanel } from '../features/unsubscribe/unsubscribe-panel.tsx'
import styles from './unsubscribe.module.css'

/** Where the link in an automatic support e-mail leads, whoever is signed in or nobody. */
export function UnsubscribeScreen() {
  const { token } = useSearch({ from: '/unsubscribe' })
  return (
    <div className={styles.place}>
      <div className={styles.card}>
        <UnsubscribePanel token={token} />
      </div>
    </div>
  )
}
