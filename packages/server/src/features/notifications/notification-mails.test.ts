import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { eventListMail, eventMail } from './notification-mails.ts'

const brand = {
  product: 'Benchwatch',
  publicUrl: 'https://console.example.com',
  supportEmail: 'support@benchwatch.example',
}
const evil = `<script>alert("1")</script>'&`
const newEvent = (changes: Parameters<typeof aServiceEvent>[0] = {}) =>
  eventMail({ kind: 'new_event_notification', event: aServiceEvent(changes), assignedBy: null }, brand)

describe('the e-mail about a new event', () => {
  it('contains the event, the reason for sending it and where to change that', () => {
    const { subject, text, html } = newEvent({ description: 'Pressure above limit' })
    expect(subject).toBe('ORC-104882 · HIGH · Pressure above limit')
    expect(text).toContain('\nModule: Pump B (P9-B)\n')
    expect(text).toMatch(/^New service event\n\nPressure above limit\n\nThe pre-column pressure is too high/)
    for (const part of [text, html.replaceAll(/<.?bdi>/g, '')]) {
      for (const words of [
        'ÄKTA pilot 600 · PILOT-UPP-02',
        'IP-20431187',
        'Helix Biologics',
        'because the event matches your notification settings',
      ])
        expect(part).toContain(words)
      for (const path of ['/events/104882', '/events/104882/why', '/settings'])
        expect(part).toContain(`https://console.example.com${path}`)
    }
  })

  it('cuts long texts of an instrument, and keeps control characters out of the subject', () => {
    const { subject, text } = newEvent({
      description: `Bcc: a@evil.example\r\nBcc: b@evil.example ${'å'.repeat(10_000)}`,
    })
    expect(subject).not.toMatch(/\p{Cc}/u)
    expect([...subject].length).toBeLessThan(125)
    expect(text.length).toBeLessThan(3000)
    expect(text).toContain('å…\n')
  })

  it('keeps the order of its parts, whatever the direction of their script', () => {
    const { text, html } = newEvent({
      siteStreet: null,
      siteZip: '11564',
      siteCity: 'الرياض',
      siteCountry: 'Saudi Arabia',
    })
    expect(text).toContain('Location: 11564 الرياض, Saudi Arabia\n')
    expect(html).toMatch(/<td (?!.*dir=)[^>]*><bdi>11564 الرياض<\/bdi>, <bdi>Saudi Arabia<\/bdi><\/td>/)
  })

  it('shows what instruments and people wrote as text, never as markup', () => {
    const everywhere = { description: evil, userMessage: evil, instrumentProductDescription: evil, siteCity: evil }
    const event = aServiceEvent(everywhere)
    const { html } = eventMail({ kind: 'assign_me_notification', event, assignedBy: evil }, brand)
    const list = eventListMail({ reason: 'held', events: [event], count: 1, worst: 'high' }, brand)
    for (const markup of [html, list.html]) {
      expect(markup).not.toContain('<script')
      expect(markup).not.toContain(`'&`)
      expect(markup).toContain('&lt;script&gt;')
    }
  })
})

describe('the e-mail about an event that was assigned to a user', () => {
  it('says who did it, where that is known', () => {
    const event = aServiceEvent()
    const kind = 'assign_me_notification'
    expect(eventMail({ kind, event, assignedBy: 'Anna Lind' }, brand).text).toMatch(
      /^Anna Lind assigned a service event to you\n/,
    )
    expect(eventMail({ kind, event, assignedBy: null }, brand).text).toMatch(/^A service event was assigned to you\n/)
  })
})

describe('the e-mail about several events', () => {
  it('lists each with severity, instrument, time and its page', () => {
    const events = [
      aServiceEvent({ description: 'Pressure\nabove limit' }),
      aServiceEvent({ eventId: '7', severity: 'low' }),
    ]
    const { subject, text, html } = eventListMail({ reason: 'held', events, count: 2, worst: 'high' }, brand)
    expect(subject).toBe('Maintenance is over: 2 service events · HIGH')
    expect(text).toContain(
      'HIGH · ORC-104882 · 20-Nov-2026 14:58 (Europe/Stockholm)\n  Pressure above limit\n  ÄKTA pilot 600 IP-20431187, Uppsala\n  https://console.example.com/events/104882\n\nLOW · ORC-7',
    )
    expect(html).toContain('href="https://console.example.com/events/7"')
    expect(text).not.toContain('the newest')
  })

  it('gives the number if it does not list all, and stays below what mail programs cut off', () => {
    const sized = (long: Parameters<typeof aServiceEvent>[0]) => {
      const events = Array.from({ length: 100 }, (_, index) =>
        aServiceEvent({ ...long, eventId: `${104_882 + index}` }),
      )
      const mail = eventListMail({ reason: 'digest', events, count: 4711, worst: 'low' }, brand)
      return { ...mail, bytes: Buffer.byteLength(mail.html) }
    }
    const usual = sized({ description: 'Pressure above limit, pump B (P9-B)' })
    expect(usual.text).toContain('These are the newest 100 of 4711 events.')
    expect(usual.html).toContain('View all events')
    expect(usual.bytes).toBeLessThan(100_000)
    expect(
      sized({ description: 'x'.repeat(10_000), instrumentProductDescription: 'x'.repeat(500) }).bytes,
    ).toBeLessThan(120_000)
  })
})
