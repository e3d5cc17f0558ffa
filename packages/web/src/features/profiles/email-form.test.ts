import { describe, expect, it } from 'vitest'
import { chosenAddresses, type EmailForm, emailForm, emailProblems, emailSettings, tickOther } from './email-form.ts'

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

  it('mails go to each address that is selected', () => {
    expect(chosenAddresses(other('night@benchwatch.example'), 'anna@benchwatch.example')).toEqual([
      'anna@benchwatch.example',
      'night@benchwatch.example',
    ])
    expect(chosenAddresses(other(''), 'anna@benchwatch.example')).toEqual(['anna@benchwatch.example'])
    expect(chosenAddresses({ ...own, useDefaultEmail: false }, 'anna@benchwatch.example')).toEqual([])
  })
})
