import { isCompanyAddress } from '@benchwatch/contract/company-address'
import type { EmailSettings, NotificationSettings } from '@benchwatch/contract/profiles'
import type { ProfileType } from './profile-settings.ts'

/** Whether a profile may say what it is to say (document 2 section 5, 3-decisions 9). Pure. */

/** What the caller may be told of it: the field that is wrong, where it is one, and a sentence. */
export interface ProfileRefusal {
  field: keyof EmailSettings | null
  sentence: string
}

interface Rules {
  companyEmailDomains: readonly string[]
  product: string
}

/** The settings to store for a profile of this type, or why they are refused. */
export function settingsFor(
  profileType: ProfileType,
  change: NotificationSettings | EmailSettings,
  rules: Rules,
): { settings: NotificationSettings | EmailSettings } | { refusal: ProfileRefusal } {
  const hasEmailFields = 'useDefaultEmail' in change
  if (hasEmailFields !== (profileType === 'email')) {
    const fields = hasEmailFields ? 'notifyEmail, notifySms and the filter categories' : emailFields
    return { refusal: { field: null, sentence: `This is the profile ${profileType}. Send ${fields}.` } }
  }
  if (!hasEmailFields) return { settings: change }
  // An empty field of a form is no address.
  const settings = { ...change, notificationEmail: change.notificationEmail || null }
  const refusal = refuseEmail(settings, rules)
  return refusal ? { refusal } : { settings }
}

const emailFields = 'notificationEmail, useDefaultEmail and useNotificationEmail'

function refuseEmail(
  { notificationEmail, useDefaultEmail, useNotificationEmail }: EmailSettings,
  { companyEmailDomains, product }: Rules,
): ProfileRefusal | null {
  const isMissing = notificationEmail === null && useNotificationEmail
  if (isMissing || (notificationEmail !== null && !isCompanyAddress(notificationEmail, companyEmailDomains))) {
    return { field: 'notificationEmail', sentence: `Valid ${product} email address required!` }
  }
  if (!useDefaultEmail && !useNotificationEmail) {
    return { field: 'useDefaultEmail', sentence: 'At least one address must be selected.' }
  }
  return null
}
