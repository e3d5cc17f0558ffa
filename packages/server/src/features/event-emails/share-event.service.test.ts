import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { timeInZone } from './event-facts-block.ts'
import { sharedEventMail } from './share-event.service.ts'

const brand = {
  product: 'Benchwatch',
  publicUrl: 'https://console.example.com',
  supportEmail: 'support@benchwatch.example',
}
const evil = `<script>alert("1")</script>'&`
const mailOf = (changes: Parameters<typeof aServiceEvent>[0] = {}, message: string | null = null) =>
  sharedEventMail({ event: aServiceEvent(changes), sharedBy: 'Anna Lind', message }, brand)

describe('the e-mail about a shared event', () => {
  it('contains what happened, severity, instrument, customer, location, time, who shares it and a link', () => {
    const { subject, text, html } = mailOf({ description: 'Pressure above limit' }, 'Please look.\nBefore noon')
    expect(subject).toBe('ORC-104882 · HIGH · Pressure above limit')
    expect(text).toContain('Anna Lind shared a service event with you\n\n> Please look.\n> Before noon\n\n')
    expect(text).toContain('Open the event: https://console.example.com/events/104882')
    expect(html).toContain('href="https://console.example.com/events/104882"')
    expect(html).toContain('Please look.<br>Before noon')
    const told = [
      'Pressure above limit',
      'The pre-column pressure is too high. The run has been paused.',
      'ÄKTA pilot 600 · PILOT-UPP-02',
      'IP-20431187',
      'Pump B (P9-B)',
      'Helix Biologics',
      'Björkgatan 30, 753 23 Uppsala, Sweden',
      '20-Nov-2026 14:58 (Europe/Stockholm)',
      'Replies to this e-mail do not reach Anna Lind.',
    ]
    for (const part of [text, html.replaceAll(/<.?bdi>/g, '')]) for (const words of told) expect(part).toContain(words)
  })

  it('has a subject of one line that ends with a long description', () => {
    const { subject } = mailOf({ description: `Bcc: x@evil.example\r\nBcc: y@evil.example\n${'👩‍🔬'.repeat(3000)}` })
    expect(subject).toMatch(/^ORC-104882 · HIGH · Bcc: x@evil\.example Bcc: y@evil\.example 👩‍🔬[^\r\n]*👩‍🔬…$/u)
    expect([...new Intl.Segmenter().segment(subject)].length).toBeLessThan(125)
  })

  it('shows what instruments and people wrote as text, never as markup', () => {
    const everywhere = {
      description: evil,
      userMessage: evil,
      instrumentProductDescription: evil,
      instrumentDefinedSystemName: evil,
      componentName: evil,
      enterpriseName: evil,
      siteStreet: evil,
      siteCity: evil,
    }
    const event = aServiceEvent(everywhere)
    const { html } = sharedEventMail({ event, sharedBy: evil, message: `${evil}\n${evil}` }, brand)
    expect(html).not.toContain('<script')
    expect(html).not.toContain(`'&`)
    expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(10)
  })

  it('omits what an edge issue lacks, and names its gateway', () => {
    const { text } = mailOf({
      isEdgeIssue: true,
      gatewayName: 'GW-UPP-01',
      instrumentProductDescription: null,
      instrumentDefinedSystemName: null,
      componentName: null,
      userMessage: null,
      siteStreet: null,
      siteZip: null,
    })
    expect(text).toContain('Gateway: GW-UPP-01\n')
    expect(text).toContain('Location: Uppsala, Sweden\n')
    expect(text).not.toMatch(/null|Instrument:|Component:/)
  })

  it('writes times in the zone of the instrument, else in UTC', () => {
    expect(timeInZone('2026-07-01T22:05:00.000Z', 'Asia/Tokyo')).toBe('2-Jul-2026 07:05 (Asia/Tokyo)')
    expect(timeInZone('2026-07-01T00:05:00.000Z', null)).toBe('1-Jul-2026 00:05 (UTC)')
  })
})
