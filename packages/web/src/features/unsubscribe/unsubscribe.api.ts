import type { RouteTypes } from '@benchwatch/contract/route'
import type { Routes } from '@benchwatch/contract/routes'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/http.ts'

/** What a link in an automatic support e-mail would end, and whether it has. */
export type LinkedWarning = RouteTypes<Routes['getUnsubscribeInformation']>['answer']

/** The link itself is the permission: no session is asked for, and none is sent. */
export function linkedWarningQuery(token: string) {
  return queryOptions({
    queryKey: ['unsubscribe', token] as const,
    queryFn: ({ signal }) => call('getUnsubscribeInformation', { query: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useUnsubscribe(token: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (unsubscribeDays: 30 | null) => call('unsubscribe', { body: { token, unsubscribeDays } }),
    onSuccess: ({ unsubscribedUntil }) =>
      client.setQueryData(
        linkedWarningQuery(token).queryKey,
        (warning) => warning && { ...warning, isUnsubscribed: true, unsubscribedUntil },
      ),
  })
}

/** The link is none, or has expired. */
export function isInvalidLink(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'unsubscribe-token'
}
