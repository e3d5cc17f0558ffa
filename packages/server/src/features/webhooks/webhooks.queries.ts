import type { Webhook, WebhookDelivery } from '@benchwatch/contract/messages/webhooks'
import type { OrcStatus, WebhookState } from '@benchwatch/contract/vocabulary'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { DataScope, UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope, instruments, serviceEvents } from '../../db/scoped.ts'
import type { EventFacts } from '../profiles/matching.ts'
import { managedUsers, NO_NAME } from '../users/users.lookup.ts'
import type { InstrumentContent } from './formats.ts'
import { readSecrets } from './webhooks.store.ts'

type Caller = Pick<UserActor, 'id' | 'role' | 'scope'>

/** Returns the webhooks that the caller may see, by name; with `id`, that one only. */
export async function readWebhooks(
  db: Db,
  { caller, at, id }: { caller: Caller; at: Date; id?: number },
): Promise<Webhook[]> {
  const count = (state: 'waiting' | 'parked') =>
    sql<number>`(SELECT count(*)::int FROM webhook_delivery d
      WHERE d.webhook_id = w.id AND d.state = ${state} AND ${isVisible(caller.scope)})`.as(state)
  const rows = await db
    .selectFrom('webhook as w')
    .innerJoin('app_user as o', 'o.id', 'w.owner_id')
    .where(maySee(db, caller))
    .$if(id !== undefined, (query) => query.where('w.id', '=', id ?? 0))
    .selectAll('w')
    .select(['o.name as ownerName', 'o.disabled_at', count('waiting'), count('parked')])
    .orderBy('w.name')
    .orderBy('w.id')
    .execute()
  return Promise.all(
    rows.map(async (row): Promise<Webhook> => {
      const isOwn = row.owner_id === caller.id
      const hasPrevious = row.previous_secret_until !== null && row.previous_secret_until > at
      const state = stateOf(row, at)
      return {
        id: String(row.id),
        name: row.name,
        url: isOwn ? (await readSecrets(db, row)).url : null,
        host: row.host,
        format: row.format,
        hasRoutingKey: row.has_routing_key,
        occasions: row.occasions,
        filter: row.filter,
        isOn: row.is_on && row.gone_at === null,
        state,
        pausedUntil: state === 'paused' ? (row.open_until?.toISOString() ?? null) : null,
        waiting: row.waiting,
        parked: row.parked,
        lastSentAt: row.last_sent_at?.toISOString() ?? null,
        previousSecretUntil: hasPrevious ? (row.previous_secret_until?.toISOString() ?? null) : null,
        createdAt: row.created_at.toISOString(),
        isOwn,
        ownerName: row.ownerName ?? NO_NAME,
      }
    }),
  )
}

/** Condition: the caller owns webhook `w`, or is an administrator who manages its owner. */
function maySee(db: Db, caller: Caller): Expression<SqlBool> {
  const isOwn = sql<boolean>`w.owner_id = ${caller.id}`
  if (caller.role !== 'admin') return isOwn
  return sql<boolean>`(${isOwn} OR w.owner_id IN (${managedUsers(db, caller).clearOrderBy().select('u.id')}))`
}

function stateOf(
  row: { is_on: boolean; gone_at: Date | null; open_until: Date | null; disabled_at: Date | null },
  at: Date,
): WebhookState {
  if (row.disabled_at !== null) return 'no-owner'
  if (row.gone_at !== null) return 'gone'
  if (!row.is_on) return 'off'
  return row.open_until !== null && row.open_until > at ? 'paused' : 'on'
}

export async function isOwner(db: Db, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const found = db.selectFrom('webhook').select('id').where('id', '=', id).where('owner_id', '=', userId)
  return (await found.executeTakeFirst()) !== undefined
}

/** Condition: delivery `d` is about nothing, or about something within the scope. */
function isVisible(scope: DataScope): Expression<SqlBool> {
  return sql<boolean>`(d.customer_id IS NULL OR ${inScope(scope, sql.ref('d.customer_id'))})`
}

/** Returns one page of a webhook's deliveries within the scope, newest first. */
export async function readDeliveries(
  db: Db,
  { webhookId, scope, limit, offset }: { webhookId: number; scope: DataScope; limit: number; offset: number },
): Promise<{ values: WebhookDelivery[]; total: number }> {
  const visible = db.selectFrom('webhook_delivery as d').where('d.webhook_id', '=', webhookId).where(isVisible(scope))
  const { total } = await visible.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await visible.selectAll('d').orderBy('d.id', 'desc').limit(limit).offset(offset).execute()
  const values = rows.map((row) => ({
    id: String(row.id),
    messageId: row.message_id,
    occasion: row.occasion,
    eventId: row.event_id === null ? null : String(row.event_id),
    body: row.body,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    nextAt: row.state === 'waiting' ? row.next_at.toISOString() : null,
    attempts: row.attempts,
  }))
  return { values, total }
}

/** Returns true if a webhook has this delivery and the scope includes what it is about. */
export async function hasDelivery(
  db: Db,
  { webhookId, id, scope }: { webhookId: number; id: number; scope: DataScope },
): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_delivery as d')
    .select('d.id')
    .where('d.webhook_id', '=', webhookId)
    .where('d.id', '=', id)
    .where(isVisible(scope))
    .executeTakeFirst()
  return row !== undefined
}

/** The part of an active webhook that decides what is sent: of live messages, those with a number above `afterSeq`. */
export type ActiveWebhook = Awaited<ReturnType<typeof readActiveWebhooks>>[number]

export async function readActiveWebhooks(db: Db) {
  return db
    .selectFrom('webhook')
    .select(['id', 'owner_id as ownerId', 'format', 'occasions', 'filter', 'after_seq as afterSeq'])
    .where('is_on', '=', true)
    .where('gone_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Returns the present version of each event, and the one that closed it. */
export async function readVersions(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { version: number; closedVersion: number | null }>> {
  const rows = await serviceEvents(db, 'all')
    .where(sql<SqlBool>`e.id = ANY(${[...ids]}::bigint[])`)
    .select(['e.id', 'e.version', 'e.closed_version as closedVersion'])
    .execute()
  return new Map(rows.map(({ id, ...versions }) => [id, versions]))
}

/** An instrument with what filters ask about it. */
export interface InstrumentFacts {
  customerId: number
  content: Omit<InstrumentContent, 'orcStatus'>
  facts: EventFacts
}

/** Returns the instruments of these ids with their present customers. */
export async function readInstrumentFacts(db: Db, ids: readonly number[]): Promise<Map<number, InstrumentFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await instruments(db, 'all')
    .innerJoin('customer as k', 'k.id', 'i.customer_id')
    .innerJoin('site as s', 's.id', 'i.site_id')
    .leftJoin('contract as c', (join) =>
      join.onRef('c.id', '=', 'i.contract_id').onRef('c.customer_id', '=', 'i.customer_id'),
    )
    .where(sql<SqlBool>`i.id = ANY(${[...ids]}::int[])`)
    .select([
      'i.id',
      'i.customer_id',
      'i.installed_product_id',
      'i.product_description',
      'i.system_name',
      'i.type',
      'i.status',
      'i.qualified_system',
      'k.name as customer',
      's.city',
      's.country',
      's.region',
      'c.sla_term',
    ])
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        customerId: row.customer_id,
        content: {
          id: String(row.id),
          instrumentInstalledProductId: row.installed_product_id,
          instrumentProductDescription: row.product_description,
          instrumentDefinedSystemName: row.system_name,
          instrumentType: row.type,
          instrumentStatus: row.status,
          qualifiedSystem: row.qualified_system,
          enterpriseName: row.customer,
          siteCity: row.city,
          siteCountry: row.country,
          siteRegion: row.region,
        },
        facts: {
          // Instruments have none of these, and filters do not ask.
          alertType: null,
          severity: null,
          componentName: null,
          customer: row.customer,
          instrumentType: row.type,
          region: row.region,
          country: row.country,
          siteCity: row.city,
          instrumentStatus: row.status,
          contractSLA: row.sla_term,
          qualifiedSystem: row.qualified_system === null ? null : String(row.qualified_system),
        },
      },
    ]),
  )
}

/** Returns the last ORC status up to a time with which an instrument was lost. */
export async function readLostStatus(
  db: Db,
  { instrumentId, at }: { instrumentId: number; at: Date },
): Promise<OrcStatus | undefined> {
  const row = await instruments(db, 'all')
    .innerJoin('orc_status_history as o', 'o.instrument_id', 'i.id')
    .where('i.id', '=', instrumentId)
    .where('o.at', '<=', at)
    .where('o.orc_status', 'in', ['Edge Issue', 'Disconnected'])
    .orderBy('o.at', 'desc')
    .select('o.orc_status')
    .limit(1)
    .executeTakeFirst()
  return row?.orc_status
}
