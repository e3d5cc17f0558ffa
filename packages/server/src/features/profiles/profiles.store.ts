import type { Db } from '../../db/connect.ts'
import { defaultSettings, profileTypes } from './profile-settings.ts'

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
