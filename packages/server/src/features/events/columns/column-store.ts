import { setTimeout as pause } from 'node:timers/promises'
import type { EventTotals } from '@benchwatch/contract/events'
import type { DatabaseHandle, Trx } from '../../../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../../../db/queues/queue-position.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Log } from '../../../platform/log.ts'
import { forgetForeignChanges } from '../events.store.ts'
import type { Page } from '../search/event-sort.queries.ts'
import type { EventSelection } from '../search/filters.ts'
import { readValueRanks } from '../search/value-ranks.queries.ts'
import { countEvents, readAllEvents, readChangedEvents, readDeletedEvents } from './column-rows.queries.ts'
import { type ColumnFindings, type PlaceCount, searchColumns } from './column-search.ts'
import { EventColumns } from './event-columns.ts'
import { SiteStore } from './site-columns.queries.ts'
import type { SiteColumns } from './site-columns.ts'

/** Below this a scan in the database is fast enough (30 ms), and the memory is better left alone. */
const WORTH_FROM = 200_000
/** How often changes are taken over; until then each search adds them by itself. */
const ADVANCE_MS = 1000
/** How often a database that is still small is looked at again. */
const GROWN_MS = 60_000

/** More changes since the columns were brought up to date are not worth adding to each search. */
const MOST_CHANGES = 20_000
/** More of them are not taken over one by one; reading all events anew is faster. */
const MOST_NEWS = 200_000

export interface ColumnAnswer {
  totals: EventTotals
  places: PlaceCount[]
  /** Null when no page was asked for, or one in an order that the columns don't know. */
  ids: number[] | null
}

interface Loaded {
  columns: EventColumns
  snapshotXid: SnapshotXid
  /** Grows with each advance. */
  age: number
}

/**
 * The columns of this process, kept up to date from the database (docs/decisions/0011). Exact in the snapshot of whoever
 * searches: the columns hold just what every transaction below their horizon did, and a search reads the events that
 * changed since, in its own transaction, puts them in, searches, and takes them out again, all in one go.
 */
export class ColumnStore {
  #loaded: Loaded | undefined
  readonly #sites = new SiteStore()
  readonly #database: Pick<DatabaseHandle, 'db' | 'dedicatedClient'>

  constructor(database: Pick<DatabaseHandle, 'db' | 'dedicatedClient'>) {
    this.#database = database
  }

  /** True if events are held in memory; sites are loaded on first use. */
  get isLoaded(): boolean {
    return this.#loaded !== undefined
  }

  /** To be called before the first statement of the transaction that will search. */
  view(): ColumnView {
    return new ColumnView(this.#loaded, this.#sites.view())
  }

  async load(): Promise<void> {
    await forgetForeignChanges(this.#database.db)
    const client = await this.#database.dedicatedClient()
    try {
      const columns = new EventColumns()
      const snapshotXid = await readAllEvents(client, (event) => columns.put(event))
      this.#loaded = { columns, snapshotXid, age: 0 }
    } finally {
      await client.end()
    }
  }

  /** Takes over what changed. */
  async advance(): Promise<void> {
    const loaded = this.#loaded
    if (!loaded) return
    const readSites = this.#sites.view()
    const news = await inTransaction(
      this.#database.db,
      async (trx) => {
        // So that nobody who searches has to wait for sites that changed.
        await readSites(trx)
        return {
          snapshotXid: await readSnapshotXid(trx),
          events: await readChangedEvents(trx, { snapshotXid: loaded.snapshotXid, most: MOST_NEWS }),
          deleted: await readDeletedEvents(trx, { snapshotXid: loaded.snapshotXid, most: MOST_NEWS }),
        }
      },
      { isSnapshot: true },
    )
    if (news.events === undefined || news.deleted === undefined) {
      // A long transaction that writes holds the horizon back; reading everything anew would be as old.
      if (BigInt(news.snapshotXid) > BigInt(loaded.snapshotXid)) await this.load()
      return
    }
    if (news.events.length + news.deleted.length > 0) loaded.age += 1
    for (const event of news.events) loaded.columns.put(event)
    for (const id of news.deleted) loaded.columns.remove(id)
    loaded.snapshotXid = news.snapshotXid
  }
}

/** The columns as they were when a transaction began. */
export class ColumnView {
  readonly #loaded: Loaded | undefined
  readonly #age: number | undefined
  readonly #readSites: (trx: Trx) => Promise<SiteColumns>

  constructor(loaded: Loaded | undefined, readSites: (trx: Trx) => Promise<SiteColumns>) {
    this.#loaded = loaded
    this.#age = loaded?.age
    this.#readSites = readSites
  }

  /** All sites as `trx` sees them, which must be REPEATABLE READ. */
  sites(trx: Trx): Promise<SiteColumns> {
    return this.#readSites(trx)
  }

  /**
   * The totals of a selection and, where a page is wanted, its ids, in the snapshot of `trx`, which must be REPEATABLE
   * READ. Undefined while nothing is loaded, where the selection asks for texts that found no room, or too much has changed.
   * Throws a serialization failure, which `inTransaction` repeats, when the columns have moved on meanwhile: about one
   * search in a hundred.
   */
  async search(
    trx: Trx,
    { selection, page }: { selection: EventSelection; page: Page | null },
  ): Promise<ColumnAnswer | undefined> {
    if (this.#loaded === undefined) return undefined
    const { columns, snapshotXid } = this.#loaded
    const ranks = page ? await readValueRanks(trx, page.orderBy) : []
    const sites = await this.sites(trx)
    const changes = await readChangedEvents(trx, { snapshotXid, most: MOST_CHANGES })
    const deleted = await readDeletedEvents(trx, { snapshotXid, most: MOST_CHANGES })
    if (!changes || !deleted) return undefined
    if (this.#loaded.age !== this.#age) throw new MovedOn()
    const undo: (() => void)[] = []
    let found: ColumnFindings | undefined
    try {
      for (const event of changes) undo.push(columns.put(event))
      for (const id of deleted) undo.push(columns.remove(id))
      found = searchColumns(columns, { selection, page: page && { ...page, ranks } })
    } finally {
      for (const back of undo.reverse()) back()
    }
    if (!found) return undefined
    const { places, ids, ...counted } = found
    return {
      totals: {
        ...counted,
        customers: new Set(places.map(({ customerId }) => customerId)).size,
        locations: sites.countLocations(places),
      },
      places,
      ids,
    }
  }
}

/** The code is PostgreSQL's for a transaction that should begin anew. */
class MovedOn extends Error {
  readonly code = '40001'
}

/** Loads the columns as soon as there are enough events, and keeps them up to date, until stopped. */
export function startColumnStore(
  database: Pick<DatabaseHandle, 'db' | 'dedicatedClient'>,
  log: Log,
): { columns: ColumnStore; stop(): Promise<void> } {
  const columns = new ColumnStore(database)
  const stopping = new AbortController()
  const { signal } = stopping
  const keep = async () => {
    while (!signal.aborted) {
      try {
        if (columns.isLoaded) await columns.advance()
        else if ((await countEvents(database.db)) >= WORTH_FROM) {
          const started = performance.now()
          await columns.load()
          log.info(
            { seconds: Math.round((performance.now() - started) / 100) / 10 },
            'events stand in memory as columns',
          )
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the columns in memory could not be brought up to date')
      }
      await pause(columns.isLoaded ? ADVANCE_MS : GROWN_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const finished = keep()
  return {
    columns,
    async stop() {
      stopping.abort()
      await finished
    },
  }
}
