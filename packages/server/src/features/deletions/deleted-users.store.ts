import { sql } from 'kysely'
import type { UserActor } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { inScope } from '../../db/scoped.ts'
import { knownUsers } from '../users/users.lookup.ts'

/** Shown wherever the name of somebody stood who was deleted; the record keeps the name as it was. */
const DELETED_NAME = 'Deleted user'

/** Whether the caller knows this user, who sees no customer besides theirs: nobody deletes whom others rely on as well. */
export async function mayDelete(trx: Trx, { caller, userId }: { caller: UserActor; userId: number }): Promise<boolean> {
  const row = await knownUsers(trx, caller)
    .where('u.id', '=', userId)
    .$if(caller.scope !== 'all', (query) =>
      query.where('u.all_customers', '=', false).where(
        sql<boolean>`NOT EXISTS (
          SELECT 1 FROM user_customer c WHERE c.user_id = u.id AND NOT ${inScope(caller.scope, sql.ref('c.customer_id'))})`,
      ),
    )
    .select('u.id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes everything personal out of what is kept of a user whose row is locked. The row itself stays, because events and API
 * tokens name it; so does nothing that says who it was. Their address may be invited anew.
 */
export async function stripUser(
  trx: Trx,
  { userId, login, at }: { userId: number; login: string; at: Date },
): Promise<void> {
  const { email } = await trx
    .updateTable('app_user as u')
    .from('app_user as before')
    .whereRef('before.id', '=', 'u.id')
    .where('u.id', '=', userId)
    .set({
      // No address: nobody can sign in as it, or be invited.
      login: `deleted ${userId}`,
      name: DELETED_NAME,
      name_folded: fold(DELETED_NAME),
      email: '',
      msisdn: null,
      password_hash: null,
      must_change_password: false,
      temporary_password_until: null,
      sms_mfa: false,
      totp_secret: null,
      totp_confirmed_at: null,
      totp_last_step: 0,
      all_customers: false,
      last_signed_in_at: null,
      disabled_at: at,
      deleted_at: at,
    })
    .returning('before.email')
    .executeTakeFirstOrThrow()
  // Messages by their address too: codes and invitations were sent before anybody was signed in.
  await trx
    .deleteFrom('outbound_message')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('recipient', 'in', [login, email])]))
    .execute()
  await trx
    .updateTable('event_email')
    .set({ receiver_id: null, recipient: '', recipient_name: DELETED_NAME })
    .where('receiver_id', '=', userId)
    .execute()
  for (const table of personalTables) await trx.deleteFrom(table).where('user_id', '=', userId).execute()
}

/** Rows that are one person's alone. */
const personalTables = [
  'user_customer',
  'feature_flag',
  'profile',
  'notification',
  'session',
  'recovery_code',
  'password_reset',
  'bulk_change',
  'export_file',
  'default_view',
  'saved_view',
] as const
