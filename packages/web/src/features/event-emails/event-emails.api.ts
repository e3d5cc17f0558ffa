import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** The door to mails about an event: what was sent, and sharing it by mail. Wire 2. */

const root = ['event-emails'] as const

export const eventEmailKeys = {
  all: root,
  of: (id: string) => [...root, id] as const,
}

/** Mails about an event, those that wait to be sent first, then the newest. Read anew when its support e-mail leaves. */
export function eventEmailsQuery({ id, automaticEmailSentAt }: Pick<ServiceEvent, 'id' | 'automaticEmailSentAt'>) {
  return queryOptions({
    queryKey: [...eventEmailKeys.of(id), automaticEmailSentAt],
    queryFn: async ({ signal }) => (await call('listServiceEventEmails', { params: { id }, signal })).values,
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
