import type { Db } from '../../db/connect.ts'
import { defaultProfiles } from './default-profiles.ts'

/** Gives a user the profiles that they lack; harmless when two requests do it at once. */
export async function addMissingProfiles(db: Db, { userId, at }: { userId: number; at: Date }): Promise<void> {
  await db
    .insertInto('profile')
    .values(
      defaultProfiles.map(({ profileType, settings }) => ({
        user_id: userId,
        profile_type: profileType,
        settings: JSON.stringify(settings),
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'profile_type']).doNothing())
    .execute()
}
