import type { Profile } from '@benchwatch/contract/profiles'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { counted } from '../../lib/counted.ts'

/** What can be deleted for good, each behind its flag: 3-decisions 5. */

export const deletionKinds = ['instrument', 'event', 'log', 'profile', 'user'] as const
export type DeletionKind = (typeof deletionKinds)[number]

export const deletionWords: Record<DeletionKind, { flag: FeatureKey; title: string; thing: string; goes: string }> = {
  instrument: {
    flag: 'ALLOW_ASSET_DELETE',
    title: 'Delete an instrument',
    thing: 'instrument',
    goes: 'Its events, logs, usage, run times, maintenance and contacts’ unsubscriptions go with it.',
  },
  event: {
    flag: 'ALLOW_EVENT_DELETE',
    title: 'Delete a service event',
    thing: 'event',
    goes: 'What was mailed and told about it goes with it; its record stays.',
  },
  log: {
    flag: 'ALLOW_LOG_DELETE',
    title: 'Delete a log line',
    thing: 'log line',
    goes: 'The line is gone for everybody; that it was deleted is recorded.',
  },
  profile: {
    flag: 'ALLOW_PROFILE_DELETE',
    title: 'Delete a profile',
    thing: 'profile',
    goes: 'It is as if it had never been set. Its owner gets one with the settings of the beginning.',
  },
  user: {
    flag: 'ALLOW_USER_DELETE',
    title: 'Delete a user',
    thing: 'user',
    goes: 'Their sessions end and their personal data go. What they did stays under their name in the record.',
  },
}

/** Kinds that the person may delete. */
export function deletableKinds(role: string, features: readonly FeatureKey[]): DeletionKind[] {
  if (role !== 'support' && role !== 'admin') return []
  return deletionKinds.filter((kind) => features.includes(deletionWords[kind].flag))
}

/** Whether what was typed names the thing: as it is written, in any case. */
export function isConfirmed(typed: string, name: string): boolean {
  return name !== '' && typed.trim().toLowerCase() === name.trim().toLowerCase()
}

/** What is lost with a profile, in one line. */
export function whatProfileHolds(profile: Profile): string {
  if (profile.profileType === 'email') {
    const own = profile.useNotificationEmail ? profile.notificationEmail : null
    return [profile.useDefaultEmail && 'The address that they sign in with', own].filter(Boolean).join(' and ') || '–'
  }
  const filters = Object.values(profile).filter((value) => Array.isArray(value) && value.length > 0).length
  const channels = [profile.notifyEmail && 'E-mail', profile.notifySms && 'SMS'].filter(Boolean).join(' and ')
  return `${channels || 'Nothing is sent'}, ${counted(filters, 'filter')}`
}
