import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './state-message.module.css'

/** Nothing to show: why, and what to do about it. */
export function EmptyState(props: {
  title: string
  action?: { label: string; onClick: () => void }
  children?: ReactNode
}) {
  return (
    <div className={styles.message} role="status">
      <p className={styles.title}>{props.title}</p>
      {props.children !== undefined && <p className={styles.text}>{props.children}</p>}
      {props.action !== undefined && (
        <Button variant="default" mt={12} onClick={props.action.onClick}>
          {props.action.label}
        </Button>
      )}
    </div>
  )
}
