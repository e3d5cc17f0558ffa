import type { Profile } from '@benchwatch/contract/profiles'
import type { Selectable } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { ProfileTable } from '../../db/schema/people.ts'
import { rowId } from '../../db/wire-id.ts'
import { profileTypes } from './profile-settings.ts'

export type ProfileRow = Selectable<ProfileTable>

/** A user's profiles in the order of `profileTypes`; those that are not stored yet are missing. */
export async function listProfiles(db: Db, userId: number): Promise<Profile[]> {
  const rows = await db.selectFrom('profile').selectAll().where('user_id', '=', userId).execute()
  return profileTypes.flatMap((profileType) => {
    const row = rows.find((candidate) => candidate.profile_type === profileType)
    return row ? [profileOf(row)] : []
  })
}

/** The user's own profile with this wire id; undefined for ids that are none and for profiles of others. */
export async function findProfile(
  db: Db,
  { id, userId, lock = false }: { id: string; userId: number; lock?: boolean },
): Promise<ProfileRow | undefined> {
  return db
    .selectFrom('profile')
    .selectAll()
    .where('id', '=', rowId(id) ?? null)
    .where('user_id', '=', userId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
}

/** A profile as the wire has it. */
export function profileOf({ id, user_id, profile_type, settings, ...row }: ProfileRow): Profile {
  return {
    id: String(id),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    userId: String(user_id),
    profileType: profile_type,
    ...settings,
  } as unknown as Profile
}
