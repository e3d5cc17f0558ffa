import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { limits } from '@benchwatch/contract/vocabulary'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { type EventRows, keepNewer } from './service-event-cache.ts'
import { serviceEventKeys } from './service-events.api.ts'

/** The specification's page of 'Prior Event Notification'. */
export const PRIOR_EVENTS = 26

/** Push changes the rows; this repairs what push missed. Which events came before does not change by itself. */
const REFRESH_MS = 60_000

/**
 * What was raised before this event and has its installed product id among its texts, newest first: 3-decisions 4,
 * related events. The keyword finds ids that only begin alike, too, and is shown as it is answered.
 */
export function priorEventsQuery(event: Pick<ServiceEvent, 'id' | 'instrumentInstalledProductId' | 'createdAt'>) {
  return queryOptions({
    queryKey: serviceEventKeys.priorTo(event.id),
    queryFn: async ({ client, queryKey, signal }): Promise<EventRows> => {
      const keyword = event.instrumentInstalledProductId.slice(0, limits.keyword)
      const query = { keyword, stop: event.createdAt, limit: String(PRIOR_EVENTS) }
      const page = await call('listServiceEvents', { query, body: {}, signal })
      const values = page.values.filter(({ alarm }) => alarm.id !== event.id)
      return keepNewer({ values }, client.getQueryData<EventRows>(queryKey))
    },
    refetchInterval: REFRESH_MS,
  })
}
