import type { EmailSettings, NotificationSettings, Profile } from '@benchwatch/contract/messages/profiles'
import type { Db, Trx } from '../../db/connect.ts'
import { defaultSettings, profileTypes } from './profile-settings.ts'
import { profileOf } from './profiles.queries.ts'

/** Adds a user's missing profiles; safe if two requests do it at the same time. */
export async function addMissingProfiles(db: Db, { userId, at }: { userId: number; at: Date }): Promise<void> {
  await db
    .insertInto('profile')
    .values(
      profileTypes.map((profileType) => ({
        user_id: userId,
        profile_type: profileType,
        settings: JSON.stringify(defaultSettings[profileType]),
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'profile_type']).doNothing())
    .execute()
}

/** Replaces the settings of a profile. Returns the updated profile. */
export async function writeProfile(
  trx: Trx,
  { id, settings, at }: { id: number; settings: NotificationSettings | EmailSettings; at: Date },
): Promise<Profile> {
  const row = await trx
    .updateTable('profile')
    .set({ settings: JSON.stringify(settings), updated_at: at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return profileOf(row)
}
