import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { siteAddress } from './event-text.ts'
import { EventValue } from './event-value.ts'

/** The address of the event's site; the line with the city finds the events of that city. */
export function SiteAddress({ event }: { event: ServiceEvent }) {
  const lines = siteAddress(event)
  return lines.map((line) => (
    <div key={line}>
      <EventValue category="siteCity" value={line === lines.at(-1) ? event.siteCity : null}>
        <bdi>{line}</bdi>
      </EventValue>
    </div>
  ))
}
