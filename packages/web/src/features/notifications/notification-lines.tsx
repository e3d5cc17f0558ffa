import { notificationKindLabels } from '@benchwatch/contract/notification-vocabulary'
import type { Notification } from '@benchwatch/contract/notifications'
import { formatEventTime } from '../../lib/dates.ts'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import styles from './notification-lines.module.css'
import { NotificationState } from './notification-state.tsx'
import { channelLabels } from './notification-words.ts'

/** What was told of one event: by which way, to whom, where it stands and when. `showsWho`: they are of several people. */
export function NotificationLines(props: {
  notifications: readonly Notification[]
  showsWho: boolean
  showsKind: boolean
}) {
  return (
    <div className={styles.room}>
      <ul className={styles.lines}>
        {props.notifications.map((notification) => (
          <li key={notification.id}>
            <div className={styles.what}>
              {props.showsWho && <bdi className={styles.who}>{notification.userName}</bdi>}
              <div>
                {channelLabels[notification.channel]} to <bdi>{notification.to}</bdi>
              </div>
              <NotificationState notification={notification}>
                {props.showsKind && ` · ${notificationKindLabels[notification.kind]}`}
              </NotificationState>
            </div>
            <NotificationTime notification={notification} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** When it left; until then when it was decided on. */
export function NotificationTime({ notification: { sentAt, decidedAt } }: { notification: Notification }) {
  const at = sentAt ?? decidedAt
  return <ZonedTime at={at}>{formatEventTime(at)}</ZonedTime>
}
