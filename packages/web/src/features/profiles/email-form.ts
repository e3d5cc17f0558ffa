import { isCompanyAddress } from '@benchwatch/contract/company-address'
import type { EmailProfile, EmailSettings } from '@benchwatch/contract/profiles'
import type { FieldProblems } from '../../lib/field-problems.ts'

/** Where mails go, as it is edited: document 2 section 2 "Behaviour" and section 5 "Notification email". */

export interface EmailForm {
  useDefaultEmail: boolean
  useNotificationEmail: boolean
  notificationEmail: string
}

export function emailForm({ useDefaultEmail, useNotificationEmail, notificationEmail }: EmailProfile): EmailForm {
  return { useDefaultEmail, useNotificationEmail, notificationEmail: notificationEmail ?? '' }
}

/** What is saved: an address without blanks around it, null for none. */
export function emailSettings({ notificationEmail, ...chosen }: EmailForm): EmailSettings {
  const address = notificationEmail.trim()
  return { ...chosen, notificationEmail: address === '' ? null : address }
}

/** Ticking 'Other', or unticking it, which clears the address and selects the default e-mail again. */
export function tickOther(isTicked: boolean): Partial<EmailForm> {
  return isTicked
    ? { useNotificationEmail: true }
    : { useNotificationEmail: false, notificationEmail: '', useDefaultEmail: true }
}

/** What hinders saving; empty when nothing does. `domains` are those of company addresses, lower case. */
export function emailProblems(
  form: EmailForm,
  { product, domains }: { product: string; domains: readonly string[] },
): FieldProblems {
  if (!form.useDefaultEmail && !form.useNotificationEmail) return { addresses: 'Select at least one address.' }
  if (!form.useNotificationEmail || isCompanyAddress(form.notificationEmail.trim(), domains)) return {}
  return { notificationEmail: `Valid ${product} email address required!` }
}

/** The addresses that mails go to by this form. */
export function chosenAddresses(form: EmailForm, ownAddress: string): string[] {
  const other = form.useNotificationEmail ? form.notificationEmail.trim() : ''
  return [...(form.useDefaultEmail ? [ownAddress] : []), ...(other === '' ? [] : [other])]
}
