import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { eventAsText, instrumentName, isAhead, isDelayed, slaLabel } from './event-text.ts'

it("'Tier 1' is appended to the SLA when the system is of the first tier", () => {
  expect(slaLabel({ cpSLATerm: '24/7 Nordics', tierOne: true })).toBe('24/7 Nordics · Tier 1')
  expect(slaLabel({ cpSLATerm: '24/7 Nordics', tierOne: false })).toBe('24/7 Nordics')
  expect(slaLabel({ cpSLATerm: null, tierOne: true })).toBe('Tier 1')
  expect(slaLabel({ cpSLATerm: null, tierOne: false })).toBeNull()
})

it('an event as text names everything that an e-mail about it needs, a line each', () => {
  const event = aServiceEvent({ description: 'Pressure above limit', cpSLATerm: 'Platinum 24/7', tierOne: true })
  const lines = eventAsText(event, 'https://console.example').split('\n')
  expect(lines[0]).toBe('ORC-104882 · HIGH · Pressure above limit')
  expect(lines).toContain(`Installed product ID: ${event.instrumentInstalledProductId}`)
  expect(lines).toContain(`Instrument: ${instrumentName(event)}`)
  expect(lines).toContain('SLA: Platinum 24/7 · Tier 1')
  expect(lines.find((line) => line.startsWith('Date generated: '))).toMatch(/20-Nov-2026 \d\d:\d\d, .*UTC/)
  expect(lines.at(-1)).toBe('https://console.example/events/104882')
})

it('an event as text says that it happened during maintenance', () => {
  const text = (duringMaintenance: boolean) =>
    eventAsText(aServiceEvent({ duringMaintenance }), 'https://console.example')
  expect(text(true)).toContain(', during maintenance\n')
  expect(text(false)).not.toContain('maintenance')
})

it('what an event lacks is left out of its text; an edge issue names its gateway', () => {
  const text = eventAsText(
    aServiceEvent({
      isEdgeIssue: true,
      gatewayName: 'GW-COP-03',
      componentName: null,
      instrumentProductDescription: null,
      instrumentDefinedSystemName: null,
      cpSLATerm: null,
      tierOne: false,
      siteStreet: null,
      siteZip: null,
      siteCity: null,
      siteCountry: null,
    }),
    '',
  )
  expect(text).toContain('Gateway: GW-COP-03')
  for (const absent of ['Module', 'Instrument:', 'SLA', 'Location', 'null', '–']) expect(text).not.toContain(absent)
})

describe('the time of an event', () => {
  const logGeneratedAt = '2026-11-20T10:00:00.000Z'

  it('is delayed if the event was stored at least one hour after the instrument logged it', () => {
    expect(isDelayed({ logGeneratedAt, createdAt: '2026-11-20T11:00:00.000Z' })).toBe(true)
    expect(isDelayed({ logGeneratedAt, createdAt: '2026-11-20T10:59:59.999Z' })).toBe(false)
  })

  it('is ahead if the event was stored at least one minute before its date', () => {
    expect(isAhead({ logGeneratedAt, createdAt: '2026-11-20T09:59:00.000Z' })).toBe(true)
    expect(isAhead({ logGeneratedAt, createdAt: '2026-11-20T09:59:00.001Z' })).toBe(false)
    expect(isAhead({ logGeneratedAt, createdAt: '2026-11-20T11:00:00.000Z' })).toBe(false)
  })
})
