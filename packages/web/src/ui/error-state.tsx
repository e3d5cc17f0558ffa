import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './state-message.module.css'

/** Something could not be shown: what, why, and a way to try again where that may help. */
export function ErrorState(props: { title: string; onRetry?: () => void; children?: ReactNode }) {
  return (
    <div className={styles.message} role="alert">
      <IconAlertCircle className={styles.icon} size={26} stroke={1.6} aria-hidden="true" />
      <p className={styles.title}>{props.title}</p>
      {props.children !== undefined && <p className={styles.text}>{props.children}</p>}
      {props.onRetry !== undefined && (
        <Button variant="default" mt={12} onClick={props.onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
