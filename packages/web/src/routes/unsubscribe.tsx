import { useSearch } from '@tanstack/react-router'
import { UnsubscribePanel } from '../features/unsubscribe/unsubscribe-panel.tsx'
import styles from './unsubscribe.module.css'

/** /unsubscribe: opened by the link in an automatic support e-mail, with or without a session. */
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
