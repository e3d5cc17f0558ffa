import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { type EventRows, keepNewer } from './service-event-cache.ts'
import { serviceEventKeys } from './service-events.api.ts'

/** What is alike: the instrument, the instrument and the error, or the error wherever it occurred. */
export type Likeness = 'instrument' | 'instrument-and-error' | 'error'

type LookedAt = Pick<ServiceEvent, 'id' | 'templateId' | 'createdAt' | 'instrumentInstalledProductId'>

/** The newest events like this one that were created before it: 3-decisions 4, similar events. */
export function similarEventsQuery(event: LookedAt, { likeness, count }: { likeness: Likeness; count: number }) {
  return queryOptions({
    queryKey: serviceEventKeys.similarTo(event.id, likeness, count),
    queryFn: async ({ client, queryKey, signal }): Promise<EventRows> => {
      const query = { ...likenessQuery(event, likeness), date: event.createdAt, maxResultsQuantity: String(count) }
      const answer = await call('listSimilarEvents', { query, signal })
      return keepNewer(answer, client.getQueryData<EventRows>(queryKey))
    },
    // While more are read or the box is ticked, the rows that are there stay.
    placeholderData: keepPreviousData,
    // Rows would move under the pointer; pushes keep them right.
    refetchOnWindowFocus: false,
  })
}

function likenessQuery({ templateId, instrumentInstalledProductId }: LookedAt, likeness: Likeness) {
  switch (likeness) {
    case 'instrument':
      return { instrumentInstalledProductId }
    case 'instrument-and-error':
      return { instrumentInstalledProductId, templateId, thisEventOnly: 'true' as const }
    case 'error':
      return { templateId }
  }
}
