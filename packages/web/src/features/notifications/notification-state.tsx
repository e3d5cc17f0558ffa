import type { Notification } from '@benchwatch/contract/notifications'
import type { ReactNode } from 'react'
import { StatusMark } from '../../ui/status-mark.tsx'
import styles from './notification-state.module.css'
import { listWords, stateMarks } from './notification-words.ts'

/** Where a notification stands: shape and word, whether it is in a list, what else stands beside it, and why it did not go out. */
export function NotificationState({ notification, children }: { notification: Notification; children?: ReactNode }) {
  const { tone, words } = stateMarks[notification.state]
  const list = listWords(notification)
  return (
    <span className={styles.state}>
      <StatusMark tone={tone}>
        <span className={styles.word}>{words}</span>
        <span className={styles.beside}>
          {list !== null && ` ${list}`}
          {children}
        </span>
      </StatusMark>
      {notification.reason !== null && <span className={styles.reason}>{notification.reason}</span>}
    </span>
  )
}
