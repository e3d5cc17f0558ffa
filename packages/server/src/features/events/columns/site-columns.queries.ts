import { sql } from 'kysely'
import type { Trx } from '../../../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../../../db/queues/queue-position.ts'
import { type CitySites, SiteColumns } from './site-columns.ts'

interface Known {
  columns: SiteColumns
  snapshotXid: SnapshotXid
}

/**
 * The sites of this process, read anew by the first who asks after one of them changed: that is seldom, and all of them
 * (100,000 take some 300 ms) are read faster than a few are put in.
 */
export class SiteStore {
  #known: Known | undefined

  /**
   * To be called before the first statement of the transaction that will ask what it returns: all sites as that
   * transaction, which must be REPEATABLE READ, sees them.
   */
  view(): (trx: Trx) => Promise<SiteColumns> {
    // What is known now holds just what every transaction below its horizon did, and the transaction sees all of these.
    const known = this.#known
    return async (trx) => {
      if (known && !(await hasChangedSites(trx, known.snapshotXid))) return known.columns
      const columns = await readSites(trx)
      this.#known = { columns, snapshotXid: await readSnapshotXid(trx) }
      return columns
    }
  }
}

/** True if a site changed in a transaction from `snapshotXid` on, as `trx` sees it. */
async function hasChangedSites(trx: Trx, snapshotXid: SnapshotXid): Promise<boolean> {
  const newest = await trx
    .selectFrom('site')
    // Half of it lets the partial index be used. What a dump brought from another server lies in the future of this one.
    .where(sql<boolean>`changed_in > '0' AND changed_in < pg_snapshot_xmax(pg_current_snapshot())`)
    .orderBy('changed_in', 'desc')
    .limit(1)
    .select(sql<boolean>`changed_in >= ${snapshotXid}::xid8`.as('isNew'))
    .executeTakeFirst()
  return newest?.isNew ?? false
}

async function readSites(trx: Trx): Promise<SiteColumns> {
  // One row for each city, with its sites as a text of numbers: 100,000 rows keep the driver busy twice as long.
  const cities: CitySites[] = await trx
    .selectFrom('site')
    .where('latitude', 'is not', null)
    .groupBy(['country', 'city'])
    .select(['country', 'city', sql<string>`string_agg(id || ',' || latitude || ',' || longitude, ',')`.as('sites')])
    .execute()
  // Counted first: an array for each of 100,000 addresses is 1 kB, which goes to the disk.
  const shared = trx.selectFrom('site').groupBy('location_key').having(sql<boolean>`count(*) > 1`)
  const sharing = await trx
    .selectFrom('site')
    .where('location_key', 'in', shared.select('location_key'))
    .groupBy('location_key')
    .select(sql<number[]>`array_agg(id)`.as('ids'))
    .execute()
  return new SiteColumns(
    cities,
    sharing.map(({ ids }) => ids),
  )
}
