import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels, severityLabels } from '@benchwatch/contract/vocabulary'
import { formatEventTime, zoneLabel } from '../../lib/dates.ts'
import { eventName } from '../../lib/event-name.ts'
import { siteAddress } from './site-address.ts'

/** 'Platinum 24/7 · Tier 1': the contract's terms, with the tier where it is the first; null without either. */
export function slaWords({ cpSLATerm, tierOne }: Pick<ServiceEvent, 'cpSLATerm' | 'tierOne'>): string | null {
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
  const zone = zoneLabel(new Date(event.logGeneratedAt))
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
    ['SLA', slaWords(event)],
    ['Message', event.userMessage],
  ]
  return [
    `${eventName(event)} · ${severityLabels[event.severity]} · ${event.description}`,
    ...facts.flatMap(([name, value]) => (value === null || value === '' || value === '–' ? [] : `${name}: ${value}`)),
    `${origin}/events/${event.eventId}`,
  ].join('\n')
}
