import type { Notification } from '@benchwatch/contract/notifications'
import { StatusMark } from '../../ui/status-mark.tsx'
import styles from './notification-state.module.css'
import { listWords, stateMarks } from './notification-words.ts'

/** Where a notification stands: shape and word, whether it went out in a list, and why it did not go out. */
export function NotificationState({ notification }: { notification: Notification }) {
  const { tone, words } = stateMarks[notification.state]
  const list = listWords(notification)
  return (
    <span className={styles.state}>
      <StatusMark tone={tone}>
        <span className={styles.word}>{words}</span>
        {list !== null && <span className={styles.list}> {list}</span>}
      </StatusMark>
      {notification.reason !== null && <span className={styles.reason}>{notification.reason}</span>}
    </span>
  )
}
