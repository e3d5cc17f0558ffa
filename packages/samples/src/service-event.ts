import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { sampleInstant } from './clock.ts'

/** Returns a service event as in a details response: new, without owner, four minutes old at the sample time. */
export function aServiceEvent(overrides: Partial<ServiceEvent> = {}): ServiceEvent {
  return {
    id: '104882',
    alertId: 'IP-20431187-P9B-1042-1',
    eventId: '104882',
    templateId: 'P9B-1042',
    eventTemplateId: 'P9B-1042',
    eisCode: 'P9B',
    errorCode: '1042',
    date: '2026-11-20T13:58:21.000Z',
    createdAt: '2026-11-20T13:58:23.000Z',
    logGeneratedAt: '2026-11-20T13:58:21.000Z',
    clearedAt: null,
    severity: 'high',
    description:
      'Pressure above limit, pump B (P9-B). Pre-column pressure 6.4 MPa, limit 6.0 MPa, during method run “mAb capture 14”.',
    userMessage: 'The pre-column pressure is too high. The run has been paused.',
    alertType: 1,
    alertSource: 'INSTRUMENT',
    isEdgeIssue: false,
    alertStatus: '1_NEW',
    claimedBy: null,
    claimedByName: null,
    reasonClosed: null,
    reasonClosedComment: null,
    serviceMaxCaseNumber: null,
    serviceMaxUrl: null,
    automaticEmail: null,
    automaticEmailSentAt: null,
    troubleshooting:
      '<ol><li>Check for kinked tubing after the injection valve and the column outlet.</li><li>Inspect the inline filter; replace it if the pressure drop exceeds 0.5 MPa at 10 ml/min.</li><li>Verify the pressure limit in the method against the column in use.</li></ol>',
    remedy: '<p>Replace the inline filter and rinse the pump with 20 % ethanol.</p>',
    componentName: 'Pump B (P9-B)',
    componentType: 'Pump',
    instrumentId: '187',
    instrumentInstalledProductId: 'IP-20431187',
    instrumentProductDescription: 'ÄKTA pilot 600',
    instrumentDefinedSystemName: 'PILOT-UPP-02',
    instrumentType: 'AKTAPilot600',
    instrumentStatus: 'method run',
    instrumentStatusAtEvent: 'method run',
    run: '261120-0912-20431187',
    qualifiedSystem: true,
    tierOne: true,
    fullSupport: true,
    duringMaintenance: false,
    latchedCount: 0,
    enterpriseName: 'Helix Biologics',
    siteStreet: 'Björkgatan 30',
    siteZip: '753 23',
    siteCity: 'Uppsala',
    siteCountry: 'Sweden',
    siteRegion: 'EMEA',
    siteTimeZone: 'Europe/Stockholm',
    instrumentLocationLatitude: 59.85178,
    instrumentLocationLongitude: 17.65892,
    cpType: 'Complete Care',
    cpSLATerm: 'Platinum 24/7',
    cpEndDate: '2027-06-30',
    instrumentLastMaintenance: '2026-03-14',
    instrumentLastService: '2026-09-12',
    contactName: 'Maria Öberg',
    contactMobile: '+46 70 555 01 20',
    contactPhone: '+46 18 555 01 20',
    contactEmail: 'maria.oberg@helixbio.example',
    itContactName: null,
    itContactEmail: null,
    gatewayName: 'GW-UPP-01',
    version: 1,
    ...overrides,
  }
}

/** Returns the same event as in a list response: without troubleshooting and remedy. */
export function aListedServiceEvent(overrides: Partial<ServiceEvent> = {}): ServiceEvent {
  const { troubleshooting: _troubleshooting, remedy: _remedy, ...listed } = aServiceEvent(overrides)
  return listed
}

/** Returns a wire timestamp a number of hours before the sample time, for ages and quick filters. */
export function hoursBefore(hours: number, instant = sampleInstant): string {
  return new Date(Date.parse(instant) - hours * 3_600_000).toISOString()
}
