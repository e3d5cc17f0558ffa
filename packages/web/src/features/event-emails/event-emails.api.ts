import type { ServiceEvent } from '@benchwatch/contract/events'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** The door to mails about an event: what was sent, and sharing it by mail. Wire 2. */

const root = ['event-emails'] as const

export const eventEmailKeys = {
  all: root,
  of: (id: string) => [...root, id] as const,
}

/** What is on its way is looked at again as often as an event itself. */
const UNSENT_POLL_MS = 10_000

/**
 * Mails about an event, those that wait to be sent first, then the newest. Read anew when its support e-mail leaves, and
 * from time to time while one is on its way.
 */
export function eventEmailsQuery({ id, automaticEmailSentAt }: Pick<ServiceEvent, 'id' | 'automaticEmailSentAt'>) {
  return queryOptions({
    queryKey: [...eventEmailKeys.of(id), automaticEmailSentAt],
    queryFn: async ({ signal }) => (await call('listServiceEventEmails', { params: { id }, signal })).values,
    refetchInterval: ({ state }) =>
      state.data?.some((email) => email.state === 'waiting' || email.state === 'held') ? UNSENT_POLL_MS : false,
  })
}

export interface Sharing {
  event: Pick<ServiceEvent, 'id' | 'eventId'>
  receiverIds: string[]
  /** Null for none. */
  message: string | null
}

/** Mails the event to colleagues. Not tried again by itself: a mail that left twice can't be taken back. */
export function useShareEvent() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ event, receiverIds, message }: Sharing) =>
      call('shareServiceEvent', { body: { eventId: event.eventId, receiverIds, message } }),
    onSuccess: (_nothing, { event }) => client.invalidateQueries({ queryKey: eventEmailKeys.of(event.id) }),
  })
}
