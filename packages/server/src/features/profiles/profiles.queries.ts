import type { Profile } from '@benchwatch/contract/profiles'
import type { Db } from '../../db/connect.ts'
import { type ProfileSettings, profileTypes } from './profile-settings.ts'

/** A user's profiles in the order of `profileTypes`; those that are not stored yet are missing. */
export async function listProfiles(db: Db, userId: number): Promise<Profile[]> {
  const rows = await db.selectFrom('profile').selectAll().where('user_id', '=', userId).execute()
  return profileTypes.flatMap((profileType): Profile[] => {
    const row = rows.find((candidate) => candidate.profile_type === profileType)
    if (!row) return []
    const head = {
      id: String(row.id),
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      userId: String(row.user_id),
    }
    return profileType === 'email'
      ? [{ ...head, profileType, ...(row.settings as unknown as ProfileSettings['email']) }]
      : [{ ...head, profileType, ...(row.settings as unknown as ProfileSettings[typeof profileType]) }]
  })
}
