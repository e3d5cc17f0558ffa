import type { ServiceEvent } from '@benchwatch/contract/service-events'

const DELAY_MS = 60 * 60_000

/** An event is delayed when the server stored it at least one hour after the instrument logged it. */
export function isDelayed(event: Pick<ServiceEvent, 'createdAt' | 'logGeneratedAt'>): boolean {
  return new Date(event.createdAt).getTime() - new Date(event.logGeneratedAt).getTime() >= DELAY_MS
}
