import type { Calendar } from '@benchwatch/contract/instruments/calendars'
import type { CalendarContent } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope, UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope, instruments, reportedSince } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type InstrumentSearch, resolveInstrumentSearch } from '../instruments/selection.queries.ts'

/** Returns the caller's links, newest first; only one if an id is given. Names only customers that the caller sees. */
export async function listCalendars(db: Db, caller: Pick<UserActor, 'id' | 'scope'>, id?: number): Promise<Calendar[]> {
  const own = db
    .selectFrom('calendar as f')
    .where('f.user_id', '=', caller.id)
    .select(['f.id', 'f.name', 'f.contents', 'f.customer_ids', 'f.view', 'f.created_at', 'f.last_used_at'])
    .select(
      sql<string[]>`ARRAY(
        SELECT c.name FROM customer c WHERE c.id = ANY(f.customer_ids) AND ${inScope(caller.scope, sql.ref('c.id'))}
        ORDER BY c.name_folded, c.id)`.as('customers'),
    )
    .orderBy('f.id', 'desc')
  const rows = await (id === undefined ? own : own.where('f.id', '=', id)).execute()
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    contents: row.contents,
    customers: row.customer_ids === null ? null : row.customers,
    viewName: row.view?.name ?? null,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}

const DAY_MS = 86_400_000
/** Entries that ended longer ago are left out. */
const PAST_DAYS = 31

interface InstrumentFacts {
  instrumentId: number
  systemName: string | null
  productDescription: string
  installedProductId: string
  customer: string
  city: string | null
  building: string | null
  room: string | null
}

/** An entry of a calendar; `at` is its beginning in milliseconds. Days are YYYY-MM-DD and have no time zone. */
export type CalendarEntry = { at: number; revision: number } & (
  | ({
      kind: 'maintenance'
      maintenanceId: number
      start: Date
      end: Date | null
      reason: string | null
      isRecurring: boolean
    } & InstrumentFacts)
  | ({ kind: 'service'; day: string } & InstrumentFacts)
  | { kind: 'contract'; contractId: number; day: string; type: string | null; customer: string; instruments: string[] }
)

interface Asked {
  scope: DataScope
  now: Date
  limit: number
}

/** Returns the first `limit` entries of all kinds together, and whether there are more. All are of one moment. */
export async function readEntries(
  db: Db,
  { contents, search, ...asked }: Asked & { contents: readonly CalendarContent[]; search: InstrumentSearch },
): Promise<{ entries: CalendarEntry[]; hasMore: boolean }> {
  const { limit } = asked
  return inTransaction(
    db,
    async (trx) => {
      const found = instruments(trx, asked.scope).where(await resolveInstrumentSearch(trx, { search, ...asked }))
      const entries: CalendarEntry[] = []
      // One more of each kind than fits shows whether there are more.
      for (const kind of contents) entries.push(...(await readers[kind](found, { ...asked, limit: limit + 1 })))
      entries.sort((one, other) => one.at - other.at)
      return { entries: entries.slice(0, limit), hasMore: entries.length > limit }
    },
    { isSnapshot: true },
  )
}

/** The query for the instruments of the calendar. */
type Found = ReturnType<typeof instruments>

const readers: Record<CalendarContent, (found: Found, asked: Asked) => Promise<CalendarEntry[]>> = {
  maintenance: readMaintenance,
  service: readServices,
  contract: readContractEnds,
}

async function readMaintenance(found: Found, { scope, now, limit }: Asked): Promise<CalendarEntry[]> {
  const rows = await selected(found)
    .innerJoin('maintenance_window as w', 'w.instrument_id', 'i.id')
    .innerJoin('maintenance as m', 'm.id', 'w.maintenance_id')
    .where((eb) => eb.or([eb('w.end_at', 'is', null), eb('w.end_at', '>', firstInstant(now))]))
    // Reasons of a former customer stay with the former customer.
    .where(reportedSince(scope, sql.ref('w.start_at')))
    .select(['m.id as maintenanceId', 'w.start_at as start', 'w.end_at as end', 'm.reason'])
    .select(['w.date_revision as revision', sql<boolean>`m.rrule IS NOT NULL`.as('isRecurring')])
    .orderBy('w.start_at')
    .orderBy('m.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ kind: 'maintenance', at: row.start.getTime(), ...row }))
}

async function readServices(found: Found, { now, limit }: Asked): Promise<CalendarEntry[]> {
  const rows = await selected(found)
    .where('i.next_service', '>=', firstDay(now))
    .select(['i.date_revision as revision', sql<string>`i.next_service`.as('day')])
    .orderBy('i.next_service')
    .orderBy('i.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ kind: 'service', at: Date.parse(row.day), ...row }))
}

/** Instruments named with a contract; a longer list is of no use in a calendar. */
const MOST_NAMES = 20

/** A contract belongs to the calendar if it covers one of the selected instruments, of which it names the first. */
async function readContractEnds(found: Found, { scope, now, limit }: Asked): Promise<CalendarEntry[]> {
  const rows = await found
    .innerJoin('contract as k', 'k.id', 'i.contract_id')
    .innerJoin('customer as c', 'c.id', 'k.customer_id')
    .where(inScope(scope, sql.ref('k.customer_id')))
    .where('k.end_date', '>=', firstDay(now))
    .groupBy(['k.id', 'c.id'])
    .select(['k.id as contractId', 'k.type', 'c.name as customer', 'k.date_revision as revision'])
    .select(sql<string>`k.end_date`.as('day'))
    .select(
      sql<
        string[]
      >`(array_agg(i.installed_product_id ORDER BY i.installed_product_id))[:${sql.lit(MOST_NAMES + 1)}]`.as('names'),
    )
    .orderBy('k.end_date')
    .orderBy('k.id')
    .limit(limit)
    .execute()
  return rows.map(({ names, ...row }) => ({
    kind: 'contract',
    at: Date.parse(row.day),
    ...row,
    instruments: names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), '…'] : names,
  }))
}

function selected(found: Found) {
  return found
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .innerJoin('site as s', 's.id', 'i.site_id')
    .select(['i.id as instrumentId', 'i.system_name as systemName', 'i.product_description as productDescription'])
    .select(['i.installed_product_id as installedProductId', 'c.name as customer', 's.city', 'i.building', 'i.room'])
}

function firstInstant(now: Date): Date {
  return new Date(now.getTime() - PAST_DAYS * DAY_MS)
}

function firstDay(now: Date): string {
  return firstInstant(now).toISOString().slice(0, 10)
}
