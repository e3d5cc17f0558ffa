import type { HeldBackEvent, listHeldBackEvents } from '@benchwatch/contract/administration/backoffice'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { Severity } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { inScope } from '../../db/scoped.ts'
import { severityWord } from '../../db/sql/severity.ts'

function heldBackEvents(db: Db, scope: DataScope) {
  return db
    .selectFrom('held_back_event as h')
    .innerJoin('customer as c', 'c.id', 'h.customer_id')
    .innerJoin('component as p', 'p.id', 'h.component_id')
    .innerJoin('instrument as i', 'i.id', 'h.instrument_id')
    .where('i.deleted_at', 'is', null)
    .where(inScope(scope, sql.ref('h.customer_id')))
}

/** Returns events of customers in scope that were held back because no contract was running, newest first. */
export async function readHeldBackEvents(
  db: Db,
  { scope, state, limit, offset }: RouteTypes<typeof listHeldBackEvents>['query'] & { scope: DataScope },
): Promise<{ values: HeldBackEvent[]; total: number }> {
  const selected = heldBackEvents(db, scope).where('h.released_at', state === 'open' ? 'is' : 'is not', null)
  const { total } = await selected.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await selected
    .orderBy('h.held_back_at', 'desc')
    .orderBy('h.id', 'desc')
    .limit(limit)
    .offset(offset)
    .select(['h.id', 'i.installed_product_id', 'c.name as customer', 'h.template_id', 'p.name as component'])
    .leftJoin('event_template as t', (join) =>
      join.onRef('t.instrument_type', '=', 'i.type').onRef('t.template_id', '=', 'h.template_id'),
    )
    // As ingest would decide (`alarms.service.ts`).
    .select(sql<Severity>`coalesce(h.item #>> '{data,severity}', ${severityWord('t.severity')}, 'high')`.as('severity'))
    .select(['h.description', 'h.raised_at', 'h.held_back_at', 'h.raises', 'h.event_id'])
    .execute()
  const values = rows.map((row) => ({
    id: String(row.id),
    instrumentInstalledProductId: row.installed_product_id,
    customer: row.customer,
    templateId: row.template_id,
    componentName: row.component,
    description: row.description,
    severity: row.severity,
    raisedAt: row.raised_at.toISOString(),
    heldBackAt: row.held_back_at.toISOString(),
    raises: row.raises,
    eventId: row.event_id === null ? null : String(row.event_id),
  }))
  return { values, total }
}

/** The data needed for a release; `item` is the first raise as received. */
export type HeldBack = NonNullable<Awaited<ReturnType<typeof findHeldBack>>>

/** Returns the held-back event with this wire ID, or undefined if it is not in scope. */
export async function findHeldBack(db: Db, { id, scope }: { id: string; scope: DataScope }) {
  return heldBackEvents(db, scope)
    .where('h.id', '=', Number(id))
    .select(['h.id', 'i.installed_product_id as installedProductId', 'h.customer_id as customerId', 'h.item'])
    .select(['h.gateway_id as gatewayId', 'h.epoch', 'h.sequence', 'h.raises'])
    .select(sql<string[]>`ARRAY(SELECT alert_id FROM held_back_alert WHERE held_back_id = h.id)`.as('alertIds'))
    .select(['h.cleared_at as clearedAt', sql<boolean>`h.released_at IS NOT NULL`.as('isReleased')])
    .executeTakeFirst()
}

/** Records the event that was created from it. */
export async function noteRelease(
  trx: Trx,
  { id, eventId, at }: { id: number; eventId: number; at: Date },
): Promise<void> {
  await trx.updateTable('held_back_event').set({ released_at: at, event_id: eventId }).where('id', '=', id).execute()
}
