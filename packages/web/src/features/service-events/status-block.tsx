import { type AlertStatus, alertStatusLabels } from '@benchwatch/contract/vocabulary'
import styles from './status-block.module.css'

const letters: Record<AlertStatus, string> = { '1_NEW': 'N', '2_IN_PROGRESS': 'P', '3_CLOSED': 'C' }

/**
 * N, P or C in a small block; drawn, not written, because to assistive technology it is the word alone. A closed event may
 * tell its `reason` as well.
 */
export function StatusBlock({ status, reason = null }: { status: AlertStatus; reason?: string | null }) {
  const words = reason === null ? alertStatusLabels[status] : `${alertStatusLabels[status]} - ${reason}`
  return (
    <span
      className={styles.block}
      data-status={status}
      data-letter={letters[status]}
      role="img"
      aria-label={words}
      title={words}
    />
  )
}
