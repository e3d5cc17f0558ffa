import { isCompanyAddress } from '@benchwatch/contract/field-rules'
import type { EmailSettings, NotificationSettings, Profile } from '@benchwatch/contract/messages/profiles'
import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fieldProblem, type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import type { ProfileType } from './profile-settings.ts'
import { findProfile, profileOf } from './profiles.queries.ts'
import { writeProfile } from './profiles.store.ts'

/** The refusal as the caller sees it: the wrong field, if it is a single one, and a sentence. */
interface ProfileRefusal {
  field: keyof EmailSettings | null
  sentence: string
}

interface Rules {
  companyEmailDomains: readonly string[]
  product: string
}

const emailFields = 'notificationEmail, useDefaultEmail and useNotificationEmail'

/**
 * Replaces one of the caller's profiles and writes the audit log in the same transaction. Writes nothing if nothing
 * changes. Throws not-found, including for other users' profiles, and bad-profile.
 */
export async function updateProfile(
  { db, clock, config }: Pick<FeatureContext, 'db' | 'clock' | 'config'>,
  { id, change, caller }: { id: string; change: NotificationSettings | EmailSettings; caller: UserActor },
): Promise<Profile> {
  return inTransaction(db, async (trx) => {
    const row = await findProfile(trx, { id, userId: caller.id, lock: true })
    if (!row) throw noSuchProfile()
    const settings = allowedSettings(row.profile_type, change, config)
    const entries = changedProperties(row.settings, settings)
    if (entries.length === 0) return profileOf(row)
    const at = clock.now()
    await recordAudit(trx, { entityType: 'profile', entityId: String(row.id), actor: caller, at }, entries)
    return writeProfile(trx, { id: row.id, settings, at })
  })
}

export function noSuchProfile(): ProblemError {
  return problem('not-found', 'You have no such profile.')
}

/** Returns the settings as stored; throws bad-profile if they are invalid. */
export function allowedSettings(
  profileType: ProfileType,
  change: NotificationSettings | EmailSettings,
  config: FeatureContext['config'],
): NotificationSettings | EmailSettings {
  const verdict = settingsFor(profileType, change, config)
  if ('settings' in verdict) return verdict.settings
  const { field, sentence } = verdict.refusal
  throw field ? fieldProblem('bad-profile', `body.${field}`, sentence) : problem('bad-profile', sentence)
}

/**
 * Returns the settings to store for a profile of this type, or the reason for the refusal (document 2 section 5,
 * 3-decisions 9). Pure.
 */
export function settingsFor(
  profileType: ProfileType,
  change: NotificationSettings | EmailSettings,
  rules: Rules,
): { settings: NotificationSettings | EmailSettings } | { refusal: ProfileRefusal } {
  const hasEmailFields = 'useDefaultEmail' in change
  if (hasEmailFields !== (profileType === 'email')) {
    const fields = hasEmailFields ? 'notifyEmail, notifySms and the filter categories' : emailFields
    return { refusal: { field: null, sentence: `This profile is of type ${profileType}. Send ${fields}.` } }
  }
  if (!hasEmailFields) return { settings: change }
  // An empty form field means no address.
  const settings = { ...change, notificationEmail: change.notificationEmail || null }
  const refusal = refuseEmail(settings, rules)
  return refusal ? { refusal } : { settings }
}

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
