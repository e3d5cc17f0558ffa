import { expect, it } from 'vitest'
import { profileSummary } from './delete-for-good.tsx'
import { deletableKinds, isConfirmed } from './deletions.tsx'

it('each deletion is shown only with its flag, for support and administrators', () => {
  expect(deletableKinds('support', ['ALLOW_EVENT_DELETE', 'ALLOW_ASSET_DELETE'])).toEqual(['instrument', 'event'])
  expect(deletableKinds('admin', ['ALLOW_USER_DELETE', 'BACKOFFICE'])).toEqual(['user'])
  expect(deletableKinds('service', ['ALLOW_EVENT_DELETE'])).toEqual([])
  expect(deletableKinds('support', [])).toEqual([])
})

it('a deletion is confirmed by the name of the thing', () => {
  expect(isConfirmed(' orc-104882 ', 'ORC-104882')).toBe(true)
  expect(isConfirmed('ORC-10488', 'ORC-104882')).toBe(false)
  expect(isConfirmed('', '')).toBe(false)
})

const head = { id: '7', createdAt: '2026-11-20T08:00:00.000Z', updatedAt: '2026-11-20T08:00:00.000Z', userId: '3' }
const none = {
  alertType: [],
  severity: [],
  customer: [],
  instrumentType: [],
  region: [],
  country: [],
  siteCity: [],
  componentName: [],
  instrumentStatus: [],
  contractSLA: [],
  qualifiedSystem: [],
}
const events = { ...head, ...none, profileType: 'new_event_notification' as const }
const email = { ...head, profileType: 'email' as const, notificationEmail: 'desk@benchwatch.example' }

it('the content that is lost with a profile is named: channels and filters, or addresses', () => {
  const both = { ...events, notifyEmail: true, notifySms: true, severity: ['high'], country: ['Sweden', 'Japan'] }
  expect(profileSummary(both)).toBe('E-mail and SMS, 2 filters')
  expect(profileSummary({ ...events, notifyEmail: false, notifySms: false, severity: ['high'] })).toBe(
    'Nothing is sent, 1 filter',
  )
  expect(profileSummary({ ...email, useDefaultEmail: true, useNotificationEmail: true })).toBe(
    'Sign-in address and desk@benchwatch.example',
  )
  expect(profileSummary({ ...email, useDefaultEmail: true, useNotificationEmail: false })).toBe('Sign-in address')
})
