import type { ServiceResponse } from '@benchwatch/contract/event-details'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'

/**
 * How long an event waited to be taken and to be closed, in whole seconds; undefined when the scope does not hold it.
 * Only the first claim counts: an event that is given on has been acknowledged already (wire 2).
 */
export async function readServiceResponse(
  db: Db,
  { id, scope }: { id: number; scope: DataScope },
): Promise<ServiceResponse | undefined> {
  const event = await serviceEvents(db, scope)
    .where('e.id', '=', id)
    .select(['e.created_at', 'e.claimed_at', 'e.closed_at'])
    .executeTakeFirst()
  if (!event) return undefined
  return {
    alertToAcknowledgeTime: secondsBetween(event.created_at, event.claimed_at),
    duration: secondsBetween(event.claimed_at, event.closed_at),
    eventReasonClosed: secondsBetween(event.created_at, event.closed_at),
  }
}

/** Never below 0: the two ends may have been written by nodes whose clocks differ a little. */
function secondsBetween(from: Date | null, to: Date | null): number | null {
  if (from === null || to === null) return null
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000))
}
