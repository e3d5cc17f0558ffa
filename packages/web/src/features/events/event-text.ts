import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { alertStatusLabels, type Severity, severities, severityLabels } from '@benchwatch/contract/vocabulary'
import { addressLines } from '../../lib/address.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime, formatZone } from '../../lib/time/dates.ts'

type Site = Pick<ServiceEvent, 'siteStreet' | 'siteZip' | 'siteCity' | 'siteCountry'>

const DELAY_MS = 60 * 60_000
/** Clocks of servers and gateways differ by seconds. */
const AHEAD_MS = 60_000

/** Returns 'Platinum 24/7 · Tier 1': the contract term, and the tier if it is the first. Null without either. */
export function slaLabel({ cpSLATerm, tierOne }: Pick<ServiceEvent, 'cpSLATerm' | 'tierOne'>): string | null {
  const parts = [cpSLATerm, tierOne ? 'Tier 1' : null].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}

/** Returns 'ÄKTA pilot 600 · PILOT-UPP-01': the product name and the system name. Null for an edge issue. */
export function instrumentName(
  event: Pick<ServiceEvent, 'instrumentProductDescription' | 'instrumentDefinedSystemName'>,
): string | null {
  const parts = [event.instrumentProductDescription, event.instrumentDefinedSystemName].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}

/**
 * Returns the event as text for an e-mail or a ticket; missing values are left out. `origin`: https://console.example.
 */
export function eventAsText(event: ServiceEvent, origin: string): string {
  const zone = formatZone(new Date(event.logGeneratedAt))
  const during = event.duringMaintenance ? ', during maintenance' : ''
  const generatedAt = `${formatEventTime(event.logGeneratedAt)}, ${zone}${during}`
  const facts: [string, string | null][] = [
    ['Date generated', generatedAt],
    ['Status', alertStatusLabels[event.alertStatus]],
    event.isEdgeIssue ? ['Gateway', event.gatewayName] : ['Module', event.componentName],
    ['Installed product ID', event.instrumentInstalledProductId],
    ['Instrument', instrumentName(event)],
    ['Error id', event.templateId],
    ['Customer', event.enterpriseName],
    ['Location', siteAddress(event).join(', ')],
    ['SLA', slaLabel(event)],
    ['Message', event.userMessage],
  ]
  return [
    `${eventName(event)} · ${severityLabels[event.severity]} · ${event.description}`,
    ...facts.flatMap(([name, value]) => (value === null || value === '' || value === '–' ? [] : `${name}: ${value}`)),
    `${origin}/events/${event.eventId}`,
  ].join('\n')
}

/** True if the server stored the event at least one hour after the instrument logged it. */
export function isDelayed(event: Pick<ServiceEvent, 'createdAt' | 'logGeneratedAt'>): boolean {
  return new Date(event.createdAt).getTime() - new Date(event.logGeneratedAt).getTime() >= DELAY_MS
}

/** True if the instrument dated the event at least a minute after the server stored it: its clock is ahead. */
export function isAhead(event: Pick<ServiceEvent, 'createdAt' | 'logGeneratedAt'>): boolean {
  return new Date(event.logGeneratedAt).getTime() - new Date(event.createdAt).getTime() >= AHEAD_MS
}

/** True if the condition that raised an open event lasts, as far as is known. */
export function isActive(event: Pick<ServiceEvent, 'clearedAt' | 'alertStatus'>): boolean {
  return event.clearedAt === null && event.alertStatus !== '3_CLOSED'
}

/** Returns how often the same alarm was raised: '1,235'. */
export function timesRaised({ latchedCount }: Pick<ServiceEvent, 'latchedCount'>): string {
  return (latchedCount + 1).toLocaleString('en')
}

export function raisedLabel(event: Pick<ServiceEvent, 'latchedCount'>): string {
  return `Raised ${timesRaised(event)} times`
}

/** The sentences behind the marks of a list, which expanded rows show to users who have no tooltips. */
export const markSentences = {
  delayed: 'Delayed: stored at least 1 hour after the instrument logged it',
  ahead: 'Clock ahead: stored before the date that the instrument gave it',
  maintenance: 'During maintenance of the instrument',
  active: 'Still active: the instrument has not reported a return to normal',
}

/** Formats the site of an event in one or two lines; a dash if nothing is known. */
export function siteAddress({ siteStreet, siteZip, siteCity, siteCountry }: Site): string[] {
  return addressLines({ street: siteStreet, zip: siteZip, city: siteCity, country: siteCountry })
}

/** Returns the worst severity of the events that share a mark. */
export function worstSeverity(events: readonly { severity: Severity }[]): Severity {
  return severities.find((severity) => events.some((event) => event.severity === severity)) ?? 'low'
}
