import type { NotificationSettings, Profile } from '@benchwatch/contract/profiles'
import { describe, expect, it } from 'vitest'
import { hasEdits } from '../../lib/draft.ts'
import {
  hasFilters,
  inSavedOrder,
  notificationForm,
  partSettings,
  profileOf,
  tellsAnything,
  withoutFilters,
} from './notification-form.ts'
import { savingToasts } from './saving-toasts.ts'

const head = { createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z', userId: '7' }
const settings = withoutFilters({ notifyEmail: false, notifySms: false } as NotificationSettings)
const profiles: Profile[] = [
  { ...head, id: '1', profileType: 'assign_me_notification', ...settings },
  { ...head, id: '2', profileType: 'new_event_notification', ...settings, severity: ['high', 'medium'] },
  {
    ...head,
    id: '3',
    profileType: 'email',
    notificationEmail: null,
    useDefaultEmail: true,
    useNotificationEmail: false,
  },
]
const form = notificationForm(profiles)

describe('the three profiles as one form', () => {
  it('differ from what is saved only where a value does, whatever the order of choosing', () => {
    const chosen = inSavedOrder(['medium', 'high'], ['high', 'medium'])
    expect(hasEdits(form, { new_event_notification: { ...form.new_event_notification, severity: chosen } })).toBe(false)
    const more = inSavedOrder(['low', 'medium'], ['high', 'medium'])
    expect(more).toEqual(['medium', 'low'])
    expect(hasEdits(form, { new_event_notification: { ...form.new_event_notification, severity: more } })).toBe(true)
  })

  it('are saved without profileType, id, createdAt, updatedAt and userId', () => {
    expect(partSettings(form, 'new_event_notification')).toEqual({ ...settings, severity: ['high', 'medium'] })
    expect(partSettings(form, 'email')).toEqual({
      notificationEmail: null,
      useDefaultEmail: true,
      useNotificationEmail: false,
    })
    expect(profileOf(profiles, 'assign_me_notification').id).toBe('1')
  })

  it('can be edited while e-mail or SMS is on; SMS counts only outside the China deployment', () => {
    expect(tellsAnything({ notifyEmail: true, notifySms: false }, { hasSms: false })).toBe(true)
    expect(tellsAnything({ notifyEmail: false, notifySms: true }, { hasSms: true })).toBe(true)
    expect(tellsAnything({ notifyEmail: false, notifySms: true }, { hasSms: false })).toBe(false)
    expect(tellsAnything({ notifyEmail: false, notifySms: false }, { hasSms: true })).toBe(false)
  })

  it('lose all their filters, and nothing else, by Clear all', () => {
    const cleared = withoutFilters({ ...form.new_event_notification, notifySms: true, country: ['Sweden'] })
    expect(cleared).toEqual({ ...settings, notifySms: true })
    expect(hasFilters(cleared)).toBe(false)
    expect(hasFilters(form.new_event_notification)).toBe(true)
  })
})

describe('what saving says', () => {
  it('one saved: Profile update successful; several: Profiles updated successfully', () => {
    expect(savingToasts({ saved: ['email'], failed: [] })).toEqual({
      success: { title: 'Profile update successful', message: 'Where messages go' },
      failures: [],
    })
    expect(savingToasts({ saved: ['email', 'new_event_notification'], failed: [] }).success?.title).toBe(
      'Profiles updated successfully',
    )
  })

  it('Could not update profile, with which one and why, beside what was saved', () => {
    const { success, failures } = savingToasts({
      saved: ['new_event_notification'],
      failed: [{ part: 'assign_me_notification', reason: 'The server is busy.' }],
    })
    expect(success?.title).toBe('Profile update successful')
    expect(failures).toEqual([{ title: 'Could not update profile', message: 'Assigned to me: The server is busy.' }])
    expect(savingToasts({ saved: [], failed: [{ part: 'email', reason: 'No.' }] }).success).toBeNull()
  })
})
