import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { alertStatusLabels, severityLabels } from '@benchwatch/contract/vocabulary'
import type { MailBlock } from '../messages/mail-frame.ts'

/** The facts that every e-mail about an event contains. */

/**
 * Maximum length of a description in a subject, which mail clients show in a list; counted in user-perceived
 * characters.
 */
const SUBJECT_DESCRIPTION = 100

/** `ORC-104882 · HIGH · Pressure above limit` */
export function eventSubject(event: Pick<ServiceEvent, 'eventId' | 'severity' | 'description'>): string {
  return `ORC-${event.eventId} · ${severityLabels[event.severity]} · ${cut(event.description, SUBJECT_DESCRIPTION)}`
}

/** Returns the facts of an event, leaving out absent ones. */
export function eventFacts(event: ServiceEvent): MailBlock {
  const place = [event.siteStreet, [event.siteZip, event.siteCity].filter(Boolean).join(' '), event.siteCountry]
  const instrument = [event.instrumentProductDescription, event.instrumentDefinedSystemName]
  const facts: [label: string, value: string | null][] = [
    ['Event', `ORC-${event.eventId}`],
    ['Severity', severityLabels[event.severity]],
    ['Status', alertStatusLabels[event.alertStatus]],
    ['Error id', event.templateId],
    ['Gateway', event.isEdgeIssue ? event.gatewayName : null],
    ['Instrument', event.isEdgeIssue ? null : instrument.filter(Boolean).join(' · ')],
    ['Module', event.isEdgeIssue ? null : event.componentName],
    ['Installed product ID', event.instrumentInstalledProductId],
    ['Customer', event.enterpriseName],
    ['Location', place.filter(Boolean).join(', ')],
    ['Date generated', timeInZone(event.logGeneratedAt, event.siteTimeZone)],
  ]
  return { kind: 'details', facts: facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])) }
}

/**
 * Formats `20-Nov-2026 14:58 (Europe/Stockholm)`, in the zone of the instrument, because an e-mail does not know the
 * reader's zone.
 */
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

/**
 * Cuts a text to this many user-perceived characters, with … if more follow. Never cuts within a character, however
 * many code points it has.
 */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  let count = 0
  let end = 0
  // Iterates lazily, because a text may be far longer than the part that is kept.
  for (const { index } of new Intl.Segmenter().segment(text)) {
    count += 1
    if (count === length) end = index
    if (count > length) return `${text.slice(0, end).trimEnd()}…`
  }
  return text
}
