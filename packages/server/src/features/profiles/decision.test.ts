import { describe, expect, it, test } from 'vitest'
import { decide, type NotificationCandidate, prepare, type Recipient } from './decision.ts'
import type { EventFacts } from './matching.ts'
import { defaultSettings } from './profile-settings.ts'

const none = defaultSettings.new_event_notification
const facts: EventFacts = {
  alertType: '1',
  severity: 'high',
  customer: 'Helix Biologics',
  instrumentType: 'AKTAPure',
  region: 'EMEA',
  country: 'Sweden',
  siteCity: 'Uppsala',
  componentName: 'Pump B (P9-B)',
  instrumentStatus: 'method run',
  contractSLA: '24/7 EMEA',
  qualifiedSystem: 'true',
}
const ofEdgeIssue: EventFacts = {
  ...facts,
  instrumentType: null,
  componentName: null,
  instrumentStatus: null,
  contractSLA: null,
  qualifiedSystem: null,
}
const anna: Recipient = {
  userId: 7,
  name: 'Anna Lind',
  scope: [3, 4],
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
const newEvent: NotificationCandidate = {
  kind: 'new_event_notification',
  event: { customerId: 3, facts, isUnderReview: false, isTest: false },
}
const assigned: NotificationCandidate = {
  ...newEvent,
  kind: 'assign_me_notification',
  assignment: { userId: 7, byId: 8 },
}

function gate(change: Partial<Recipient>, what: NotificationCandidate = newEvent, hasSms = true) {
  return decide(prepare({ ...anna, ...change }, { hasSms }), what)
}
function allEvents(settings: Partial<typeof none>): Partial<Recipient> {
  return { profiles: { ...anna.profiles, new_event_notification: { ...none, notifyEmail: true, ...settings } } }
}
const candidate = (change: Partial<NotificationCandidate['event']>): NotificationCandidate => ({
  ...newEvent,
  event: { ...newEvent.event, ...change },
})

describe('somebody is told of a new event', () => {
  it('when nothing stops it', () => expect(gate({})).toBeNull())
  it.each<[string, Partial<Recipient>, NotificationCandidate?]>([
    ['disabled', { isDisabled: true }],
    ['scope', { scope: [4] }],
    ['scope', { scope: [] }],
    ['switched-off', allEvents({ notifyEmail: false })],
    ['alarm-test', {}, candidate({ isTest: true })],
    ['under-review', {}, candidate({ isUnderReview: true })],
    ['no-address', { ...allEvents({ notifyEmail: false, notifySms: true }), msisdn: null }],
  ])('not: %s', (expected, change, what) => expect(gate(change, what)).toBe(expected))

  it('of errors under review where their flag says so', () =>
    expect(gate({ notifiesUnderReview: true }, candidate({ isUnderReview: true }))).toBeNull())
  it('whatever the customer, with the scope of all', () =>
    expect(gate({ scope: 'all' }, candidate({ customerId: 99 }))).toBeNull())
  it('by the first gate that stops it', () => {
    const everything = { ...allEvents({ notifyEmail: false, severity: ['low'] }), isDisabled: true, scope: [] }
    expect(gate(everything)).toBe('disabled')
    expect(gate({ ...everything, isDisabled: false })).toBe('scope')
    expect(gate({ ...everything, isDisabled: false, scope: [3] })).toBe('switched-off')
    expect(gate(allEvents({ severity: ['low'], alertType: ['2'] }))).toBe('alertType')
  })
})

describe('somebody is told of an assignment', () => {
  it('by somebody else, and by what is no user', () => {
    expect(gate({}, assigned)).toBeNull()
    expect(gate({}, { ...assigned, assignment: { userId: 7, byId: null } })).toBeNull()
  })
  it('not of another person’s, nor of an event that nobody gave them', () => {
    expect(gate({}, { ...assigned, assignment: { userId: 8, byId: 9 } })).toBe('not-assigned')
    expect(gate({}, { ...assigned, assignment: undefined })).toBe('not-assigned')
  })
  it('not of one of their own', () =>
    expect(gate({}, { ...assigned, assignment: { userId: 7, byId: 7 } })).toBe('own-assignment'))
  it('by the profile of assignments alone', () =>
    expect(gate(allEvents({ notifyEmail: false, severity: ['low'] }), assigned)).toBeNull())
})

describe('Filters combine with OR within one category and AND across categories', () => {
  test('OR within one', () => expect(gate(allEvents({ severity: ['low', 'high'] }))).toBeNull())
  test('AND across', () => {
    expect(gate(allEvents({ severity: ['high'], country: ['Sweden'] }))).toBeNull()
    expect(gate(allEvents({ severity: ['high'], country: ['Norway'] }))).toBe('country')
    expect(gate(allEvents({ severity: ['low'], country: ['Sweden'] }))).toBe('severity')
  })
  test('upper and lower case are the same', () =>
    expect(gate(allEvents({ customer: ['HELIX biologics'], siteCity: ['uppsala'] }))).toBeNull())
  test.each(['alertType', 'severity', 'customer', 'region', 'country', 'siteCity'] as const)(
    'an edge issue has %s',
    (category) => {
      const profile = allEvents({ [category]: [facts[category]] })
      expect(gate(profile, candidate({ facts: ofEdgeIssue }))).toBeNull()
    },
  )
  test.each(['instrumentType', 'componentName', 'instrumentStatus', 'contractSLA', 'qualifiedSystem'] as const)(
    'an edge issue has no %s',
    (category) => {
      const profile = allEvents({ [category]: [facts[category]] })
      expect(gate(profile)).toBeNull()
      expect(gate(profile, candidate({ facts: ofEdgeIssue }))).toBe(category)
    },
  )
})

describe('messages go', () => {
  const ways = (change: Partial<Recipient>, hasSms = true) =>
    prepare({ ...anna, ...change }, { hasSms }).ways.new_event_notification.map(({ to }) => to)
  const both = allEvents({ notifySms: true })
  const other = 'A.Lind@helixbio.example'

  it('to the default address and the number', () =>
    expect(ways(both)).toEqual(['anna@benchwatch.example', '+46700000007']))
  it('by no text message in China', () => expect(ways(both, false)).toEqual(['anna@benchwatch.example']))
  it('to the other address, or to both', () => {
    const email = { notificationEmail: other, useDefaultEmail: false, useNotificationEmail: true }
    expect(ways({ email })).toEqual([other])
    expect(ways({ email: { ...email, useDefaultEmail: true } })).toEqual(['anna@benchwatch.example', other])
  })
  it('once to one mailbox, however it is written', () => {
    const email = { notificationEmail: 'Anna@Benchwatch.Example', useDefaultEmail: true, useNotificationEmail: true }
    expect(ways({ email })).toEqual(['anna@benchwatch.example'])
  })
  it('to an address that is kept but not chosen never', () => {
    const email = { notificationEmail: other, useDefaultEmail: true, useNotificationEmail: false }
    expect(ways({ email })).toEqual(['anna@benchwatch.example'])
  })
})
