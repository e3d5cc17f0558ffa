import type { Account } from '@benchwatch/contract/administration/administration'
import { EMAIL, MSISDN } from '@benchwatch/contract/patterns'
import type { Role } from '@benchwatch/contract/vocabulary'
import type { FieldProblems } from '../../lib/http.ts'
import { formatClock } from '../../lib/time/dates.ts'
import type { StatusTone } from '../../ui/text/status-mark.tsx'
import type { AccountChange, NewAccount } from './administration.api.ts'

export const roleLabels: Record<Role, string> = {
  customer: 'Customer',
  service: 'Service',
  support: 'Support',
  admin: 'Administrator',
}

export type ChosenCustomer = NonNullable<Account['customers']>[number]

/** The fields of an account that an administrator edits. The server repeats all checks. */
export interface AccountForm {
  name: string
  role: Role
  /** Null for all customers. */
  customers: ChosenCustomer[] | null
  msisdn: string
  smsMfa: boolean
}

export const emptyAccountForm: AccountForm = { name: '', role: 'customer', customers: [], msisdn: '', smsMfa: false }

export const accountFieldLabels: Record<keyof AccountForm, string> = {
  name: 'Name',
  role: 'Role',
  customers: 'Customers',
  msisdn: 'Mobile number',
  smsMfa: 'SMS codes',
}

export function accountForm(account: Account): AccountForm {
  return {
    name: account.name ?? '',
    role: account.role,
    customers: account.customers,
    msisdn: account.msisdn ?? '',
    smsMfa: account.smsMfa,
  }
}

/** Reads a number in international form, `+46 (70) 555-01 01` or `0046…`; null if it is not one. */
export function readMobileNumber(text: string): string | null {
  const number = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  return MSISDN.test(number) ? number : null
}

/** Returns the problems of the form by field. */
export function accountProblems(form: AccountForm): FieldProblems {
  const number = form.msisdn.trim()
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name.' }),
    ...(form.customers?.length === 0 && {
      customers:
        form.role === 'customer' ? 'Choose at least one customer.' : 'Choose at least one customer, or all customers.',
    }),
    ...(form.role === 'customer' &&
      form.customers === null && { customers: 'Customer users need chosen customers. Choose at least one.' }),
    ...(number !== '' &&
      readMobileNumber(number) === null && {
        msisdn: 'Enter the number with its country code, such as +46 70 555 01 01.',
      }),
    ...(number === '' && form.smsMfa && { msisdn: 'SMS codes need a mobile number.' }),
  }
}

export function invitationProblems(form: AccountForm, email: string): FieldProblems {
  return { ...(!EMAIL.test(email.trim()) && { email: 'Enter an e-mail address.' }), ...accountProblems(form) }
}

export function newAccount(form: AccountForm, email: string): NewAccount {
  return { email: email.trim(), ...accountFields(form) }
}

export function accountChange(form: AccountForm, { disabled }: { disabled: boolean }): AccountChange {
  return { ...accountFields(form), disabled }
}

function accountFields(form: AccountForm) {
  return {
    name: form.name.trim(),
    role: form.role,
    customers: form.customers?.map(({ key }) => key) ?? null,
    msisdn: readMobileNumber(form.msisdn),
    smsMfa: form.smsMfa,
  }
}

export function accountName({ name, userId }: Pick<Account, 'name' | 'userId'>): string {
  return name ?? userId
}

export function accountState({ state, lockedUntil }: Account): { tone: StatusTone; label: string } {
  switch (state) {
    case 'active':
      return { tone: 'good', label: 'Active' }
    case 'invited':
      return { tone: 'waiting', label: 'Invited' }
    case 'locked':
      return { tone: 'warning', label: lockedUntil === null ? 'Locked' : `Locked until ${formatClock(lockedUntil)}` }
    case 'disabled':
      return { tone: 'off', label: 'Disabled' }
  }
}

export function secondFactorLabel({ smsMfa, totp }: Pick<Account, 'smsMfa' | 'totp'>): string {
  const factors = [...(totp ? ['App'] : []), ...(smsMfa ? ['SMS'] : [])]
  return factors.length === 0 ? 'None' : factors.join(', ')
}

/** 'All customers', up to two names, or two names and a count. */
export function scopeLabel(customers: Account['customers']): string {
  if (customers === null) return 'All customers'
  const names = customers.map(({ name }) => name)
  return names.length <= 2 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
}
