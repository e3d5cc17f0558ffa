import type { LogType } from '@benchwatch/contract/vocabulary'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'

/** Finds objects for permanent deletion and deletes them. Objects outside the caller's scope fail with ApiError 404. */

/** The number of log lines to choose from, newest first. */
const LINES = '50'

const found = { retry: false, staleTime: 0 } as const

export function foundInstrumentQuery(id: string) {
  return queryOptions({
    queryKey: ['deletions', 'instrument', id],
    queryFn: ({ signal }) => call('getInstrument', { params: { id }, signal }),
    ...found,
  })
}

export function foundEventQuery(eventId: string) {
  return queryOptions({
    queryKey: ['deletions', 'event', eventId],
    queryFn: ({ signal }) => call('getServiceEventByEventId', { params: { eventId }, signal }),
    ...found,
  })
}

export function foundLinesQuery(instrumentInstalledProductId: string, logType: LogType) {
  return queryOptions({
    queryKey: ['deletions', 'log', instrumentInstalledProductId, logType],
    queryFn: async ({ signal }) =>
      (await call('listInstrumentLogs', { query: { instrumentInstalledProductId, logType, size: LINES }, signal })).body
        .hits.hits,
    ...found,
  })
}

/** Profiles that the user has saved. */
export function foundProfilesQuery(userId: string) {
  return queryOptions({
    queryKey: ['deletions', 'profile', userId],
    queryFn: ({ signal }) => call('listUserProfiles', { params: { id: userId }, signal }),
    ...found,
  })
}

const routeOf = {
  instrument: 'deleteInstrument',
  event: 'deleteServiceEvent',
  log: 'deleteLogEntry',
  profile: 'deleteProfile',
  user: 'deleteUser',
} as const

export type DeletionKind = keyof typeof routeOf

/** Deletes an object permanently. Refetches everything, because the object may be shown anywhere. */
export function useDelete(kind: DeletionKind) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(routeOf[kind], { params: { id } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['deletions', kind] })
      void client.invalidateQueries()
    },
  })
}
