import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import type { DatabaseHandle } from '../db/connect.ts'

/** Sets a flag for the deployment or for one user. */
export async function switchFlag(
  { db }: Pick<DatabaseHandle, 'db'>,
  key: FeatureKey,
  { value, userId = null }: { value: boolean; userId?: number | null },
): Promise<void> {
  await db
    .insertInto('feature_flag')
    .values({ key, user_id: userId, value })
    .onConflict((conflict) => conflict.columns(['key', 'user_id']).doUpdateSet({ value }))
    .execute()
}
