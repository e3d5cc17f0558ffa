import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { eventListText, eventText } from './notification-texts.ts'

const brand = { publicUrl: 'https://console.example.com' }
const LINK = 'https://console.example.com/events/104882'
const textOf = (changes: Parameters<typeof aServiceEvent>[0] = {}) =>
  eventText({ kind: 'new_event_notification', event: aServiceEvent(changes), assignedBy: null }, brand)

describe('the text message about an event', () => {
  it('contains severity, event, what happened, where, and a link', () => {
    expect(textOf({ description: 'Pressure above limit' })).toBe(
      `HIGH ORC-104882 Pressure above limit, ÄKTA pilot 600 IP-20431187, Uppsala. ${LINK}`,
    )
  })

  it('fits into one message of 160 characters: the description is cut, never the link', () => {
    const text = textOf({ description: `${'Pressure above the limit of the method “mAb” – '.repeat(300)}` })
    expect(text.length).toBeGreaterThan(155)
    expect(text.length).toBeLessThanOrEqual(160)
    expect(text).toMatch(
      /^HIGH ORC-104882 Pressure above the limit of the met.*\.\., ÄKTA pilot 600 IP-20431187, Uppsala\. https/,
    )
    expect(text.endsWith(` ${LINK}`)).toBe(true)
  })

  it('counts the characters that take two places', () => {
    const text = textOf({ description: '{[]}'.repeat(100) })
    const places = [...text].reduce((sum, one) => sum + ('^{}\\[~]|€'.includes(one) ? 2 : 1), 0)
    expect(places).toBeGreaterThan(155)
    expect(places).toBeLessThanOrEqual(160)
  })

  it('writes signs of typography as every phone knows them, and leaves letters as they are', () => {
    expect(textOf({ description: 'Run “A–B” at 25 °C…' })).toContain('Run "A-B" at 25 deg C.., ')
    const text = textOf({ description: '流量低'.repeat(200) })
    expect(text.length).toBeLessThanOrEqual(134)
    expect(text).toMatch(/^HIGH ORC-104882 流量低.*\.\.,? .*https/)
  })

  it('is one line, cut between characters as people see them', () => {
    const text = textOf({ description: `Stop\r\nBcc: x@evil.example\u2028 ${'👩‍🔬'.repeat(100)}` })
    expect(text).not.toMatch(/[\p{Cc}\u2028]/u)
    expect(text).toMatch(/👩‍🔬\.\./u)
  })

  it('names the gateway of an edge issue, and who gave the event to its reader', () => {
    const event = aServiceEvent({
      isEdgeIssue: true,
      instrumentProductDescription: null,
      description: 'Gateway offline',
    })
    const kind = 'assign_me_notification'
    expect(eventText({ kind, event, assignedBy: 'Anna Lind' }, brand)).toBe(
      `Anna Lind assigned to you: HIGH ORC-104882 Gateway offline, GW-UPP-01, Uppsala. ${LINK}`,
    )
    expect(eventText({ kind, event, assignedBy: null }, brand)).toMatch(/^Assigned to you: HIGH/)
    expect(eventText({ kind, event, assignedBy: 'x'.repeat(500) }, brand).length).toBeLessThanOrEqual(160)
  })

  it('never cuts the link, not even one that is longer than a message', () => {
    const publicUrl = `https://${'a'.repeat(200)}.example`
    const text = eventText({ kind: 'new_event_notification', event: aServiceEvent(), assignedBy: null }, { publicUrl })
    expect(text).toBe(`HIGH ORC-104882. ${publicUrl}/events/104882`)
  })
})

describe('the text message about several events', () => {
  it('gives the number and the worst of them', () => {
    const events = [
      aServiceEvent({ eventId: '3', severity: 'low' }),
      aServiceEvent({ eventId: '2', severity: 'medium', description: 'Air' }),
    ]
    expect(eventListText({ reason: 'digest', events, count: 2, worst: 'medium' }, brand)).toBe(
      '2 more service events within the hour. MED ORC-2 Air, ÄKTA pilot 600 IP-20431187, Uppsala. https://console.example.com/notifications',
    )
    expect(eventListText({ reason: 'held', events: [], count: 1, worst: 'high' }, brand)).toBe(
      'Maintenance is over: 1 service event. HIGH. https://console.example.com/notifications',
    )
  })
})
