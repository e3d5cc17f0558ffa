import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { frameMail, type MailBrand, type MailContent } from '../messages/mail-frame.ts'
import { eventFacts, eventSubject } from './event-facts-block.ts'

interface SharedEvent {
  event: ServiceEvent
  /** Name of whoever shares it. */
  sharedBy: string
  message: string | null
}

/**
 * The mail about a shared event. It has no Reply-To: people's addresses are shown to support and administrators alone, so
 * it says instead that an answer does not reach whoever shared it.
 */
export function sharedEventMail({ event, sharedBy, message }: SharedEvent, brand: MailBrand): MailContent {
  return frameMail(
    {
      subject: eventSubject(event),
      preview: message ?? `${sharedBy} shares ORC-${event.eventId} with you.`,
      heading: `${sharedBy} shares a service event with you`,
      blocks: [
        ...(message === null ? [] : [{ kind: 'quote', text: message } as const]),
        { kind: 'text', text: event.description },
        ...(event.userMessage === null ? [] : [{ kind: 'text', text: event.userMessage } as const]),
        eventFacts(event),
      ],
      button: { label: 'Open the event', path: `/events/${event.eventId}` },
      note: `An answer to this mail does not reach ${sharedBy}.`,
    },
    brand,
  )
}
