import type { EventLocation, EventTotals } from '@benchwatch/contract/service-events'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { intArray } from '../../db/int-array.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { PlaceCount } from './column-search.ts'
import type { ColumnStore } from './column-store.ts'
import { atPositions } from './event-positions.ts'
import { type EventSelection, matches } from './filters.ts'
import { type EventSearch, resolveSelection } from './selection.queries.ts'
import { readTotals } from './totals.queries.ts'

interface Wanted {
  search: EventSearch
  scope: DataScope
  now: Date
}

interface Locations {
  values: EventLocation[]
  total: EventTotals & { eventsWithoutPosition: number }
}

/** Where the events of a search are, one value a position, with the list's own totals; both of one moment. */
export async function listEventLocations(
  { db, columns }: { db: Db; columns: ColumnStore },
  { search, scope, now }: Wanted,
): Promise<Locations> {
  return inTransaction(
    db,
    async (trx) => {
      const view = columns.view()
      const selection = await resolveSelection(trx, { search, scope, now })
      const found = await view.search(trx, { selection, page: null })
      const places = found?.places ?? (await readPlaces(trx, selection))
      const totals = found?.totals ?? (await readTotals(trx, selection))
      const ground = { sites: await view.sites(trx), customers: await namesOf(trx, places) }
      const { values, eventsWithoutPosition } = atPositions(places, ground)
      return { values, total: { ...totals, eventsWithoutPosition } }
    },
    { isSnapshot: true },
  )
}

async function readPlaces(db: Db, selection: EventSelection): Promise<PlaceCount[]> {
  const countOf = (severity: number) => sql<number>`count(*) FILTER (WHERE e.severity = ${sql.lit(severity)})`
  const rows = await serviceEvents(db, selection.scope)
    .where(matches(selection))
    .groupBy(['e.customer_id', 'e.site_id'])
    .select(['e.customer_id', 'e.site_id', countOf(1).as('low'), countOf(2).as('medium'), countOf(3).as('high')])
    .execute()
  return rows.map(({ customer_id, site_id, low, medium, high }) => ({
    customerId: customer_id,
    siteId: site_id,
    bySeverity: [low, medium, high],
  }))
}

async function namesOf(db: Db, places: readonly PlaceCount[]): Promise<Map<number, string>> {
  const ids = [...new Set(places.map(({ customerId }) => customerId))]
  const rows = await db
    .selectFrom('customer')
    .where(sql<boolean>`id = ANY(${intArray(ids)})`)
    .select(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
