import type { UserActor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { rowId } from '../../db/wire-id.ts'
import { knownUsers } from '../users/users.lookup.ts'

/** Takes out the profile with this wire id; undefined when it is nobody's whom the caller may know. */
export async function deleteProfileRow(trx: Trx, { id, caller }: { id: string; caller: UserActor }) {
  return trx
    .deleteFrom('profile')
    .where('id', '=', rowId(id) ?? null)
    .where('user_id', 'in', knownUsers(trx, caller).select('u.id'))
    .returning(['id', 'user_id', 'profile_type', 'settings'])
    .executeTakeFirst()
}

/** The user with this wire id; undefined when the caller may not know them. */
export async function findKnownUser(db: Db, { id, caller }: { id: string; caller: UserActor }) {
  return knownUsers(db, caller)
    .where('u.id', '=', rowId(id) ?? null)
    .select('u.id')
    .executeTakeFirst()
}
