import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import { type Db, keptPlan, keyIn } from '../../db/connect.ts'
import { isOpen, serviceEvents } from '../../db/scoped.ts'
import { ifFeatureIsOn, NO_NAME } from '../users/users.lookup.ts'
import { type AlarmRow, alarmOf, wholeAlarmOf } from './alarm-row.ts'

/** Scope and viewer of a read. */
interface Reading {
  scope: DataScope
  /** The viewing user: without AUTO_EMAIL, they get no automatic e-mails. Absent for reads by the product itself. */
  viewerId?: number | undefined
}

/** Returns these events in this order, without their long texts; ids outside the scope are left out. */
export async function readServiceEvents(
  db: Db,
  { ids, ...reading }: Reading & { ids: readonly number[] },
): Promise<ServiceEvent[]> {
  if (ids.length === 0) return []
  const rows = await composed(db, reading).where(keyIn('e.id', ids)).modifyFront(keptPlan).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [alarmOf(row)] : []
  })
}

/**
 * Returns one whole event. Undefined both for a missing event and for one outside the scope, so that callers cannot
 * tell them apart.
 */
export async function findServiceEvent(
  db: Db,
  { id, ...reading }: Reading & { id: number },
): Promise<ServiceEvent | undefined> {
  const row = await wholeServiceEvents(db, reading)
    // A person who closes the event by hand, or corrects the number, ends what the desk has to do with it.
    .leftJoin('service_case as sc', (join) =>
      join
        .onRef('sc.event_id', '=', 'e.id')
        .on(sql<boolean>`CASE WHEN sc.number IS NULL THEN ${isOpen} ELSE sc.number = e.service_max_case_number END`),
    )
    .leftJoin('app_user as su', 'su.id', 'sc.requested_by')
    .select([
      'sc.requested_at as case_requested_at',
      sql<string | null>`coalesce(su.name, ${NO_NAME})`.as('case_requested_by'),
      'sc.number as case_number',
      'sc.last_error as case_last_error',
      'sc.next_attempt_at as case_next_attempt_at',
      'sc.status as case_status',
      'sc.status_since as case_status_since',
    ])
    .where('e.id', '=', id)
    .modifyFront(keptPlan)
    .executeTakeFirst()
  return row && wholeAlarmOf(row)
}

/** Query for whole events, with the columns that `alarm-row.ts` converts. */
export function wholeServiceEvents(db: Db, reading: Reading) {
  return composed(db, reading)
    .leftJoin('event_template as t', (join) =>
      join.onRef('t.template_id', '=', 'e.template_id').onRef('t.instrument_type', '=', 'i.type'),
    )
    .select(['t.troubleshooting', 't.remedy'])
}

/**
 * Query for events with everything that is shown with them. Customer and site are those at the time of the raise.
 * Current data of the instrument (system name, status, services, contract, contacts) belongs to its present customer:
 * if the instrument has moved since, the former customer sees none of it.
 */
function composed(db: Db, { scope, viewerId }: Reading) {
  const showsEmail =
    viewerId === undefined ? sql<boolean>`true` : ifFeatureIsOn(db, { userId: viewerId, key: 'AUTO_EMAIL' })
  const ifShown = <Column extends 'automatic_email' | 'automatic_email_sent_at'>(column: Column) =>
    sql<AlarmRow[Column]>`CASE WHEN ${showsEmail} THEN ${sql.ref(`e.${column}`)} END`.as(column)
  const ifStillOwned = <T>(column: string) =>
    sql<T | null>`CASE WHEN i.customer_id = e.customer_id THEN ${sql.ref(column)} END`
  return serviceEvents(db, scope)
    .innerJoin('customer as c', 'c.id', 'e.customer_id')
    .innerJoin('site as s', 's.id', 'e.site_id')
    .leftJoin('component as k', 'k.id', 'e.component_id')
    .leftJoin('instrument as i', 'i.id', 'e.instrument_id')
    .leftJoin('gateway as g', 'g.id', 'e.gateway_id')
    .leftJoin('app_user as u', 'u.id', 'e.claimed_by')
    .leftJoin('run as r', 'r.id', 'e.run_id')
    .leftJoin('contract as cp', (join) =>
      join.onRef('cp.id', '=', 'i.contract_id').onRef('cp.customer_id', '=', 'e.customer_id'),
    )
    .leftJoin('contact as p', (join) =>
      join.onRef('p.id', '=', 'i.contact_id').onRef('p.customer_id', '=', 'e.customer_id'),
    )
    .leftJoin('contact as it', (join) =>
      join.onRef('it.id', '=', 'i.it_contact_id').onRef('it.customer_id', '=', 'e.customer_id'),
    )
    .select([
      'e.id',
      'e.alert_id',
      'e.template_id',
      'e.created_at',
      'e.log_generated_at',
      'e.cleared_at',
      'e.severity',
      'e.alert_type',
      'e.alert_status',
      'e.alert_source',
      'e.is_edge_issue',
      'e.description',
      'e.user_message',
      'e.claimed_by',
      sql<string | null>`CASE WHEN u.id IS NOT NULL THEN coalesce(u.name, ${NO_NAME}) END`.as('claimed_by_name'),
      'e.reason_closed',
      'e.reason_closed_comment',
      'e.service_max_case_number',
      'e.service_max_url',
      ifShown('automatic_email'),
      ifShown('automatic_email_sent_at'),
      'k.name as component_name',
      'k.type as component_type',
      'e.instrument_id',
      sql<string>`coalesce(i.installed_product_id, g.installed_product_id)`.as('installed_product_id'),
      'i.product_description',
      ifStillOwned<string>('i.system_name').as('system_name'),
      'i.type as instrument_type',
      ifStillOwned<NonNullable<ServiceEvent['instrumentStatus']>>('i.status').as('instrument_status'),
      'e.instrument_status_at_event',
      'r.name as run',
      'i.qualified_system',
      'cp.tier_one',
      'e.full_support',
      'e.during_maintenance',
      'e.latched_count',
      'c.name as customer_name',
      's.street',
      's.zip',
      's.city',
      's.country',
      's.region',
      's.time_zone',
      's.latitude',
      's.longitude',
      'cp.type as contract_type',
      'cp.sla_term',
      'cp.end_date as contract_end',
      ifStillOwned<string>('i.last_maintenance').as('last_maintenance'),
      ifStillOwned<string>('i.last_service').as('last_service'),
      'p.name as contact_name',
      'p.mobile as contact_mobile',
      'p.phone as contact_phone',
      'p.key as contact_email',
      'it.name as it_contact_name',
      'it.key as it_contact_email',
      'g.name as gateway_name',
      'e.version',
    ])
}
