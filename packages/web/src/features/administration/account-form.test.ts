import { describe, expect, it } from 'vitest'
import {
  type AccountForm,
  accountProblems,
  emptyAccountForm,
  invitationProblems,
  newAccount,
  readMobileNumber,
} from './account-form.ts'

const helix = { key: 'helix-biologics', name: 'Helix Biologics' }
const anna: AccountForm = { name: 'Anna Lind', role: 'service', customers: null, msisdn: '', smsMfa: false }

describe('the form of a user', () => {
  it.each([
    ['+46705550101', '+46705550101'],
    ['+46 (70) 555-01 01', '+46705550101'],
    ['0046 70 555 01 01', '+46705550101'],
    ['070 555 01 01', null],
    ['+46', null],
    ['', null],
  ])('reads the mobile number %j as %j', (text, number) => {
    expect(readMobileNumber(text)).toBe(number)
  })

  it('has nothing to say against a complete one', () => {
    expect(accountProblems(anna)).toEqual({})
    expect(accountProblems({ ...anna, role: 'customer', customers: [helix] })).toEqual({})
  })

  it('wants a name, and a number where codes go by SMS', () => {
    expect(Object.keys(accountProblems({ ...anna, name: ' ', smsMfa: true }))).toEqual(['name', 'msisdn'])
    expect(accountProblems({ ...anna, smsMfa: true, msisdn: '+46705550101' })).toEqual({})
  })

  it('requires at least one customer for a customer user, and refuses an empty choice', () => {
    expect(accountProblems({ ...anna, role: 'customer' })).toHaveProperty('customers')
    expect(accountProblems({ ...anna, role: 'customer', customers: [] })).toHaveProperty('customers')
    expect(accountProblems({ ...anna, customers: [] })).toHaveProperty('customers')
  })

  it('starts narrow: no customer is seen before one is chosen', () => {
    expect(emptyAccountForm).toMatchObject({ role: 'customer', customers: [] })
  })

  it('sends what was typed tidied, and no number as null', () => {
    expect(newAccount({ ...anna, name: ' Anna Lind ' }, ' anna@helixbio.example ')).toEqual({
      email: 'anna@helixbio.example',
      name: 'Anna Lind',
      role: 'service',
      customers: null,
      msisdn: null,
      smsMfa: false,
    })
  })

  it('sends chosen customers by their keys', () => {
    expect(newAccount({ ...anna, customers: [helix] }, 'anna@helixbio.example').customers).toEqual(['helix-biologics'])
  })

  it('wants an e-mail address for an invitation', () => {
    expect(invitationProblems(anna, 'anna')).toEqual({ email: 'Enter an e-mail address.' })
    expect(invitationProblems(anna, 'anna@helixbio.example')).toEqual({})
  })
})
