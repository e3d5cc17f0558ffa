import type { listProfiles as listProfilesRoute } from '@benchwatch/contract/profiles'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { Db } from '../../db/connect.ts'
import { defaultProfiles, type EmailSettings, type NotificationSettings } from './default-profiles.ts'

type Profiles = RouteTypes<typeof listProfilesRoute>['answer']

/** A user's profiles in the order of `defaultProfiles`; those that are not stored yet are missing. */
export async function listProfiles(db: Db, userId: number): Promise<Profiles> {
  const rows = await db.selectFrom('profile').selectAll().where('user_id', '=', userId).execute()
  return defaultProfiles.flatMap(({ profileType }): Profiles => {
    const row = rows.find((candidate) => candidate.profile_type === profileType)
    if (!row) return []
    const head = {
      id: String(row.id),
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      userId: String(row.user_id),
    }
    return profileType === 'email'
      ? [{ ...head, profileType, ...(row.settings as unknown as EmailSettings) }]
      : [{ ...head, profileType, ...(row.settings as unknown as NotificationSettings) }]
  })
}
