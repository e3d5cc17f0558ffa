import type { HistoryEntry } from '@benchwatch/contract/event-details'
import { connectionEventKinds, SYSTEM_OWNER, SYSTEM_OWNER_LABEL } from '@benchwatch/contract/vocabulary'
import type { UserActor } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { serviceEvents } from '../../../db/scoped.ts'
import { rowId } from '../../../db/wire-id.ts'
import { NO_NAME } from '../../users/users.lookup.ts'

/**
 * Who changed what on an event, oldest first; undefined when the scope does not hold the event. It begins with the
 * creation by the gateway, which the event itself tells: ingest records one entry per batch, not one per event. What is
 * about silence no gateway delivered: the server raised it.
 *
 * Owners and receivers are recorded by their ids and given here by their names, because people read this. With whom an
 * event was shared, and with which words, is told to those whom the mail itself is shown to.
 */
export async function readHistory(
  db: Db,
  { id, caller }: { id: number; caller: UserActor },
): Promise<HistoryEntry[] | undefined> {
  const event = await serviceEvents(db, caller.scope)
    .leftJoin('gateway as g', 'g.id', 'e.gateway_id')
    .where('e.id', '=', id)
    .select(['e.created_at', 'e.alert_source', 'g.name as gateway_name'])
    .executeTakeFirst()
  if (!event) return undefined
  const rows = await db
    .selectFrom('audit')
    .where('entity_type', '=', 'service_event')
    .where('entity_id', '=', String(id))
    .orderBy('entity_seq')
    .select(['at', 'actor_type', 'actor_id', 'actor_name', 'action', 'property', 'old_value', 'new_value', 'reason'])
    .execute()
  const names = await namesOfUsers(
    db,
    rows.filter(namesUsers).flatMap(({ old_value, new_value }) => [...idsIn(old_value), ...idsIn(new_value)]),
  )
  const shown = (row: AuditedChange, value: string | null) =>
    value === null || !namesUsers(row)
      ? value
      : idsIn(value)
          .map((user) => names.get(user) ?? user)
          .join(', ')
  const isRaisedHere = connectionEventKinds.some((kind) => event.alert_source.split(',').includes(kind))
  const gateway = isRaisedHere ? null : event.gateway_name
  const created: HistoryEntry = {
    at: event.created_at.toISOString(),
    actorId: gateway === null ? SYSTEM_OWNER : null,
    actorName: gateway ?? SYSTEM_OWNER_LABEL,
    action: 'created',
    property: null,
    oldValue: null,
    newValue: null,
    reason: null,
  }
  const changes = rows.map((row) => {
    const isOpen = row.action !== 'shared' || seesSharing(caller, row)
    return {
      at: row.at.toISOString(),
      actorId: row.actor_type === 'system' ? SYSTEM_OWNER : row.actor_type === 'user' ? row.actor_id : null,
      actorName: row.actor_name,
      action: row.action,
      property: row.property,
      oldValue: shown(row, row.old_value),
      newValue: isOpen ? shown(row, row.new_value) : null,
      reason: isOpen ? row.reason : null,
    }
  })
  // An event that came in another way (back office, import) has its creation on record.
  return changes.some(({ action }) => action === 'created') ? changes : [created, ...changes]
}

interface AuditedChange {
  action: string
  property: string | null
  actor_id: string | null
  new_value: string | null
}

/** Whether its values are ids of users: the owner, or those with whom it was shared. */
function namesUsers({ action, property }: AuditedChange): boolean {
  return property === 'claimedBy' || action === 'shared'
}

function idsIn(value: string | null): string[] {
  return value?.split(',') ?? []
}

function seesSharing({ id, role }: UserActor, { actor_id, new_value }: AuditedChange): boolean {
  const isParty = actor_id === String(id) || idsIn(new_value).includes(String(id))
  return isParty || role === 'support' || role === 'admin'
}

/** Names by user id as the wire has it, `SYSTEM` among them. */
async function namesOfUsers(db: Db, values: readonly string[]): Promise<Map<string, string>> {
  const ids = values.map(rowId).filter((id) => id !== undefined)
  const names = new Map([[SYSTEM_OWNER as string, SYSTEM_OWNER_LABEL]])
  if (ids.length === 0) return names
  const rows = await db.selectFrom('app_user').where('id', 'in', ids).select(['id', 'name']).execute()
  for (const { id, name } of rows) names.set(String(id), name ?? NO_NAME)
  return names
}
