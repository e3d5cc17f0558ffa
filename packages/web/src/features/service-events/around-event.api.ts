import type { EventSurroundings } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { isStillGrowing } from './event-axis.ts'
import { keepNewer } from './service-event-cache.ts'
import { serviceEventKeys } from './service-events.api.ts'

/** While the six hours after the event are not over. Live messages of the instrument tell sooner. */
const REFRESH_MS = 60_000

/** What went on at the instrument within six hours of this event; once they are over it is read no more. */
export function surroundingsQuery({
  id,
  instrumentInstalledProductId,
}: Pick<ServiceEvent, 'id' | 'instrumentInstalledProductId'>) {
  return queryOptions({
    queryKey: serviceEventKeys.around(instrumentInstalledProductId, id),
    queryFn: async ({ client, queryKey, signal }) =>
      keepNewer(
        await call('getEventSurroundings', { params: { id }, signal }),
        client.getQueryData<EventSurroundings>(queryKey),
      ),
    enabled: ({ state }) => state.data === undefined || isStillGrowing(state.data),
    refetchInterval: REFRESH_MS,
  })
}
