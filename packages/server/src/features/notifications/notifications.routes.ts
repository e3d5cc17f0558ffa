import {
  explainNotification as explainNotificationRoute,
  listEventNotifications as listEventNotificationsRoute,
  listNotifications as listNotificationsRoute,
} from '@benchwatch/contract/messages/notifications'
import type { FastifyInstance } from 'fastify'
import type { UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { getServiceEvent, noSuchEvent } from '../events/events.service.ts'
import { hasSms } from '../outgoing-messages.ts'
import { knownUsers, managedUsers } from '../users/users.lookup.ts'
import { listNotifications, readExplanation, readNotificationsOfEvent } from './notifications.queries.ts'

export function registerNotificationRoutes(app: FastifyInstance, { bind, db, config }: FeatureContext): void {
  bind(app, listNotificationsRoute, async ({ query: { userId: requestedId, ...page }, caller }) => {
    const userId = await requestedUser(db, { requestedId, caller, among: knownUsers })
    return listNotifications(db, { userId, scope: caller.scope, ...page })
  })

  bind(app, listEventNotificationsRoute, async ({ params, caller }) => {
    const { id } = await getServiceEvent(db, { id: params.id, caller })
    const userId = seesOthers(caller) ? null : caller.id
    return { values: await readNotificationsOfEvent(db, { eventId: Number(id), scope: caller.scope, userId }) }
  })

  bind(app, explainNotificationRoute, async ({ params, query, caller }) => {
    // The explanation names what the user's profiles ask for, such as customers.
    const userId = await requestedUser(db, { requestedId: query.userId, caller, among: managedUsers })
    const explained = await readExplanation(db, { eventId: Number(params.id), userId, caller, hasSms: hasSms(config) })
    if (!explained) throw noSuchEvent()
    return explained
  })
}

/** Only roles that support other users may read their notifications. */
function seesOthers({ role }: Pick<UserActor, 'role'>): boolean {
  return role === 'support' || role === 'admin'
}

/**
 * Returns the caller, or the user given in the query. Throws wrong-role, and not-found for a user who is not among these.
 */
async function requestedUser(
  db: Db,
  {
    requestedId,
    caller,
    among,
  }: { requestedId: string | undefined; caller: UserActor; among: typeof knownUsers | typeof managedUsers },
): Promise<number> {
  if (requestedId === undefined || requestedId === String(caller.id)) return caller.id
  if (!seesOthers(caller)) {
    throw problem('wrong-role', 'Only support and administrators may ask about other users. Leave userId out.')
  }
  const user = await among(db, caller)
    .where('u.id', '=', rowId(requestedId) ?? null)
    .select('u.id')
    .executeTakeFirst()
  if (!user) throw problem('not-found', 'There is no such user, or they see customers that you may not see.')
  return user.id
}
