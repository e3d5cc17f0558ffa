import type { ServiceCase, ServiceEvent } from '@benchwatch/contract/events/events'
import type { AlertType } from '@benchwatch/contract/vocabulary'
import { type InferResult, type Selectable, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import { type Db, keptPlan, keyIn, type Trx } from '../../db/connect.ts'
import type { ServiceEventTable } from '../../db/schema/events.ts'
import { isOpen, serviceEvents } from '../../db/scoped.ts'
import { severityOf } from '../../db/sql/severity.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { ifFeatureIsOn, NO_NAME } from '../users/users.lookup.ts'
import { alertStatusOf, closeReasonOf, ownerOnWire, splitTemplateId } from './event-codes.ts'
import type { BeforeClaim } from './status.ts'

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
  const row = await withCases(db, reading).where('e.id', '=', id).modifyFront(keptPlan).executeTakeFirst()
  return row && wholeAlarmOf(row)
}

type WholeRow = InferResult<ReturnType<typeof withCases>>[number]

/** Query for whole events with their case at the case desk. */
function withCases(db: Db, reading: Reading) {
  return (
    wholeServiceEvents(db, reading)
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
  )
}

/** Query for whole events. */
export function wholeServiceEvents(db: Db, reading: Reading) {
  return composed(db, reading)
    .leftJoin('event_template as t', (join) =>
      join.onRef('t.template_id', '=', 'e.template_id').onRef('t.instrument_type', '=', 'i.type'),
    )
    .select(['t.troubleshooting', 't.remedy'])
}

/** One event with everything that is shown with it. */
export type AlarmRow = InferResult<ReturnType<typeof composed>>[number]

/**
 * Query for events with everything that is shown with them. Customer and site are those at the time of the raise.
 * Current data of the instrument (system name, status, services, contract, contacts) belongs to its present customer:
 * if the instrument has moved since, the former customer sees none of it.
 */
function composed(db: Db, { scope, viewerId }: Reading) {
  const showsEmail =
    viewerId === undefined ? sql<boolean>`true` : ifFeatureIsOn(db, { userId: viewerId, key: 'AUTO_EMAIL' })
  const ifShown = <Column extends 'automatic_email' | 'automatic_email_sent_at'>(column: Column) =>
    sql<Selectable<ServiceEventTable>[Column]>`CASE WHEN ${showsEmail} THEN ${sql.ref(`e.${column}`)} END`.as(column)
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

/**
 * Returns the event as lists carry it on the wire: without troubleshooting, remedy and the body of the automatic
 * e-mail.
 */
function alarmOf(row: AlarmRow): ServiceEvent {
  const id = String(row.id)
  // Fields are assigned by name: spreading an object of fifty fields takes three times as long.
  const { eisCode, errorCode } = splitTemplateId(row.template_id)
  const logGeneratedAt = row.log_generated_at.toISOString()
  return {
    id,
    alertId: row.alert_id,
    eventId: id,
    templateId: row.template_id,
    eventTemplateId: row.template_id,
    eisCode,
    errorCode,
    date: logGeneratedAt,
    createdAt: row.created_at.toISOString(),
    logGeneratedAt,
    clearedAt: instantOrNull(row.cleared_at),
    severity: severityOf(row.severity),
    description: row.description,
    userMessage: row.user_message,
    alertType: row.alert_type as AlertType,
    alertSource: row.alert_source,
    isEdgeIssue: row.is_edge_issue,
    alertStatus: alertStatusOf(row.alert_status),
    claimedBy: ownerOnWire(row.claimed_by),
    claimedByName: row.claimed_by_name,
    reasonClosed: closeReasonOf(row.reason_closed),
    reasonClosedComment: row.reason_closed_comment,
    serviceMaxCaseNumber: row.service_max_case_number,
    serviceMaxUrl: row.service_max_url,
    automaticEmail: row.automatic_email && withoutBody(row.automatic_email),
    automaticEmailSentAt: instantOrNull(row.automatic_email_sent_at),
    componentName: row.component_name,
    componentType: row.component_type,
    instrumentId: row.instrument_id === null ? null : String(row.instrument_id),
    instrumentInstalledProductId: row.installed_product_id,
    instrumentProductDescription: row.product_description,
    instrumentDefinedSystemName: row.system_name,
    instrumentType: row.instrument_type,
    instrumentStatus: row.instrument_status,
    instrumentStatusAtEvent: row.instrument_status_at_event,
    run: row.run,
    qualifiedSystem: row.qualified_system,
    tierOne: row.tier_one ?? false,
    fullSupport: row.full_support,
    duringMaintenance: row.during_maintenance,
    latchedCount: row.latched_count,
    enterpriseName: row.customer_name,
    siteStreet: row.street,
    siteZip: row.zip,
    siteCity: row.city,
    siteCountry: row.country,
    siteRegion: row.region,
    siteTimeZone: row.time_zone,
    instrumentLocationLatitude: numberOrNull(row.latitude),
    instrumentLocationLongitude: numberOrNull(row.longitude),
    cpType: row.contract_type,
    cpSLATerm: row.sla_term,
    cpEndDate: row.contract_end,
    instrumentLastMaintenance: row.last_maintenance,
    instrumentLastService: row.last_service,
    contactName: row.contact_name,
    contactMobile: row.contact_mobile,
    contactPhone: row.contact_phone,
    contactEmail: row.contact_email,
    itContactName: row.it_contact_name,
    itContactEmail: row.it_contact_email,
    gatewayName: row.gateway_name,
    version: row.version,
  }
}

/** Returns the whole event, as a single read delivers it. */
function wholeAlarmOf(row: WholeRow): ServiceEvent {
  return Object.assign(alarmOf(row), {
    serviceCase: serviceCaseOf(row),
    automaticEmail: row.automatic_email,
    troubleshooting: row.troubleshooting,
    remedy: row.remedy,
  })
}

/** The time of its request is null if the event has no case at the desk. */
function serviceCaseOf(row: WholeRow): ServiceCase | null {
  if (row.case_requested_at === null) return null
  const isCreated = row.case_number !== null
  const hasFailed = !isCreated && row.case_last_error !== null
  return {
    requestedAt: row.case_requested_at.toISOString(),
    requestedByName: row.case_requested_by ?? '',
    isCreated,
    lastError: hasFailed ? row.case_last_error : null,
    retryAt: hasFailed ? instantOrNull(row.case_next_attempt_at) : null,
    status: row.case_status,
    statusSince: instantOrNull(row.case_status_since),
  }
}

function withoutBody({ contactName, email, subject }: NonNullable<AlarmRow['automatic_email']>) {
  return { contactName, email, subject }
}

function instantOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text)
}

// The audit log knows the claim that an undo takes back. The caller is not asked, so that no request can put an event
// into a state that it never had. Raises and clears by the instrument are not in the log and do not prevent it.

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
