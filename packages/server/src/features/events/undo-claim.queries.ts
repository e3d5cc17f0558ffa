import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import type { BeforeClaim } from './status.ts'

/**
 * Finds the claim that an undo takes back. The audit log is asked, not the caller, so that no request can put an event into
 * a state that it never had. Raises and clears by the instrument are not in the log and do not prevent it.
 */

/** The console offers undo for ten seconds; the rest is for slow networks. */
const UNDO_MS = 60_000

/** One changed property of an event in the audit log. */
export interface LoggedChange {
  at: Date
  actorType: string
  actorId: string | null
  property: string | null
  oldValue: string | null
  newValue: string | null
}

/**
 * Returns what was before the last change if that was the user's own claim, else null. `changes` are those of the last
 * minute, oldest first; the properties of one change share their moment.
 */
export function beforeClaim(changes: readonly LoggedChange[], userId: number): BeforeClaim | null {
  const lastAt = changes.at(-1)?.at.getTime()
  const last = changes.filter(({ at }) => at.getTime() === lastAt)
  const [owner, ...moreOwners] = last.filter(({ property }) => property === 'claimedBy')
  const [status, ...others] = last.filter(({ property }) => property !== 'claimedBy')
  if (owner === undefined || moreOwners.length > 0 || others.length > 0) return null
  const isOwn = last.every(({ actorType, actorId }) => actorType === 'user' && actorId === String(userId))
  if (!isOwn || owner.newValue !== String(userId)) return null
  if (status !== undefined && (status.property !== 'alertStatus' || status.oldValue !== '1_NEW')) return null
  const claimedBy = owner.oldValue === null ? null : rowId(owner.oldValue)
  if (claimedBy === undefined) return null
  return { claimedBy, alertStatus: status === undefined ? '2_IN_PROGRESS' : '1_NEW' }
}

/**
 * Returns the claims of the user that an undo may take back, by event, each with the name of the earlier owner. The
 * events must be locked.
 */
export async function findClaimsToUndo(
  trx: Trx,
  { ids, userId, now }: { ids: readonly number[]; userId: number; now: Date },
): Promise<Map<number, { before: BeforeClaim; ownerName: string | null }>> {
  const rows = await trx
    .selectFrom('audit as a')
    .leftJoin('app_user as u', (join) =>
      join
        .on('a.property', '=', 'claimedBy')
        .on(sql<boolean>`u.id = CASE WHEN a.old_value ~ '^[0-9]{1,9}$' THEN a.old_value::int END`),
    )
    .where('a.entity_type', '=', 'service_event')
    .where(sql<boolean>`a.entity_id = ANY(${ids.map(String)}::text[])`)
    .where('a.action', '=', 'update')
    .where('a.at', '>', new Date(now.getTime() - UNDO_MS))
    .orderBy('a.entity_seq')
    .select([
      'a.entity_id',
      'a.at',
      'a.actor_type as actorType',
      'a.actor_id as actorId',
      'a.property',
      'a.old_value as oldValue',
      'a.new_value as newValue',
      'u.name as ownerName',
    ])
    .execute()
  const claims = [...Map.groupBy(rows, ({ entity_id }) => Number(entity_id))].flatMap(([id, changes]) => {
    const before = beforeClaim(changes, userId)
    const ownerName = changes.findLast(({ property }) => property === 'claimedBy')?.ownerName ?? null
    return before === null ? [] : [[id, { before, ownerName }] as const]
  })
  return new Map(claims)
}
