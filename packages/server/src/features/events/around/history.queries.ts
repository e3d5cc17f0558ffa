import type { HistoryEntry } from '@benchwatch/contract/events/event-details'
import { connectionEventKinds, SYSTEM_OWNER, SYSTEM_OWNER_LABEL } from '@benchwatch/contract/vocabulary'
import type { UserActor } from '../../../db/actor.ts'
import type { AuditRow } from '../../../db/audit.ts'
import type { Db } from '../../../db/connect.ts'
import { serviceEvents } from '../../../db/scoped.ts'
import { rowId } from '../../../db/sql/wire-id.ts'
import { NO_NAME } from '../../users/users.lookup.ts'

/**
 * Returns who changed what on an event, oldest first; undefined if it is outside the scope. The history begins with
 * the creation by the gateway, which is derived from the event itself: ingest writes one audit entry per batch, not
 * one per event. Connection-loss events have no gateway as their source: the server raised them.
 *
 * The audit log contains the ids of owners and receivers; this function replaces them by names, because people read the
 * result. The receivers and the message of a shared event are visible only to users who may see the e-mail itself.
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
  // Events from other sources (back office, import) have an audit entry for their creation.
  return changes.some(({ action }) => action === 'created') ? changes : [created, ...changes]
}

type AuditedChange = Pick<AuditRow, 'action' | 'property' | 'actor_id' | 'new_value'>

/** True if the values of a change are user ids: the owner, or the users whom the event was shared with. */
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

/** Returns user names by user id as used on the wire, including `SYSTEM`. */
async function namesOfUsers(db: Db, values: readonly string[]): Promise<Map<string, string>> {
  const ids = values.map(rowId).filter((id) => id !== undefined)
  const names = new Map([[SYSTEM_OWNER as string, SYSTEM_OWNER_LABEL]])
  if (ids.length === 0) return names
  const rows = await db.selectFrom('app_user').where('id', 'in', ids).select(['id', 'name']).execute()
  for (const { id, name } of rows) names.set(String(id), name ?? NO_NAME)
  return names
}
