import type { EmailSettings, NotificationSettings, Profile } from '@benchwatch/contract/profiles'
import type { Db, Trx } from '../../db/connect.ts'
import { defaultSettings, profileTypes } from './profile-settings.ts'
import { profileOf } from './profiles.queries.ts'

/** Gives a user the profiles that they lack; harmless when two requests do it at once. */
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

/** Replaces what a profile says. Returns the profile as it is now. */
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
