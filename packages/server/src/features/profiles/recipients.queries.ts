import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { customersOfUser, NO_NAME, scopeOf } from '../users/users.lookup.ts'
import type { Recipient } from './decision.ts'
import { defaultSettings, type ProfileSettings } from './profile-settings.ts'

/** Who may be told of events, with all that `decision.ts` asks about them, as it is now. */

/** Everybody whose 'All Events' tells by some way; nobody disabled. */
export function readToldOfNewEvents(db: Db): Promise<Recipient[]> {
  return readWhere(
    db,
    sql<boolean>`u.disabled_at IS NULL AND EXISTS (
      SELECT 1 FROM profile a WHERE a.user_id = u.id AND a.profile_type = 'new_event_notification'
        AND (a.settings @> '{"notifyEmail": true}' OR a.settings @> '{"notifySms": true}'))`,
  )
}

/** These users, also when they are disabled or never opened the settings; unknown ids are left out. */
export function readRecipients(db: Db, userIds: readonly number[]): Promise<Recipient[]> {
  return readWhere(db, sql<boolean>`u.id = ANY(${[...userIds]}::int[])`)
}

async function readWhere(db: Db, who: RawBuilder<boolean>): Promise<Recipient[]> {
  const rows = await db
    .selectFrom('app_user as u')
    .where('u.role', '<>', 'system')
    .where(who)
    .select([
      'u.id',
      'u.name',
      'u.email',
      'u.msisdn',
      'u.disabled_at',
      'u.all_customers',
      customersOfUser,
      sql<Partial<ProfileSettings> | null>`(
        SELECT jsonb_object_agg(p.profile_type, p.settings) FROM profile p WHERE p.user_id = u.id)`.as('profiles'),
      // Their own value, else the deployment's, else off (3-decisions 5).
      sql<boolean>`coalesce((
        SELECT f.value FROM feature_flag f
        WHERE f.key = 'NOTIFY_UNDER_REVIEW' AND (f.user_id = u.id OR f.user_id IS NULL)
        ORDER BY f.user_id NULLS LAST LIMIT 1), false)`.as('notifies_under_review'),
    ])
    .orderBy('u.id')
    .execute()
  return rows.map((row) => {
    const { email, ...profiles } = { ...defaultSettings, ...row.profiles }
    return {
      userId: row.id,
      name: row.name ?? NO_NAME,
      scope: scopeOf(row),
      isDisabled: row.disabled_at !== null,
      notifiesUnderReview: row.notifies_under_review,
      loginEmail: row.email,
      msisdn: row.msisdn,
      email,
      profiles,
    }
  })
}
