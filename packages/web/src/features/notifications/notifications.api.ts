import type { ServiceEvent } from '@benchwatch/contract/events'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import type { NotificationSearch } from './notifications.search.ts'

/** The door to who was told of which event, and why. `userId` null stands for the person signed in. */

/** Messages leave seconds after they are decided on, and no push tells of it. */
const REFRESH_MS = 10_000

const root = ['notifications'] as const

export const notificationKeys = {
  all: root,
  list: (search: NotificationSearch) => [...root, 'list', search] as const,
  ofEvent: (id: string) => [...root, 'event', id] as const,
  explanation: (id: string, userId: string | null) => [...root, 'explanation', id, userId] as const,
}

/** One page of what somebody was told, newest first. The previous page stays in sight while the next one loads. */
export function notificationsQuery(search: NotificationSearch) {
  const { userId, page, pageSize } = search
  return queryOptions({
    queryKey: notificationKeys.list(search),
    queryFn: async ({ signal }) => {
      const query = { limit: pageSize, offset: (page - 1) * pageSize, ...(userId !== null && { userId }) }
      const { values, total } = await call('listNotifications', { query, signal })
      return { values, total: total.notifications }
    },
    placeholderData: (before, query) => (query?.queryKey[2].userId === userId ? before : undefined),
    refetchInterval: REFRESH_MS,
  })
}

/** Whom an event was told, newest first: the caller, or everybody where they may know. */
export function eventNotificationsQuery({ id }: Pick<ServiceEvent, 'id'>) {
  return queryOptions({
    queryKey: notificationKeys.ofEvent(id),
    queryFn: async ({ signal }) => (await call('listEventNotifications', { params: { id }, signal })).values,
    refetchInterval: REFRESH_MS,
  })
}

/** Why somebody was told of an event or was not, by the profiles as they are now. `id`: of the event. */
export function explanationQuery(id: string, userId: string | null) {
  return queryOptions({
    queryKey: notificationKeys.explanation(id, userId),
    queryFn: ({ signal }) =>
      call('explainNotification', { params: { id }, query: userId === null ? {} : { userId }, signal }),
    refetchInterval: REFRESH_MS,
  })
}
