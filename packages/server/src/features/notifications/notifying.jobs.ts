import type { LeaderTask } from '../../db/queues/leader.ts'
import { OUTBOX_CHANNEL } from '../../db/queues/outbox.ts'
import { QueuePosition } from '../../db/queues/queue-position.ts'
import { type Notifying, processPendingNotifications } from './notifying.service.ts'
import { releaseHeld, sendDigests } from './waiting.service.ts'

/** Scheduled tasks of the leader that send notifications. */
export function notificationTasks(notifying: Notifying): LeaderTask[] {
  const position = new QueuePosition()
  return [
    {
      // Every change also announces itself to the screens, which starts this task; the interval finds pending
      // notifications that were set aside.
      name: 'process pending notifications',
      everyMs: 1000,
      restMs: 50,
      onChannel: OUTBOX_CHANNEL,
      run: () => processPendingNotifications(notifying, position),
    },
    { name: 'release held notifications', everyMs: 10_000, run: () => releaseHeld(notifying) },
    { name: 'send digests', everyMs: 15_000, run: () => sendDigests(notifying) },
  ]
}
