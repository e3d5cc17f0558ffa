import type { Calendar } from '@benchwatch/contract/instruments/calendars'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type CallInput, call } from '../../lib/http.ts'

/** The user's calendar links. */

export type NewCalendar = CallInput<'createCalendar'>['body']

/** Newest first. Read each time they are shown, because their last use changes without a message. */
export function calendarsQuery() {
  return queryOptions({
    queryKey: ['calendars'],
    queryFn: async ({ signal }): Promise<Calendar[]> => (await call('listCalendars', { signal })).values,
    staleTime: 0,
  })
}

export function useCreateCalendar() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewCalendar) => call('createCalendar', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: calendarsQuery().queryKey }),
    // The link is dropped with the dialog that showed it.
    gcTime: 0,
  })
}

export function useRevokeCalendar() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call('revokeCalendar', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: calendarsQuery().queryKey }),
  })
}
