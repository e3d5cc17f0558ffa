import { describe, expect, it } from 'vitest'
import { defaultSettings } from './profile-settings.ts'
import { settingsFor } from './profiles.service.ts'

const rules = { companyEmailDomains: ['helixbio.example'], product: 'Benchwatch' }
const refusalOf = (change: Partial<typeof defaultSettings.email>) => {
  const verdict = settingsFor('email', { ...defaultSettings.email, ...change }, rules)
  return 'refusal' in verdict ? verdict.refusal.sentence : null
}
const notAnAddress = 'Valid Benchwatch email address required!'

describe('Notification email', () => {
  it.each(['anna@helixbio.example', 'a.b+c@HelixBio.Example'])('takes the company address %s', (notificationEmail) => {
    expect(refusalOf({ notificationEmail, useNotificationEmail: true })).toBeNull()
  })
  it.each([
    'anna@elsewhere.example',
    'anna@sub.helixbio.example',
    'anna@nothelixbio.example',
    'anna@helixbio.example@elsewhere.example',
    'anna@elsewhere.example,b@helixbio.example',
    'a@helixbio.example;b@helixbio.example',
    'Anna <anna@helixbio.example>',
    'anna@helixbio.example\r\nBcc: b@helixbio.example',
    'helixbio.example',
    '@helixbio.example',
  ])('refuses %j, chosen or not', (notificationEmail) => {
    expect(refusalOf({ notificationEmail, useNotificationEmail: true })).toBe(notAnAddress)
    expect(refusalOf({ notificationEmail, useNotificationEmail: false })).toBe(notAnAddress)
  })
  it('is required when Other is checked', () => {
    expect(refusalOf({ notificationEmail: null, useNotificationEmail: true })).toBe(notAnAddress)
    expect(refusalOf({ notificationEmail: '', useNotificationEmail: true })).toBe(notAnAddress)
    expect(refusalOf({ notificationEmail: '' })).toBeNull()
  })
  it('at least one address must be selected', () => {
    expect(refusalOf({ useDefaultEmail: false })).toBe('At least one address must be selected.')
  })
})

describe('a profile takes the fields of its type', () => {
  it('and no others', () => {
    expect(settingsFor('new_event_notification', defaultSettings.email, rules)).toEqual({
      refusal: {
        field: null,
        sentence:
          'This profile is of type new_event_notification. Send notifyEmail, notifySms and the filter categories.',
      },
    })
    expect(settingsFor('email', defaultSettings.new_event_notification, rules)).toEqual({
      refusal: {
        field: null,
        sentence: 'This profile is of type email. Send notificationEmail, useDefaultEmail and useNotificationEmail.',
      },
    })
  })
})
