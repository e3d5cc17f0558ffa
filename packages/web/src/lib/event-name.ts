/** `ORC-104882`, as people read an event id. */
export function eventName({ eventId }: { eventId: string }): string {
  return `ORC-${eventId}`
}
