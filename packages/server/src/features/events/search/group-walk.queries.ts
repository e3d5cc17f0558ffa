import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { inScope, instruments, serviceEvents } from '../../../db/scoped.ts'
import { asPeopleRead } from '../../../db/sql/text-order.ts'
import { NO_NAME } from '../../users/users.lookup.ts'
import type { Page } from './event-sort.queries.ts'
import { type EventSelection, matches } from './filters.ts'

/**
 * Pages of an unfiltered list that is sorted by a column with few values: severity, customer, instrument, owner. A
 * plain join would sort all events (1.2 s per million). Here the values are sorted first, in their small table, and
 * events are read value by value, in order of ids, until the page is full.
 */

/** Events with one value of the sort column: those whose column holds one of the keys. */
interface Group {
  column: KeyColumn
  /** Null: the events without a value. */
  keys: readonly number[] | null
}

type KeyColumn =
  | 'severity'
  | 'alert_status'
  | 'claimed_by'
  | 'customer_id'
  | 'site_id'
  | 'instrument_id'
  | 'gateway_id'
  /** Unique per event: one group of all events that have a value, in order of the value. */
  | 'automatic_email_sent_at'

interface GroupWalkInput {
  selection: EventSelection
  page: Page
}

/** Returns the groups in order of their values; null if that requires reading events. */
export async function sortGroups(db: Db, { selection, page }: GroupWalkInput): Promise<Group[] | null> {
  const { scope } = selection
  const ordered = (groups: Group[]) => (page.order === 'ASC' ? groups : groups.reverse())
  const missing = (column: KeyColumn): Group => ({ column, keys: null })
  const sortedBy = async (values: RawBuilder<unknown>, others: Group[] = []) => {
    const { rows } = await sql<Group>`
      SELECT key_column AS "column", array_agg(id) AS keys FROM (${values}) AS v
      GROUP BY key_column, value ORDER BY value ${asPeopleRead}`.execute(db)
    return ordered([...rows, ...others])
  }
  const ofInstruments = (value: string) =>
    sql`${instruments(db, 'all').select([sql`'instrument_id'`.as('key_column'), 'i.id', sql.ref<string>(value).as('value')])}`
  switch (page.orderBy) {
    case 'severity':
      return ordered([1, 2, 3].map((severity) => ({ column: 'severity', keys: [severity] })))
    case 'alertStatus':
      return ordered([1, 2, 3].map((status) => ({ column: 'alert_status', keys: [status] })))
    case 'automaticEmailSentAt':
      return ordered([{ column: 'automatic_email_sent_at', keys: [] }, missing('automatic_email_sent_at')])
    case 'enterpriseName':
      return sortedBy(
        sql`SELECT 'customer_id' AS key_column, id, name AS value FROM customer WHERE ${inScope(scope, sql.ref('id'))}`,
      )
    case 'siteCity':
      return sortedBy(
        sql`SELECT 'site_id' AS key_column, id, city AS value FROM site WHERE ${inScope(scope, sql.ref('customer_id'))}`,
      )
    case 'claimedBy':
      return sortedBy(
        sql`SELECT 'claimed_by' AS key_column, id, coalesce(name, ${NO_NAME}::text) AS value FROM app_user`,
        [missing('claimed_by')],
      )
    case 'instrumentProductDescription':
      return sortedBy(ofInstruments('i.product_description'), [missing('instrument_id')])
    case 'instrumentInstalledProductId':
      return sortedBy(sql`${ofInstruments('i.installed_product_id')}
        UNION ALL SELECT 'gateway_id', id, installed_product_id FROM gateway`)
    case 'instrumentStatus':
      if (await someInstrumentMoved(db)) return null
      return sortedBy(ofInstruments('i.status'), [missing('instrument_id')])
    default:
      return null
  }
}

/**
 * True if any event belongs to a former customer of its instrument; the current status is hidden from that customer.
 */
async function someInstrumentMoved(db: Db): Promise<boolean> {
  const now = instruments(db, 'all').select('i.id').limit(1)
  const found = await Promise.all([
    now
      .innerJoin('event_seen as s', 's.instrument_id', 'i.id')
      .whereRef('s.customer_id', '<>', 'i.customer_id')
      .execute(),
    now
      .innerJoin('event_delta as d', 'd.instrument_id', 'i.id')
      .whereRef('d.customer_id', '<>', 'i.customer_id')
      .execute(),
  ])
  return found.some((rows) => rows.length > 0)
}

/**
 * Number of keys whose groups are read together: few at first, because a group may be large, then more, so that many
 * small or empty groups take few statements.
 */
const FIRST_KEYS = 4
const GROWTH = 4

/** Returns the ids of a page, group by group. The caller's transaction keeps all statements in one snapshot. */
export async function walkGroups(
  db: Db,
  { selection, page, groups }: GroupWalkInput & { groups: readonly Group[] },
): Promise<number[]> {
  const ids: number[] = []
  let offset = page.offset
  let keys = FIRST_KEYS
  for (let next = 0; next < groups.length && ids.length < page.limit; ) {
    const batch = batchFrom(groups, { next, keys })
    const rows = await idsOfBatch(db, { selection, batch, page: { ...page, offset, limit: page.limit - ids.length } })
    ids.push(...rows.map(({ id }) => id))
    if (rows.length > 0) offset = 0
    else if (offset > 0) {
      const { passed } = await ofBatch(db, { selection, batch })
        .select(sql<number>`count(*)`.as('passed'))
        .executeTakeFirstOrThrow()
      offset -= passed
    }
    next += batch.length
    keys = groups[next]?.column === batch[0]?.column ? keys * GROWTH : FIRST_KEYS
  }
  return ids
}

/**
 * Returns the next groups of one column with up to this many keys: at least one group; a group without keys stands
 * alone.
 */
function batchFrom(groups: readonly Group[], { next, keys }: { next: number; keys: number }): Group[] {
  const batch = groups.slice(next, next + 1)
  const [first] = batch
  let left = keys - (first?.keys?.length ?? keys)
  for (const group of groups.slice(next + 1)) {
    left -= group.keys?.length ?? 0
    // Severities and statuses are large groups with one key each.
    const isOwn = group.keys === null || group.column === 'severity' || group.column === 'alert_status'
    if (left < 0 || isOwn || first?.keys === null || group.column !== first?.column) break
    batch.push(group)
  }
  return batch
}

interface Batched {
  selection: EventSelection
  batch: readonly Group[]
}

function ofBatch(db: Db, { selection, batch }: Batched) {
  const column = batch[0]?.column ?? 'severity'
  const value = sql.ref(`e.${column}`)
  const events = serviceEvents(db, selection.scope).where(matches(selection))
  const described = column === 'gateway_id' ? events.where('e.is_edge_issue', '=', true) : events
  if (batch[0]?.keys === null) return described.where(sql<SqlBool>`${value} IS NULL`)
  if (column === 'automatic_email_sent_at') return described.where(sql<SqlBool>`${value} IS NOT NULL`)
  const keys = batch.flatMap((group) => group.keys ?? [])
  return described.where(sql<SqlBool>`${value} = ANY(${keys}::int[])`)
}

function idsOfBatch(db: Db, { selection, batch, page }: Batched & { page: Page }): Promise<{ id: number }[]> {
  const direction = page.order === 'ASC' ? 'asc' : 'desc'
  const column = batch[0]?.column ?? 'severity'
  const events = ofBatch(db, { selection, batch }).select('e.id').limit(page.limit).offset(page.offset)
  if (batch.length === 1) {
    const hasOwnOrder = column === 'automatic_email_sent_at' && batch[0]?.keys
    const own = hasOwnOrder ? events.orderBy('e.automatic_email_sent_at', direction) : events
    return own.orderBy('e.id', direction).execute()
  }
  const keys = batch.flatMap((group) => group.keys ?? [])
  const positions = batch.flatMap((group, position) => (group.keys ?? []).map(() => position))
  const groupOf = sql<{ key: number; position: number }>`unnest(${keys}::int[], ${positions}::int[])`
  return events
    .innerJoin(groupOf.as<'k'>(sql`k(key, position)`), (join) =>
      join.on(sql<SqlBool>`k.key = ${sql.ref(`e.${column}`)}`),
    )
    .orderBy('k.position')
    .orderBy('e.id', direction)
    .execute()
}
