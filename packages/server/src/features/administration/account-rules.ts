import type { Role } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'

/** The account settings an administrator submits. */
export interface AccountInput {
  role: Role
  /** Customer keys; null means all customers. */
  customers: readonly string[] | null
  msisdn: string | null
  smsMfa: boolean
}

/** The reason an account is refused, and the property that causes it. */
export interface AccountRefusal {
  property: keyof AccountInput
  sentence: string
}

/** Returns the first problem of the submitted account, or undefined if it is valid. */
export function refuseAccount(
  { role, customers, msisdn, smsMfa }: AccountInput,
  { hasSms }: { hasSms: boolean },
): AccountRefusal | undefined {
  if (role === 'customer' && customers === null) {
    return { property: 'customers', sentence: 'A customer user needs at least one customer. Choose one.' }
  }
  if (customers?.length === 0) {
    const ways = role === 'customer' ? 'Choose at least one.' : 'Choose at least one, or null for all.'
    return { property: 'customers', sentence: `A user without a customer sees nothing. ${ways}` }
  }
  if (!smsMfa) return undefined
  if (!hasSms) {
    return {
      property: 'smsMfa',
      sentence: 'This deployment sends no text messages. Let the user set up an authenticator app instead.',
    }
  }
  if (msisdn === null) {
    return { property: 'msisdn', sentence: 'Codes by SMS need a mobile number. Enter one such as +46705550101.' }
  }
  return undefined
}

interface Access {
  role: Role
  scope: DataScope
  disabled: boolean
}

/** The facts that `refuseAccessChange` needs about a change of role, scope or state. */
export interface AccessChange {
  before: Access & { id: number }
  after: Access
  /** Null if no user makes the change. */
  callerId: number | null
  /** Number of enabled administrators of all customers, not counting this account. */
  otherAdministrators: number
}

export type AccessRefusal = { code: 'own-account' | 'last-administrator'; sentence: string }

/**
 * Returns the reason a change of role, scope or state is refused, if any. Administrators cannot lock themselves out, and
 * if two administrators demote each other at the same moment, one remains. At least one manages all customers,
 * because nobody grants more than their own.
 */
export function refuseAccessChange(change: AccessChange): AccessRefusal | undefined {
  const { before, after, callerId, otherAdministrators } = change
  const changesRoleOrState = before.role !== after.role || before.disabled !== after.disabled
  if (changesRoleOrState && before.id === callerId) {
    return {
      code: 'own-account',
      sentence: "You can't change your own role or disable yourself. Ask another administrator.",
    }
  }
  const managesAll = ({ role, scope, disabled }: Access) => role === 'admin' && scope === 'all' && !disabled
  if (managesAll(before) && !managesAll(after) && otherAdministrators === 0) {
    return {
      code: 'last-administrator',
      sentence: 'This is the last administrator of all customers. Make another user one first.',
    }
  }
  return undefined
}
