import type { FeatureFlag } from '@benchwatch/contract/administration'
import { type FeatureKey, featureKeys } from '@benchwatch/contract/vocabulary'
import type { Db } from '../../db/connect.ts'
import { NO_NAME } from '../users/users.lookup.ts'

/** Flags in the order of the vocabulary with the deployment's value and the users who have their own, by name. */
export async function readFeatureFlags(db: Db, keys: readonly FeatureKey[] = featureKeys): Promise<FeatureFlag[]> {
  const rows = await db
    .selectFrom('feature_flag as f')
    .leftJoin('app_user as u', 'u.id', 'f.user_id')
    .select(['f.key', 'f.user_id', 'f.value', 'u.name'])
    .where('f.key', 'in', [...keys])
    .orderBy('u.name_folded')
    .orderBy('u.id')
    .execute()
  return keys.map((key) => {
    const ofKey = rows.filter((row) => row.key === key)
    const deployment = ofKey.find(({ user_id }) => user_id === null)
    return {
      key,
      value: deployment ? asText(deployment.value) : null,
      users: ofKey.flatMap(({ user_id, name, value }) =>
        user_id === null ? [] : [{ userId: String(user_id), name: name ?? NO_NAME, value: asText(value) }],
      ),
    }
  })
}

function asText(value: boolean): 'true' | 'false' {
  return value ? 'true' : 'false'
}
