import { isCompanyAddress } from '@benchwatch/contract/field-rules'
import type {
  EmailProfile,
  EmailSettings,
  NotificationProfile,
  NotificationSettings,
  Profile,
} from '@benchwatch/contract/messages/profiles'
import {
  type NotificationCategory,
  type NotificationKind,
  notificationCategories,
  notificationKindLabels,
} from '@benchwatch/contract/vocabulary'
import type { FieldProblems } from '../../lib/http.ts'

/** The e-mail settings being edited (document 2 section 2 "Behaviour" and section 5 "Notification email"). */
export interface EmailForm {
  useDefaultEmail: boolean
  useNotificationEmail: boolean
  notificationEmail: string
}

/** The editable settings of the three profiles, by profile type. */
export interface NotificationForm extends Record<NotificationKind, NotificationSettings> {
  email: EmailForm
}
export type FormPart = keyof NotificationForm

/** In the order of the screen. */
export const formParts: readonly FormPart[] = ['email', 'new_event_notification', 'assign_me_notification']

/** Titles of the three parts. */
export const partTitles: Record<FormPart, string> = {
  email: 'Where messages go',
  ...notificationKindLabels,
}
export const profileSubjects: Record<NotificationKind, string> = {
  new_event_notification: 'Every new event that you can see.',
  assign_me_notification: 'Every event that another user assigns to you.',
}

export function notificationForm(profiles: readonly Profile[]): NotificationForm {
  return {
    email: emailForm(profileOf(profiles, 'email')),
    new_event_notification: settingsOf(profileOf(profiles, 'new_event_notification')),
    assign_me_notification: settingsOf(profileOf(profiles, 'assign_me_notification')),
  }
}

/** Returns the request body that saves a part. */
export function partSettings(form: NotificationForm, part: FormPart): NotificationSettings | EmailSettings {
  return part === 'email' ? emailSettings(form.email) : form[part]
}

/** Returns the profile of a type. Every user has all three (3-decisions 9). */
export function profileOf<T extends FormPart>(profiles: readonly Profile[], part: T): PartProfile<T> {
  const found = profiles.find(({ profileType }) => profileType === part)
  if (found === undefined) throw new Error(`The profile ${part} is missing.`)
  // The profile's type determines its fields.
  return found as PartProfile<T>
}
type PartProfile<T extends FormPart> = T extends 'email' ? EmailProfile : NotificationProfile

function settingsOf(profile: NotificationProfile): NotificationSettings {
  const { id: _id, profileType: _type, createdAt: _from, updatedAt: _at, userId: _user, ...settings } = profile
  return settings
}

/** True if the profile sends anything. The SMS switch does not count in a deployment without text messages (China). */
export function sendsAnything(
  { notifyEmail, notifySms }: Pick<NotificationSettings, 'notifyEmail' | 'notifySms'>,
  { hasSms }: { hasSms: boolean },
): boolean {
  return notifyEmail || (hasSms && notifySms)
}

/** Sorts a selection by the saved order, new values last, so that removing and restoring a value makes no change. */
export function inSavedOrder(chosen: readonly string[], saved: readonly string[]): string[] {
  return [...saved.filter((value) => chosen.includes(value)), ...chosen.filter((value) => !saved.includes(value))]
}

export function hasFilters(settings: NotificationSettings): boolean {
  return notificationCategories.some(({ key }) => settings[key].length > 0)
}

export function withoutFilters(settings: NotificationSettings): NotificationSettings {
  const none = Object.fromEntries(notificationCategories.map(({ key }) => [key, []]))
  return { ...settings, ...(none as unknown as Record<NotificationCategory, string[]>) }
}

export function emailForm({ useDefaultEmail, useNotificationEmail, notificationEmail }: EmailProfile): EmailForm {
  return { useDefaultEmail, useNotificationEmail, notificationEmail: notificationEmail ?? '' }
}

/** Returns the settings to save, with the address trimmed; null for none. */
export function emailSettings({ notificationEmail, ...chosen }: EmailForm): EmailSettings {
  const address = notificationEmail.trim()
  return { ...chosen, notificationEmail: address === '' ? null : address }
}

/** Ticks or unticks 'Other'. Unticking clears the address and selects the default e-mail again. */
export function tickOther(isTicked: boolean): Partial<EmailForm> {
  return isTicked
    ? { useNotificationEmail: true }
    : { useNotificationEmail: false, notificationEmail: '', useDefaultEmail: true }
}

/**
 * Returns the problems of the e-mail settings; empty for none. `domains` are the company's mail domains in lower case.
 */
export function emailProblems(
  form: EmailForm,
  { product, domains }: { product: string; domains: readonly string[] },
): FieldProblems {
  if (!form.useDefaultEmail && !form.useNotificationEmail) return { addresses: 'Select at least one address.' }
  if (!form.useNotificationEmail || isCompanyAddress(form.notificationEmail.trim(), domains)) return {}
  return { notificationEmail: `Valid ${product} email address required!` }
}

/** Returns the addresses that receive e-mails with these settings. */
export function chosenAddresses(form: EmailForm, ownAddress: string): string[] {
  const other = form.useNotificationEmail ? form.notificationEmail.trim() : ''
  return [...(form.useDefaultEmail ? [ownAddress] : []), ...(other === '' ? [] : [other])]
}
