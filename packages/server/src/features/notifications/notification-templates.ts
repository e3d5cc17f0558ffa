/** Kinds of messages by which users are told of events, as the outbox names them. */
export const templates = {
  newEvent: 'new-event',
  assigned: 'assigned-event',
  held: 'held-events',
  digest: 'event-digest',
} as const
