import type {
  ConnectedGateway,
  getConnectedGateway,
  MissingTemplate,
  ParkedReason,
} from '@benchwatch/contract/administration/administration'
import type { RouteTypes } from '@benchwatch/contract/route'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope, serviceEvents } from '../../db/scoped.ts'
import { severityOf } from '../../db/sql/severity.ts'
import { holdsWords } from '../../db/sql/words.ts'

const DAY_MS = 86_400_000
/** Template ids are looked for in the events of this time. */
const LOOKED_BACK_DAYS = 30
const MOST_TEMPLATES = 50
const MOST_REASONS = 50

/** Returns a page of the gateways in scope by name. All words of the keyword must occur in name, site or customer. */
export async function listConnectedGateways(
  db: Db,
  { scope, keyword, limit, offset }: { scope: DataScope; keyword?: string | undefined; limit: number; offset: number },
): Promise<{ values: ConnectedGateway[]; total: number }> {
  const all = await gateways(db, scope)
    .select(['g.id', 'g.name', 's.key as site', 'k.name as customer', 'g.location'])
    .orderBy('g.name')
    .execute()
  const matches = holdsWords(keyword ?? '')
  const found = keyword
    ? all.filter(({ name, site, customer, location }) => matches(`${name} ${site} ${customer} ${location ?? ''}`))
    : all
  const rows = await readRows(db, { scope, ids: found.slice(offset, offset + limit).map(({ id }) => id) })
  const values = rows.map(({ links, ...row }) => ({
    ...headOf(row),
    sources: links.length,
    sourcesDown: links.filter(({ state }) => state === 'down').length,
    unmatched: links.reduce((sum, { unmatched }) => sum + unmatched, 0),
  }))
  return { values, total: found.length }
}

/** Returns one gateway with its sources; undefined if there is none of this name in scope. */
export async function findConnectedGateway(
  db: Db,
  { name, scope, now }: { name: string; scope: DataScope; now: Date },
): Promise<RouteTypes<typeof getConnectedGateway>['answer'] | undefined> {
  const found = await gateways(db, scope).where('g.name', '=', name).select('g.id').executeTakeFirst()
  const [row] = found ? await readRows(db, { scope, ids: [found.id] }) : []
  if (!row) return undefined
  const { links, sources } = row
  return {
    ...headOf(row),
    sources: links.map((link) => {
      const details = sources.find((source) => source.name === link.name)
      return {
        ...link,
        items: details?.items ?? null,
        lastItemAt: details?.lastItemAt ?? null,
        unmatchedNames: details?.unmatchedNames ?? [],
      }
    }),
    parked: await readParkedReasons(db, row.id),
    missingTemplates: await readMissingTemplates(db, { gatewayId: row.id, scope, now }),
  }
}

function gateways(db: Db, scope: DataScope) {
  return db
    .selectFrom('gateway as g')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .innerJoin('customer as k', 'k.id', 's.customer_id')
    .where(inScope(scope, sql.ref('s.customer_id')))
}

async function readRows(db: Db, { scope, ids }: { scope: DataScope; ids: readonly number[] }) {
  if (ids.length === 0) return []
  return gateways(db, scope)
    .where('g.id', 'in', [...ids])
    .select(['g.id', 'g.name', 's.key as site', 'k.name as customer', 'g.location', 'g.last_seen_at as lastContactAt'])
    .select(['g.version', 'g.backlog', 'g.links', 'g.sources'])
    .orderBy('g.name')
    .execute()
}

type Head = Omit<Awaited<ReturnType<typeof readRows>>[number], 'id' | 'links' | 'sources'>

function headOf({ name, site, customer, location, lastContactAt, version, backlog }: Head) {
  return { name, site, customer, location, lastContactAt: lastContactAt?.toISOString() ?? null, version, backlog }
}

async function readParkedReasons(db: Db, gatewayId: number): Promise<ParkedReason[]> {
  const rows = await db
    .selectFrom('parked_item')
    .where('gateway_id', '=', gatewayId)
    .where('resolved_at', 'is', null)
    .groupBy(['code', 'reason'])
    .select(['code', 'reason'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('received_at').as('lastAt')])
    .orderBy('lastAt', 'desc')
    .orderBy('reason')
    .limit(MOST_REASONS)
    .execute()
  return rows.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() }))
}

/** Returns the template ids of recent events that are not registered for the type of their instrument, the last first. */
async function readMissingTemplates(
  db: Db,
  { gatewayId, scope, now }: { gatewayId: number; scope: DataScope; now: Date },
): Promise<MissingTemplate[]> {
  const rows = await serviceEvents(db, scope)
    .innerJoin('instrument as i', 'i.id', 'e.instrument_id')
    .where('i.gateway_id', '=', gatewayId)
    .where('i.deleted_at', 'is', null)
    .where('e.created_at', '>', new Date(now.getTime() - LOOKED_BACK_DAYS * DAY_MS))
    .where('e.alert_source', '=', 'INSTRUMENT')
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT 1 FROM event_template t WHERE t.instrument_type = i.type AND t.template_id = e.template_id)`,
    )
    .groupBy(['i.type', 'e.template_id'])
    .select(['i.type as instrumentType', 'e.template_id as templateId'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('e.created_at').as('lastAt')])
    .select([
      sql<number>`(array_agg(e.severity ORDER BY e.id DESC))[1]`.as('severity'),
      sql<string>`(array_agg(e.description ORDER BY e.id DESC))[1]`.as('description'),
    ])
    .orderBy('lastAt', 'desc')
    .orderBy('templateId')
    .limit(MOST_TEMPLATES)
    .execute()
  return rows.map(({ lastAt, severity, ...row }) => ({
    ...row,
    lastAt: lastAt.toISOString(),
    severity: severityOf(severity),
  }))
}
