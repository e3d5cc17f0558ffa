import type { Me, User } from '@benchwatch/contract/users/users'
import { featureKeys } from '@benchwatch/contract/vocabulary'
import type { UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { NO_NAME, seesAddressOf, visibleUsers } from './users.lookup.ts'

/**
 * Returns the users whom the caller may assign to; addresses and numbers only of the caller, unless the caller is
 * support or admin (wire 5).
 */
export async function listVisibleUsers(db: Db, caller: UserActor): Promise<User[]> {
  const rows = await visibleUsers(db, caller).select(['u.id', 'u.name', 'u.email', 'u.msisdn']).execute()
  return rows.map(({ id, name, email, msisdn }) => {
    const open = seesAddressOf(caller, id)
    return { id: String(id), name: name ?? NO_NAME, email: open ? email : null, msisdn: open ? msisdn : null }
  })
}

/** Returns the caller's own account, without the session limit. */
export async function readMe(db: Db, caller: UserActor): Promise<Omit<Me, 'inactivityLimitSeconds'>> {
  const { email, msisdn } = await db
    .selectFrom('app_user')
    .select(['email', 'msisdn'])
    .where('id', '=', caller.id)
    .executeTakeFirstOrThrow()
  const customers =
    caller.scope === 'all'
      ? null
      : await db
          .selectFrom('customer as c')
          .innerJoin('user_customer as m', 'm.customer_id', 'c.id')
          .where('m.user_id', '=', caller.id)
          .select('c.name')
          .orderBy('c.name_folded')
          .orderBy('c.id')
          .execute()
  return {
    id: String(caller.id),
    name: caller.name,
    email,
    msisdn,
    role: caller.role,
    customers: customers?.map(({ name }) => name) ?? null,
  }
}

/**
 * Returns every flag with its value for a user: the user's own, else the deployment's, else "false" (3-decisions 5).
 */
export async function listFeatures(
  db: Db,
  userId: number,
): Promise<{ key: (typeof featureKeys)[number]; value: 'true' | 'false' }[]> {
  const rows = await db
    .selectFrom('feature_flag')
    .select(['key', 'user_id', 'value'])
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('user_id', 'is', null)]))
    .execute()
  return featureKeys.map((key) => {
    const own = rows.find((row) => row.key === key && row.user_id !== null)
    const deployment = rows.find((row) => row.key === key && row.user_id === null)
    return { key, value: (own ?? deployment)?.value ? 'true' : 'false' }
  })
}
