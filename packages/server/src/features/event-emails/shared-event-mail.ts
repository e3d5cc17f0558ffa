import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels, severityLabels } from '@benchwatch/contract/vocabulary'
import { frameMail, type MailBlock, type MailBrand, type MailContent } from '../messages/mail-frame.ts'

/** A subject shows in a list of mails: longer descriptions end there. In characters as people count them. */
const SUBJECT_DESCRIPTION = 100

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
  const name = `ORC-${event.eventId}`
  const severity = severityLabels[event.severity]
  return frameMail(
    {
      subject: `${name} · ${severity} · ${cut(event.description, SUBJECT_DESCRIPTION)}`,
      preview: message ?? `${sharedBy} shares ${name} with you.`,
      heading: `${sharedBy} shares a service event with you`,
      blocks: [
        ...(message === null ? [] : [{ kind: 'quote', text: message } as const]),
        { kind: 'text', text: event.description },
        ...(event.userMessage === null ? [] : [{ kind: 'text', text: event.userMessage } as const]),
        details(event),
      ],
      button: { label: 'Open the event', path: `/events/${event.eventId}` },
      note: `An answer to this mail does not reach ${sharedBy}.`,
    },
    brand,
  )
}

function details(event: ServiceEvent): MailBlock {
  const place = [event.siteStreet, [event.siteZip, event.siteCity].filter(Boolean).join(' '), event.siteCountry]
  const instrument = [event.instrumentProductDescription, event.instrumentDefinedSystemName]
  const facts: [label: string, value: string | null][] = [
    ['Event', `ORC-${event.eventId}`],
    ['Severity', severityLabels[event.severity]],
    ['Status', alertStatusLabels[event.alertStatus]],
    ['Error id', event.templateId],
    ...(event.isEdgeIssue
      ? [['Gateway', event.gatewayName] as [string, string | null]]
      : ([
          ['Instrument', instrument.filter(Boolean).join(' · ')],
          ['Component', event.componentName],
        ] as [string, string | null][])),
    ['Product ID', event.instrumentInstalledProductId],
    ['Customer', event.enterpriseName],
    ['Location', place.filter(Boolean).join(', ')],
    ['Date generated', timeInZone(event.logGeneratedAt, event.siteTimeZone)],
  ]
  return { kind: 'details', facts: facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])) }
}

/** `20-Nov-2026 14:58 (Europe/Stockholm)`: where the instrument stands, for a mail has no viewer's zone. */
export function timeInZone(instant: string, zone: string | null): string {
  const timeZone = zone ?? 'UTC'
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
  return `${part('day')}-${part('month')}-${part('year')} ${part('hour')}:${part('minute')} (${timeZone})`
}

/** Never within a character, however many code points it has. */
function cut(text: string, length: number): string {
  const characters = [...new Intl.Segmenter().segment(text)]
  if (characters.length <= length) return text
  const kept = characters.slice(0, length - 1).map(({ segment }) => segment)
  return `${kept.join('').trimEnd()}…`
}
