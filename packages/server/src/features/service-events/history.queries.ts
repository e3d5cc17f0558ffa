import type { HistoryEntry } from '@benchwatch/contract/event-details'
import { SYSTEM_OWNER } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { NO_NAME } from '../users/users.lookup.ts'

/**
 * Who changed what on an event, oldest first; undefined when the scope does not hold the event. It begins with the
 * creation by the gateway, which the event itself tells: ingest records one entry per batch, not one per event.
 *
 * Owners are recorded by their id and given here by their name, because people read this.
 */
export async function readHistory(
  db: Db,
  { id, scope }: { id: number; scope: DataScope },
): Promise<HistoryEntry[] | undefined> {
  const event = await serviceEvents(db, scope)
    .leftJoin('gateway as g', 'g.id', 'e.gateway_id')
    .where('e.id', '=', id)
    .select(['e.created_at', 'g.name as gateway_name'])
    .executeTakeFirst()
  if (!event) return undefined
  const rows = await db
    .selectFrom('audit')
    .where('entity_type', '=', 'service_event')
    .where('entity_id', '=', String(id))
    .orderBy('entity_seq')
    .select(['at', 'actor_type', 'actor_id', 'actor_name', 'action', 'property', 'old_value', 'new_value', 'reason'])
    .execute()
  const owners = rows.filter(({ property }) => property === 'claimedBy')
  const names = await ownerNames(
    db,
    owners.flatMap(({ old_value, new_value }) => [old_value, new_value]),
  )
  const shown = (property: string | null, value: string | null) =>
    property === 'claimedBy' && value !== null ? (names.get(value) ?? value) : value
  const created: HistoryEntry = {
    at: event.created_at.toISOString(),
    actorId: null,
    actorName: event.gateway_name ?? 'Automatic',
    action: 'created',
    property: null,
    oldValue: null,
    newValue: null,
    reason: null,
  }
  const changes = rows.map((row) => ({
    at: row.at.toISOString(),
    actorId: row.actor_type === 'system' ? SYSTEM_OWNER : row.actor_type === 'user' ? row.actor_id : null,
    actorName: row.actor_name,
    action: row.action,
    property: row.property,
    oldValue: shown(row.property, row.old_value),
    newValue: shown(row.property, row.new_value),
    reason: row.reason,
  }))
  // An event that came in another way (back office, import) has its creation on record.
  return changes.some(({ action }) => action === 'created') ? changes : [created, ...changes]
}

/** Names by owner id as the wire has it, `SYSTEM` among them. */
async function ownerNames(db: Db, values: readonly (string | null)[]): Promise<Map<string, string>> {
  const ids = values.filter((value) => value !== null && /^\d{1,9}$/.test(value)).map(Number)
  const names = new Map([[SYSTEM_OWNER as string, 'Automatic']])
  if (ids.length === 0) return names
  const rows = await db.selectFrom('app_user').where('id', 'in', ids).select(['id', 'name']).execute()
  for (const { id, name } of rows) names.set(String(id), name ?? NO_NAME)
  return names
}
