import type { CalendarInput } from '@benchwatch/contract/instruments/calendars'
import type { CalendarContent } from '@benchwatch/contract/vocabulary'
import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'

/** The content of a link, within what its owner may see. */
export interface CalendarChoice {
  name: string
  contents: readonly CalendarContent[]
  /** Null for all customers of the owner. */
  customerIds: readonly number[] | null
  view: CalendarInput['view']
}

/** Allows one transaction at a time to add links of a user. Returns how many the user has. */
export async function lockCalendarsOf(trx: Trx, userId: number): Promise<number> {
  await trx.selectFrom('app_user').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const row = await trx
    .selectFrom('calendar')
    .where('user_id', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Adds a link and its audit log row. Returns the id. */
export async function insertCalendar(
  trx: Trx,
  { choice, hash, by, at }: { choice: CalendarChoice; hash: Buffer; by: UserActor; at: Date },
): Promise<number> {
  const { name, contents, customerIds, view } = choice
  const { id } = await trx
    .insertInto('calendar')
    .values({
      user_id: by.id,
      name,
      token_hash: hash,
      contents: [...contents],
      customer_ids: customerIds && [...customerIds],
      view: view && JSON.stringify(view),
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordAudit(trx, { entityType: 'calendar', entityId: String(id), actor: by, at }, [
    { action: 'created', newValue: JSON.stringify(choice) },
  ])
  return id
}

/** Deletes a link of a user and writes the audit log. Returns false if the user has no such link. */
export async function deleteCalendar(
  trx: Trx,
  { id, by, at }: { id: number; by: UserActor; at: Date },
): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('calendar')
    .where('id', '=', id)
    .where('user_id', '=', by.id)
    .returning('name')
    .executeTakeFirst()
  if (!deleted) return false
  await recordAudit(trx, { entityType: 'calendar', entityId: String(id), actor: by, at }, [
    { action: 'revoked', oldValue: deleted.name },
  ])
  return true
}

export interface StoredCalendar extends CalendarChoice {
  id: number
  userId: number
}

export async function findCalendarByToken(db: Db, tokenHash: Buffer): Promise<StoredCalendar | undefined> {
  const row = await db
    .selectFrom('calendar')
    .select(['id', 'user_id', 'name', 'contents', 'customer_ids', 'view'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, user_id: userId, name, contents, customer_ids: customerIds, view } = row
  return { id, userId, name, contents, customerIds, view }
}

/** The last use is recorded to the minute, so that a request rarely writes. */
const USE_GRAIN_MS = 60_000

export async function noteCalendarUse(db: Db, { id, at }: { id: number; at: Date }): Promise<void> {
  await db
    .updateTable('calendar')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(at.getTime() - USE_GRAIN_MS))]),
    )
    .execute()
}
