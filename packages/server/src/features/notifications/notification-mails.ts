import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { type NotificationKind, severityLabels } from '@benchwatch/contract/vocabulary'
import { oneLine } from '../../platform/message-text.ts'
import { cut, eventFacts, eventSubject, timeInZone } from '../event-emails/event-facts-block.ts'
import { frameMail, type MailBlock, type MailBrand, type MailContent } from '../messages/mail-frame.ts'

/** Texts of notification e-mails. Pure functions. */

/** Texts of instruments are cut after this many characters, as users count them; the event's page shows all. */
const WHOLE_TEXT = 1500
const LINE_OF_A_LIST = 140

/** An e-mail about a single event. */
export interface EventMailInput {
  kind: NotificationKind
  event: ServiceEvent
  /** Name of the user who assigned the event; null if unknown. */
  assignedBy: string | null
}

export function eventMail({ kind, event, assignedBy }: EventMailInput, brand: MailBrand): MailContent {
  const isNew = kind === 'new_event_notification'
  const heading = isNew ? 'New service event' : assignment(assignedBy)
  return frameMail(
    {
      subject: eventSubject(event),
      preview: `${heading}: ${placeOf(event)}`,
      heading,
      blocks: [
        { kind: 'text', text: cut(event.description, WHOLE_TEXT) },
        ...(event.userMessage ? [{ kind: 'text', text: cut(event.userMessage, WHOLE_TEXT) } as const] : []),
        eventFacts(event),
      ],
      button: { label: 'Open the event', path: `/events/${event.eventId}` },
      note: isNew
        ? 'You are receiving this e-mail because the event matches your notification settings for All Events.'
        : 'You are receiving this e-mail because the event matches your notification settings for events assigned to you.',
      links: [
        { label: 'Why did I get this?', path: `/events/${event.eventId}/why` },
        { label: 'Change your notification settings', path: '/settings' },
      ],
    },
    brand,
  )
}

/** Returns the sentence with the assigner's name on a single line. */
export function assignment(assignedBy: string | null): string {
  return assignedBy === null
    ? 'A service event was assigned to you'
    : `${cut(assignedBy, 80)} assigned a service event to you`
}

/** `held`: until a maintenance ended; `digest`: above the hourly limit. */
export type ListReason = 'held' | 'digest'

/** E-mail with several events, the newest first. */
export interface EventList {
  reason: ListReason
  /** The events that the e-mail lists. */
  events: readonly ServiceEvent[]
  /** Total number of events. */
  count: number
  /** Highest severity of all events, including those that are not listed. */
  worst: ServiceEvent['severity']
}

export function eventListMail({ reason, events, count, worst }: EventList, brand: MailBrand): MailContent {
  const number = count === 1 ? '1 service event' : `${count} service events`
  const said = {
    held: {
      heading: `Maintenance is over: ${number}`,
      text: 'This happened while the instrument was in maintenance. We held it back until the maintenance ended.',
    },
    digest: {
      heading: `${number} in one mail`,
      text: 'You reached the limit of single notifications for this hour, so the other events are combined in this list.',
    },
  }[reason]
  return frameMail(
    {
      subject: `${said.heading} · ${severityLabels[worst]}`,
      preview: events[0] ? `${eventSubject(events[0])}, ${placeOf(events[0])}` : said.text,
      heading: said.heading,
      blocks: [
        { kind: 'text', text: said.text },
        listOf(events),
        ...(count > events.length
          ? [{ kind: 'text', text: `These are the newest ${events.length} of ${count} events.` } as const]
          : []),
      ],
      button: { label: count > events.length ? 'View all events' : 'View your notifications', path: '/notifications' },
      note: 'You are receiving this e-mail because these events match your notification settings.',
      links: [{ label: 'Change your notification settings', path: '/settings' }],
    },
    brand,
  )
}

function listOf(events: readonly ServiceEvent[]): MailBlock {
  return {
    kind: 'list',
    items: events.map((event) => ({
      mark: { text: severityLabels[event.severity], tone: event.severity },
      title: `ORC-${event.eventId}`,
      path: `/events/${event.eventId}`,
      aside: timeInZone(event.logGeneratedAt, event.siteTimeZone),
      text: cut(oneLine(event.description), LINE_OF_A_LIST),
      about: cut(placeOf(event), LINE_OF_A_LIST),
    })),
  }
}

/** Formats `ÄKTA pure 25 IP-20431187, Uppsala`; for an edge issue, with its gateway. */
export function placeOf(event: ServiceEvent): string {
  const thing = event.isEdgeIssue
    ? (event.gatewayName ?? event.instrumentInstalledProductId)
    : [event.instrumentProductDescription, event.instrumentInstalledProductId].filter(Boolean).join(' ')
  return oneLine([thing, event.siteCity].filter(Boolean).join(', '))
}
