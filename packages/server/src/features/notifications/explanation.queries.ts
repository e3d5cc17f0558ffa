import { notificationKinds } from '@benchwatch/contract/notification-vocabulary'
import type { explainNotification as explainNotificationRoute } from '@benchwatch/contract/notifications'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { readAssignments } from '../profiles/assignments.queries.ts'
import { prepare } from '../profiles/decision.ts'
import { readToldEvents } from '../profiles/event-facts.queries.ts'
import { readRecipients } from '../profiles/recipients.queries.ts'
import { explain } from './explanation.ts'
import { readNotificationsOfEvent } from './notifications.queries.ts'

type Explained = RouteTypes<typeof explainNotificationRoute>['answer']

/**
 * Why a user is told of an event or isn't, by their profiles as they are now, with what was really told. Undefined when the
 * caller's scope doesn't hold the event. What the user may see is theirs, not the caller's.
 */
export async function readExplanation(
  db: Db,
  { eventId, userId, caller, hasSms }: { eventId: number; userId: number; caller: UserActor; hasSms: boolean },
): Promise<Explained | undefined> {
  const [event] = await readToldEvents(db, { scope: caller.scope, ids: [eventId] })
  if (!event) return undefined
  const [stored] = await readRecipients(db, [userId])
  if (!stored) throw new Error(`The user ${userId} is gone.`)
  const recipient = prepare(stored, { hasSms })
  const [assignment] = await readAssignments(db, { userId, eventId })
  const notifications = await readNotificationsOfEvent(db, { eventId, userId, scope: caller.scope })
  const asked = { recipient, event, assignment, hasSms, isSelf: userId === caller.id }
  return {
    userId: String(userId),
    userName: recipient.name,
    eventId: String(eventId),
    explanations: notificationKinds.toReversed().map((kind) => ({
      ...explain({ ...asked, kind }),
      notifications: notifications.filter((one) => one.kind === kind),
    })),
  }
}
