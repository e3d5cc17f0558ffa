import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { pageQuery } from '../../lib/list/list-address.ts'
import type { NotificationSearch } from './notifications.search.ts'

/** API calls for sent notifications and their explanation. `userId` null means the caller. */

/** Messages are sent seconds after they are queued, and the server pushes no update. */
const REFRESH_MS = 10_000

const root = ['notifications'] as const

/** One page of a user's notifications, newest first. The previous page stays visible while the next one loads. */
export function notificationsQuery(search: NotificationSearch) {
  const { userId, ...place } = search
  return queryOptions({
    queryKey: [...root, 'list', search] as const,
    queryFn: async ({ signal }) => {
      const query = { ...pageQuery(place), ...(userId !== null && { userId }) }
      const { values, total } = await call('listNotifications', { query, signal })
      return { values, total: total.notifications }
    },
    placeholderData: (before, query) => (query?.queryKey[2].userId === userId ? before : undefined),
    refetchInterval: REFRESH_MS,
  })
}

/** Notifications of an event, newest first: the caller's own, or all if the caller may see them. */
export function eventNotificationsQuery({ id }: Pick<ServiceEvent, 'id'>) {
  return queryOptions({
    queryKey: [...root, 'event', id],
    queryFn: async ({ signal }) => (await call('listEventNotifications', { params: { id }, signal })).values,
    refetchInterval: REFRESH_MS,
  })
}

/** Explains by the current profiles why a user is or is not notified of an event. `id` is the event's. */
export function explanationQuery(id: string, userId: string | null) {
  return queryOptions({
    queryKey: [...root, 'explanation', id, userId],
    queryFn: ({ signal }) =>
      call('explainNotification', { params: { id }, query: userId === null ? {} : { userId }, signal }),
    refetchInterval: REFRESH_MS,
  })
}
