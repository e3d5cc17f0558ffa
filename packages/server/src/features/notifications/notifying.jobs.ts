import type { LeaderTask } from '../../db/queues/leader.ts'
import { QueuePosition } from '../../db/queues/queue-position.ts'
import type { Signal } from '../../platform/concurrency.ts'
import { type Notifying, processPendingNotifications } from './notifying.service.ts'
import { releaseHeld, sendDigests } from './waiting.service.ts'

/** Scheduled tasks of the leader that send notifications. `published` rings when live messages were published. */
export function notificationTasks(notifying: Notifying, published: Signal): LeaderTask[] {
  const position = new QueuePosition()
  return [
    {
      // Every change also announces itself to the screens, and its announcement starts this task; the interval finds
      // pending notifications that were set aside.
      name: 'process pending notifications',
      everyMs: 1000,
      restMs: 50,
      wake: published,
      run: () => processPendingNotifications(notifying, position),
    },
    { name: 'release held notifications', everyMs: 10_000, run: () => releaseHeld(notifying) },
    { name: 'send digests', everyMs: 15_000, run: () => sendDigests(notifying) },
  ]
}
