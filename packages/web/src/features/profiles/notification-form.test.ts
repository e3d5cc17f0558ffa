import type { NotificationSettings, Profile } from '@benchwatch/contract/messages/profiles'
import { describe, expect, it } from 'vitest'
import { editsOf } from '../../lib/draft.ts'
import {
  chosenAddresses,
  type EmailForm,
  emailForm,
  emailProblems,
  emailSettings,
  hasFilters,
  inSavedOrder,
  notificationForm,
  partSettings,
  profileOf,
  sendsAnything,
  tickOther,
  withoutFilters,
} from './notification-form.ts'
import { savingToasts } from './notification-settings.tsx'

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
    const events = form.new_event_notification
    expect(editsOf(form, { ...form, new_event_notification: { ...events, severity: chosen } })).toEqual({})
    const more = inSavedOrder(['low', 'medium'], ['high', 'medium'])
    expect(more).toEqual(['medium', 'low'])
    const edited = { ...events, severity: more }
    expect(editsOf(form, { ...form, new_event_notification: edited })).toEqual({ new_event_notification: edited })
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
    expect(sendsAnything({ notifyEmail: true, notifySms: false }, { hasSms: false })).toBe(true)
    expect(sendsAnything({ notifyEmail: false, notifySms: true }, { hasSms: true })).toBe(true)
    expect(sendsAnything({ notifyEmail: false, notifySms: true }, { hasSms: false })).toBe(false)
    expect(sendsAnything({ notifyEmail: false, notifySms: false }, { hasSms: true })).toBe(false)
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

describe('email form', () => {
  const company = { product: 'Lab Console', domains: ['benchwatch.example', 'helixbio.example'] }
  const own: EmailForm = { useDefaultEmail: true, useNotificationEmail: false, notificationEmail: '' }
  const other = (notificationEmail: string): EmailForm => ({ ...own, useNotificationEmail: true, notificationEmail })
  const objection = { notificationEmail: 'Valid Lab Console email address required!' }

  describe('notification email', () => {
    it.each(['night@benchwatch.example', '  Night.Shift+1@HelixBio.example '])(
      '%j is an address of the company',
      (text) => {
        expect(emailProblems(other(text), company)).toEqual({})
      },
    )

    it.each([
      '',
      '   ',
      'night',
      'night@elsewhere.example',
      'night@benchwatch.example.evil.example',
      'night@notbenchwatch.example',
      'night@benchwatch.example,day@benchwatch.example',
      'night@benchwatch.example\r\nBcc: x@evil.example',
      `${'n'.repeat(65)}@benchwatch.example`,
    ])('%j is none: it is required when Other is checked, and must match the company pattern', (text) => {
      expect(emailProblems(other(text), company)).toEqual(objection)
    })

    it('is not looked at while Other is not checked', () => {
      expect(emailProblems({ ...own, notificationEmail: 'nonsense' }, company)).toEqual({})
    })

    it('at least one address must be selected', () => {
      expect(emailProblems({ ...own, useDefaultEmail: false }, company)).toEqual({
        addresses: 'Select at least one address.',
      })
    })

    it('unchecking "Other" clears the address and re-selects the default email', () => {
      const form = { ...other('night@benchwatch.example'), useDefaultEmail: false }
      expect({ ...form, ...tickOther(false) }).toEqual(own)
      expect({ ...own, ...tickOther(true) }).toEqual(other(''))
    })

    it('is saved without blanks around it, and as null when there is none', () => {
      expect(emailSettings(other(' night@benchwatch.example '))).toEqual({
        useDefaultEmail: true,
        useNotificationEmail: true,
        notificationEmail: 'night@benchwatch.example',
      })
      expect(emailSettings(own).notificationEmail).toBeNull()
      const head = { id: '3', createdAt: '', updatedAt: '', userId: '1', profileType: 'email' } as const
      expect(emailForm({ ...head, ...emailSettings(own) })).toEqual(own)
    })

    it('e-mails go to each address that is selected', () => {
      expect(chosenAddresses(other('night@benchwatch.example'), 'anna@benchwatch.example')).toEqual([
        'anna@benchwatch.example',
        'night@benchwatch.example',
      ])
      expect(chosenAddresses(other(''), 'anna@benchwatch.example')).toEqual(['anna@benchwatch.example'])
      expect(chosenAddresses({ ...own, useDefaultEmail: false }, 'anna@benchwatch.example')).toEqual([])
    })
  })
})
