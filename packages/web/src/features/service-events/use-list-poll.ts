import { type QueryClient, useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { call } from '../../lib/http.ts'
import { IsLive } from '../../lib/is-live.ts'
import type { ListRequest, Narrowing } from './event-list-request.ts'
import { rememberNewEvent } from './new-events.ts'
import type { AskedPage, EventPage } from './service-event-cache.ts'
import { createdQuery, putServiceEvent, serviceEventKeys } from './service-events.api.ts'

/** As often as the details ask (3-decisions 4: what push missed). */
export const LIST_POLL_MS = 10_000

/**
 * While nothing is pushed, behind a proxy without websockets for example, the list asks by itself. As with push, rows change in
 * place and what is new only lights the bar. When it was last answered, in epoch ms; null while it need not ask or gets no answer.
 */
export function useListPoll(list: { request: ListRequest; narrowed: Narrowing; isLoaded: boolean }): number | null {
  const { request, narrowed, isLoaded } = list
  const isOn = !use(IsLive) && isLoaded
  const poll = useQuery({
    queryKey: serviceEventKeys.poll(request),
    queryFn: async ({ client, signal }) => {
      const page = await call('listServiceEvents', { ...request, signal })
      client.setQueryData(serviceEventKeys.totalsOf(narrowed), page.total)
      tellOf(client, page, client.getQueryData<AskedPage>(serviceEventKeys.list(request)))
      return Date.now()
    },
    enabled: isOn,
    // The list itself was just read; and push is mostly back within the time.
    initialData: 0,
    initialDataUpdatedAt: () => Date.now(),
    staleTime: LIST_POLL_MS,
    refetchInterval: LIST_POLL_MS,
    refetchOnWindowFocus: false,
    retry: false,
    gcTime: 0,
  })
  return isOn && !poll.isError && poll.data > 0 ? poll.data : null
}

/** As messages would have told of it: changes of what is shown, and what was created after all that is shown. */
function tellOf(client: QueryClient, page: EventPage, shown: AskedPage | undefined): void {
  const newest = Math.max(...(shown?.values ?? []).map(({ alarm }) => Date.parse(alarm.createdAt)))
  for (const { alarm } of page.values) {
    putServiceEvent(client, alarm)
    if (Date.parse(alarm.createdAt) <= newest) continue
    const { id, eventId, createdAt, severity, alertStatus, instrumentInstalledProductId } = alarm
    const created = { id, eventId, createdAt, severity, alertStatus, instrumentInstalledProductId }
    client.setQueryData(createdQuery().queryKey, (known = []) =>
      rememberNewEvent(known, { created, arrivedAt: Date.now() }),
    )
  }
}
