import type { ServiceEvent } from '@benchwatch/contract/events'
import { alertStatusLabels, severityLabels } from '@benchwatch/contract/vocabulary'
import type { MailBlock } from '../messages/mail-frame.ts'

/** What every mail about an event tells of it. */

/** A subject shows in a list of mails: longer descriptions end there. In characters as people count them. */
const SUBJECT_DESCRIPTION = 100

/** `ORC-104882 · HIGH · Pressure above limit` */
export function eventSubject(event: Pick<ServiceEvent, 'eventId' | 'severity' | 'description'>): string {
  return `ORC-${event.eventId} · ${severityLabels[event.severity]} · ${cut(event.description, SUBJECT_DESCRIPTION)}`
}

/** What an event says of itself, leaving out what it lacks. */
export function eventFacts(event: ServiceEvent): MailBlock {
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
    ['Installed product ID', event.instrumentInstalledProductId],
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

/** The first characters as people count them, with … where more follow: never cut within one, however many code points it has. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  let count = 0
  let end = 0
  // Step by step, because texts may be far longer than what is kept.
  for (const { index } of new Intl.Segmenter().segment(text)) {
    count += 1
    if (count === length) end = index
    if (count > length) return `${text.slice(0, end).trimEnd()}…`
  }
  return text
}
