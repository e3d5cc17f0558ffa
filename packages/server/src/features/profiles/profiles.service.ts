import type { EmailSettings, NotificationSettings, Profile } from '@benchwatch/contract/profiles'
import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { settingsFor } from './profile-rules.ts'
import type { ProfileType } from './profile-settings.ts'
import { findProfile, profileOf } from './profiles.queries.ts'
import { writeProfile } from './profiles.store.ts'

/**
 * Replaces one of the caller's profiles, in one transaction with its record; what changes nothing writes nothing. Throws
 * not-found, also for profiles of others, and bad-profile.
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
  return problem('not-found', 'There is no such profile of yours.')
}

/** The settings as they are stored; throws bad-profile where they can't be. */
export function allowedSettings(
  profileType: ProfileType,
  change: NotificationSettings | EmailSettings,
  config: FeatureContext['config'],
): NotificationSettings | EmailSettings {
  const verdict = settingsFor(profileType, change, config)
  if ('settings' in verdict) return verdict.settings
  const { field, sentence } = verdict.refusal
  throw problem('bad-profile', sentence, field ? { errors: [{ path: `body.${field}`, message: sentence }] } : {})
}
