import { type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import { isAlarmTest } from '../../db/alarm-test.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { severityWord } from '../../db/sql/severity.ts'
import type { EventFacts } from './matching.ts'

/** An event with the facts that decide about its recipients. */
export interface AnnouncedEvent {
  id: number
  customerId: number
  createdAt: Date
  facts: EventFacts
  /** True if its support e-mail template is under review (3-decisions 5, NOTIFY_UNDER_REVIEW). */
  isUnderReview: boolean
  /**
   * True for a test of the alarm chain, which causes no notifications. The event about a missing test is a normal
   * event.
   */
  isTest: boolean
}

/**
 * Returns events in scope with the facts that profiles use, newest first: those of these ids, or those created since
 * then and, for a further page, before the given one. Current values of the instrument (its contract) are hidden from
 * a former customer.
 */
export async function readNotifiedEvents(
  db: Db,
  {
    scope,
    ...selection
  }: { scope: DataScope } & (
    | { ids: readonly number[] }
    | { since: Date; before: Pick<AnnouncedEvent, 'id' | 'createdAt'> | null; limit: number }
  ),
): Promise<AnnouncedEvent[]> {
  const events = serviceEvents(db, scope)
    .leftJoin('instrument as i', 'i.id', 'e.instrument_id')
    .leftJoin('contract as c', (join) =>
      join.onRef('c.id', '=', 'i.contract_id').onRef('i.customer_id', '=', 'e.customer_id'),
    )
    .leftJoin('component as m', 'm.id', 'e.component_id')
    .innerJoin('site as s', 's.id', 'e.site_id')
    .innerJoin('customer as k', 'k.id', 'e.customer_id')
    .leftJoin('support_email_template as t', (join) =>
      join.onRef('t.instrument_type', '=', 'i.type').onRef('t.template_id', '=', 'e.template_id'),
    )
    .select([
      'e.id',
      'e.customer_id',
      'e.created_at',
      'e.alert_type',
      severityWord('e.severity').as('severity'),
      'e.is_edge_issue',
      'e.instrument_status_at_event',
      'k.name as customer',
      'i.type',
      'i.qualified_system',
      's.region',
      's.country',
      's.city',
      'm.name as component',
      'c.sla_term',
      't.under_review',
      isAlarmTest.as('isTest'),
    ])
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
  const rows = await ('ids' in selection
    ? events.where(sql<SqlBool>`e.id = ANY(${[...selection.ids]}::bigint[])`)
    : events
        .where('e.created_at', '>=', selection.since)
        .$if(selection.before !== null, (page) =>
          page.where(sql<SqlBool>`(e.created_at, e.id) < (${selection.before?.createdAt}, ${selection.before?.id})`),
        )
        .limit(selection.limit)
  ).execute()
  return rows.map((row) => ({
    id: row.id,
    customerId: row.customer_id,
    createdAt: row.created_at,
    isUnderReview: row.under_review ?? false,
    isTest: row.isTest,
    facts: {
      alertType: String(row.alert_type),
      severity: row.severity,
      customer: row.customer,
      region: row.region,
      country: row.country,
      siteCity: row.city,
      ...(row.is_edge_issue
        ? nothingOfAnInstrument
        : {
            instrumentType: row.type,
            componentName: row.component,
            instrumentStatus: row.instrument_status_at_event,
            contractSLA: row.sla_term,
            qualifiedSystem: row.qualified_system === null ? null : String(row.qualified_system),
          }),
    },
  }))
}

const nothingOfAnInstrument = {
  instrumentType: null,
  componentName: null,
  instrumentStatus: null,
  contractSLA: null,
  qualifiedSystem: null,
}
