import { describe, expect, it } from 'vitest'
import { prepare, type Recipient } from '../profiles/decision.ts'
import type { AnnouncedEvent } from '../profiles/event-facts.queries.ts'
import { defaultSettings } from '../profiles/profile-settings.ts'
import { explain } from './notifications.queries.ts'

const none = defaultSettings.new_event_notification
const event: AnnouncedEvent = {
  id: 104_882,
  customerId: 3,
  createdAt: new Date('2026-11-20T12:00:00.000Z'),
  isUnderReview: false,
  isTest: false,
  facts: {
    alertType: '1',
    severity: 'medium',
    customer: 'Helix Biologics',
    instrumentType: 'AKTAPure',
    region: 'EMEA',
    country: 'Sweden',
    siteCity: 'Uppsala',
    componentName: null,
    instrumentStatus: 'method run',
    contractSLA: '24/7 EMEA',
    qualifiedSystem: 'true',
  },
}
const anna: Recipient = {
  userId: 7,
  name: 'Anna Lind',
  scope: 'all',
  isDisabled: false,
  notifiesUnderReview: false,
  loginEmail: 'anna@benchwatch.example',
  msisdn: '+46700000007',
  email: defaultSettings.email,
  profiles: {
    new_event_notification: { ...none, notifyEmail: true },
    assign_me_notification: { ...none, notifyEmail: true },
  },
}

interface ExplanationCase extends Partial<Recipient> {
  settings?: Partial<typeof none>
  of?: Partial<AnnouncedEvent>
  isSelf?: boolean
  hasSms?: boolean
}

function sentence({ settings, of, isSelf = false, hasSms = true, ...change }: ExplanationCase) {
  const profiles = { ...anna.profiles, new_event_notification: { ...none, notifyEmail: true, ...settings } }
  const recipient = prepare({ ...anna, profiles, ...change }, { hasSms })
  const kind = 'new_event_notification' as const
  return explain({ kind, recipient, event: { ...event, ...of }, assignment: undefined, isSelf, hasSms }).sentence
}

describe('a sentence names what decided', () => {
  it.each<[ExplanationCase, string]>([
    [{}, 'The profile ‘All Events’ now accepts this event, by e-mail.'],
    [{ settings: { notifySms: true } }, 'The profile ‘All Events’ now accepts this event, by e-mail and SMS.'],
    [
      { settings: { severity: ['high'] } },
      'The profile ‘All Events’ now requires Severity HIGH, but the event has MED.',
    ],
    [
      { settings: { alertType: ['2'] } },
      'The profile ‘All Events’ now requires Event type Alert, but the event has Alarm.',
    ],
    [
      { settings: { qualifiedSystem: ['false'] } },
      'The profile ‘All Events’ now requires Qualified system no, but the event has yes.',
    ],
    [
      { settings: { componentName: ['Pump A', 'Pump B'] } },
      'The profile ‘All Events’ now requires Component Pump A or Pump B, but the event has none.',
    ],
    [
      { settings: { country: ['A', 'B', 'C', 'D', 'E', 'F', 'G'] } },
      'The profile ‘All Events’ now requires Country A, B, C, D, E or 2 more, but the event has Sweden.',
    ],
    [{ isDisabled: true }, 'The account of Anna Lind is disabled.'],
    [{ scope: [] }, 'Anna Lind may not see events of this customer now.'],
    [{ scope: [], isSelf: true }, 'You may not see events of this customer now.'],
    [{ settings: { notifyEmail: false } }, 'Neither e-mail nor SMS is switched on in the profile ‘All Events’ now.'],
    [
      { of: { isUnderReview: true } },
      'The support e-mail template of this error is under review; such events send no notifications.',
    ],
    [
      { settings: { notifyEmail: false, notifySms: true }, msisdn: null },
      'The profile ‘All Events’ now uses only SMS, and there is no mobile number. An administrator can add it.',
    ],
    [
      { settings: { notifyEmail: false, notifySms: true }, hasSms: false },
      'The profile ‘All Events’ now uses only SMS, and no text messages are sent in China.',
    ],
  ])('%j', (asked, expected) => expect(sentence(asked)).toBe(expected))
})

describe('of an assignment', () => {
  const about = (byId: number | null | undefined, isSelf: boolean) =>
    explain({
      kind: 'assign_me_notification',
      recipient: prepare(anna, { hasSms: true }),
      event,
      assignment: byId === undefined ? undefined : { eventId: event.id, userId: 7, byId },
      isSelf,
      hasSms: true,
    })
  it('says whether there was one', () => {
    expect(about(undefined, true).sentence).toBe('This event was not assigned to you.')
    expect(about(undefined, false).sentence).toBe('This event was not assigned to Anna Lind.')
  })
  it('says who took an event', () => {
    expect(about(7, true).sentence).toBe('You assigned this event to yourself.')
    expect(about(7, false).sentence).toBe('Anna Lind assigned this event to themselves.')
  })
  it('says which value matched', () => {
    expect(about(8, false)).toMatchObject({ isNotified: true, decidedBy: null, ways: ['email'] })
    expect(about(8, false).sentence).toBe('The profile ‘Assigned to me’ now accepts this event, by e-mail.')
  })
})

it('all eleven categories are shown in their order, whatever decided', () => {
  const profiles = {
    ...anna.profiles,
    new_event_notification: { ...none, severity: ['high'], country: ['SWEDEN'], componentName: ['Pump A'] },
  }
  const { checks, decidedBy } = explain({
    kind: 'new_event_notification',
    recipient: prepare({ ...anna, profiles }, { hasSms: true }),
    event,
    assignment: undefined,
    isSelf: true,
    hasSms: true,
  })
  expect(decidedBy).toBe('switched-off')
  expect(checks.map(({ category, passes }) => `${category} ${passes}`)).toEqual([
    'alertType true',
    'severity false',
    'customer true',
    'instrumentType true',
    'region true',
    'country true',
    'siteCity true',
    'componentName false',
    'instrumentStatus true',
    'contractSLA true',
    'qualifiedSystem true',
  ])
  expect(checks[1]).toEqual({ category: 'severity', wanted: ['high'], found: 'medium', passes: false })
})
