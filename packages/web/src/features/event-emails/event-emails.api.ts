import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** Entry point for e-mails about an event: what was sent, and sharing. Wire 2. */

const root = ['event-emails'] as const

export const eventEmailKeys = {
  all: root,
  of: (id: string) => [...root, id] as const,
}

/** Unsent e-mails are polled as often as events. */
const UNSENT_POLL_MS = 10_000

/**
 * Reads the e-mails about an event: unsent first, then newest first. Refetched when its support e-mail is sent, and
 * polled while any e-mail is unsent.
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

/** Sends the event to colleagues. Not retried automatically: an e-mail that was sent twice cannot be recalled. */
export function useShareEvent() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ event, receiverIds, message }: Sharing) =>
      call('shareServiceEvent', { body: { eventId: event.eventId, receiverIds, message } }),
    onSuccess: (_nothing, { event }) => client.invalidateQueries({ queryKey: eventEmailKeys.of(event.id) }),
  })
}
