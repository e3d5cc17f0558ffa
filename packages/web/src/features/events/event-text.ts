import type { ServiceEvent } from '@benchwatch/contract/events'
import { alertStatusLabels, type Severity, severities, severityLabels } from '@benchwatch/contract/vocabulary'
import { addressLines } from '../../lib/address.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime, formatZone } from '../../lib/time/dates.ts'

/** A mark takes presses on 24 px, the least that a finger finds (WCAG 2.5.8); closer ones would take each other's. */
export const MARK_PX = 24

type Site = Pick<ServiceEvent, 'siteStreet' | 'siteZip' | 'siteCity' | 'siteCountry'>

const DELAY_MS = 60 * 60_000

/** 'Platinum 24/7 · Tier 1': the contract's terms, with the tier where it is the first; null without either. */
export function slaLabel({ cpSLATerm, tierOne }: Pick<ServiceEvent, 'cpSLATerm' | 'tierOne'>): string | null {
  const words = [cpSLATerm, tierOne ? 'Tier 1' : null].filter(Boolean)
  return words.length > 0 ? words.join(' · ') : null
}

/** 'ÄKTA pilot 600 · PILOT-UPP-01': what the instrument is and what its laboratory calls it; null for an edge issue. */
export function instrumentName(
  event: Pick<ServiceEvent, 'instrumentProductDescription' | 'instrumentDefinedSystemName'>,
): string | null {
  const words = [event.instrumentProductDescription, event.instrumentDefinedSystemName].filter(Boolean)
  return words.length > 0 ? words.join(' · ') : null
}

/** The event as it is pasted into a mail or a ticket; what it lacks is left out. `origin`: https://console.example. */
export function eventAsText(event: ServiceEvent, origin: string): string {
  const zone = formatZone(new Date(event.logGeneratedAt))
  const during = event.duringMaintenance ? ', during maintenance' : ''
  const generatedAt = `${formatEventTime(event.logGeneratedAt)}, ${zone}${during}`
  const facts: [string, string | null][] = [
    ['Date generated', generatedAt],
    ['Status', alertStatusLabels[event.alertStatus]],
    event.isEdgeIssue ? ['Gateway', event.gatewayName] : ['Module', event.componentName],
    ['Product ID', event.instrumentInstalledProductId],
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

/** An event is delayed when the server stored it at least one hour after the instrument logged it. */
export function isDelayed(event: Pick<ServiceEvent, 'createdAt' | 'logGeneratedAt'>): boolean {
  return new Date(event.createdAt).getTime() - new Date(event.logGeneratedAt).getTime() >= DELAY_MS
}

/** The site of an event in one or two lines; a dash when nothing is known. */
export function siteAddress({ siteStreet, siteZip, siteCity, siteCountry }: Site): string[] {
  return addressLines({ street: siteStreet, zip: siteZip, city: siteCity, country: siteCountry })
}

/** Of a mark that stands for several events: the worst among them. */
export function worstSeverity(events: readonly { severity: Severity }[]): Severity {
  return severities.find((severity) => events.some((event) => event.severity === severity)) ?? 'low'
}
