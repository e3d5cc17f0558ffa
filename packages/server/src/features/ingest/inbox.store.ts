import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import type { KnownIds } from './read-items.ts'

/** An instrument that items refer to, locked for the transaction. */
export interface LockedInstrument {
  id: number
  installedProductId: string
  type: string
  gatewayId: number | null
  customerId: number
  siteId: number
  status: InstrumentStatus
  orcStatus: OrcStatus
  isConnected: boolean
  /**
   * When its customer got it, or when its gateway first reported: that one has had the same customer since, whatever the
   * registry said. -Infinity, which reads as a number, if there was no other customer since its registration.
   */
  customerSince: Date | number
  /** True once a status has named a run. */
  hasRuns: boolean
}

/**
 * True if the instrument may have had another customer when the item was sent. Compares the gateway's clock with the move,
 * because that of an instrument may be wrong.
 */
export function isOfFormer({ item, instrument }: { item: { time: Date }; instrument: LockedInstrument }): boolean {
  return instrument.customerSince instanceof Date && item.time < instrument.customerSince
}

/** A gateway's `last_seen_at` is written at most this often, because each write is a new row version. */
const SEEN_EVERY_MS = 5000

/**
 * Locks the gateways in order of ids, so batches of one gateway are stored one after the other and two groups can't
 * deadlock. Updates `last_seen_at` of the gateways that sent something.
 */
export async function lockGateways(
  trx: Trx,
  { ids, seenIds, now }: { ids: readonly number[]; seenIds: ReadonlySet<number>; now: Date },
): Promise<void> {
  const { rows } = await sql<{ id: number; last_seen_at: Date | null }>`
    SELECT id, last_seen_at FROM gateway WHERE id = ANY(${[...ids]}::int[]) ORDER BY id FOR NO KEY UPDATE`.execute(trx)
  // A time ahead of a clock that was set back is also replaced: until it passed, a lost gateway would not be noticed.
  const unseen = rows.filter(
    ({ id, last_seen_at }) =>
      seenIds.has(id) && (last_seen_at === null || Math.abs(now.getTime() - last_seen_at.getTime()) > SEEN_EVERY_MS),
  )
  if (unseen.length === 0) return
  const unseenIds = unseen.map(({ id }) => id)
  await sql`UPDATE gateway SET last_seen_at = ${now}, first_seen_at = coalesce(first_seen_at, ${now}) WHERE id = ANY(${unseenIds}::int[])`.execute(
    trx,
  )
}

/** An epoch of a gateway's outbox. */
export interface Epoch {
  gatewayId: number
  epoch: string
}

export function epochName({ gatewayId, epoch }: Epoch): string {
  return `${gatewayId} ${epoch}`
}

/** Returns the number of each epoch by `epochName`; a new epoch follows all known ones. The gateways must be locked. */
export async function numberEpochs(
  trx: Trx,
  epochs: readonly Epoch[],
  knownIds: KnownIds,
): Promise<Map<string, number>> {
  const byName = new Map(epochs.map((epoch) => [epochName(epoch), epoch]))
  const known = await knownIds.find([...byName.keys()], (names) =>
    readOrdinals(
      trx,
      names.flatMap((name) => byName.get(name) ?? []),
    ),
  )
  const unknown = epochs.filter((epoch) => !known.has(epochName(epoch)))
  if (unknown.length === 0) return known
  await sql`
    INSERT INTO gateway_epoch (gateway_id, epoch, ordinal)
    SELECT n.gateway_id, n.epoch,
      coalesce((SELECT max(o.ordinal) FROM gateway_epoch o WHERE o.gateway_id = n.gateway_id), 0)
        + row_number() OVER (PARTITION BY n.gateway_id ORDER BY n.position)
    FROM unnest(${unknown.map(({ gatewayId }) => gatewayId)}::int[], ${unknown.map(({ epoch }) => epoch)}::text[])
      WITH ORDINALITY AS n (gateway_id, epoch, position)`.execute(trx)
  return readOrdinals(trx, epochs)
}

async function readOrdinals(trx: Trx, epochs: readonly Epoch[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ gateway_id: number; epoch: string; ordinal: number }>`
    SELECT e.gateway_id, e.epoch, e.ordinal FROM gateway_epoch e
    JOIN unnest(${epochs.map(({ gatewayId }) => gatewayId)}::int[], ${epochs.map(({ epoch }) => epoch)}::text[])
      AS n (gateway_id, epoch) ON n.gateway_id = e.gateway_id AND n.epoch = e.epoch`.execute(trx)
  return new Map(rows.map((row) => [epochName({ gatewayId: row.gateway_id, epoch: row.epoch }), row.ordinal]))
}

/**
 * Locks the instruments with these installed product IDs in order of ids until the transaction ends. Writers of their
 * contracts wait for the same lock (registry: followContracts).
 */
export async function lockInstruments(
  trx: Trx,
  installedProductIds: readonly string[],
): Promise<Map<string, LockedInstrument>> {
  const { rows } = await sql<LockedInstrument>`
    SELECT id, installed_product_id AS "installedProductId", type, gateway_id AS "gatewayId",
      customer_id AS "customerId", site_id AS "siteId", status, orc_status AS "orcStatus",
      connected_at IS NOT NULL AS "isConnected", run_since IS NOT NULL AS "hasRuns",
      least(customer_since, (SELECT first_seen_at FROM gateway g WHERE g.id = instrument.gateway_id)) AS "customerSince"
    FROM instrument WHERE installed_product_id = ANY(${[...installedProductIds]}::text[])
    ORDER BY id FOR NO KEY UPDATE`.execute(trx)
  return new Map(rows.map((row) => [row.installedProductId, row]))
}

/** Key of an item in the inbox. */
export interface InboxItem {
  gatewayId: number
  itemId: string
}

export function inboxName({ gatewayId, itemId }: InboxItem): string {
  return `${gatewayId} ${itemId}`
}

/**
 * Remembers items permanently and returns the `inboxName` of the new ones. An item that was parked earlier and arrives
 * again is resolved; the names of such items are returned too. The gateways must be locked: nothing else prevents that
 * two transactions take the same item.
 */
export async function takeIn(
  trx: Trx,
  { items, now }: { items: readonly InboxItem[]; now: Date },
): Promise<{ fresh: Set<string>; wereParked: Set<string> }> {
  if (items.length === 0) return { fresh: new Set(), wereParked: new Set() }
  const { rows } = await sql<{ gateway_id: number; item_id: string; was_parked: boolean }>`
    WITH fresh AS MATERIALIZED (
      SELECT n.gateway_id, n.item_id, i.* FROM unnest(
        ${items.map(({ gatewayId }) => gatewayId)}::int[], ${items.map(({ itemId }) => itemId)}::text[]
      ) AS n (gateway_id, item_id), item_number(n.item_id) AS i
      WHERE NOT EXISTS (SELECT FROM taken_number t WHERE t.gateway_id = n.gateway_id AND t.series = i.series
          AND t.block = i.block AND t.numbers @> i.number)
        AND NOT EXISTS (SELECT FROM gateway_inbox b WHERE b.gateway_id = n.gateway_id AND b.item_id = n.item_id)
    ), taken AS (
      ${addNumbers(sql`fresh`)}
    ), resolved AS (
      UPDATE parked_item p SET resolved_at = coalesce(p.resolved_at, ${now}) FROM fresh f
      WHERE p.gateway_id = f.gateway_id AND p.item_id = f.item_id
      RETURNING p.gateway_id, p.item_id
    )
    SELECT f.*, r.item_id IS NOT NULL AS was_parked
    FROM fresh f LEFT JOIN resolved r USING (gateway_id, item_id)`.execute(trx)
  const nameOf = (row: (typeof rows)[number]) => inboxName({ gatewayId: row.gateway_id, itemId: row.item_id })
  return {
    fresh: new Set(rows.map(nameOf)),
    wereParked: new Set(rows.filter(({ was_parked }) => was_parked).map(nameOf)),
  }
}

/** Returns the statement that adds the numbers of `items` to those that were taken, in an order that avoids deadlocks. */
function addNumbers(items: RawBuilder<unknown>) {
  return sql`
    INSERT INTO taken_number AS t (gateway_id, series, block, numbers)
    SELECT gateway_id, series, block, range_agg(int8range(number, number, '[]')) FROM ${items} AS items
    GROUP BY gateway_id, series, block ORDER BY gateway_id, series, block
    ON CONFLICT (gateway_id, series, block) DO UPDATE SET numbers = t.numbers + excluded.numbers`
}

/**
 * Moves up to `limit` items that earlier releases took, one row each, to the ranges of numbers. Returns how many it
 * moved. Ingest sees an item in one place or the other.
 */
export async function foldInbox(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    WITH moved AS (
      DELETE FROM gateway_inbox WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM gateway_inbox ORDER BY gateway_id, item_id LIMIT ${limit}))
      RETURNING gateway_id, item_id
    ), taken AS (
      ${addNumbers(sql`(SELECT m.gateway_id, i.* FROM moved m, item_number(m.item_id) AS i)`)}
    )
    SELECT count(*) AS moved FROM moved`.execute(db)
  return rows[0]?.moved ?? 0
}

export interface ItemToPark {
  gatewayId: number
  itemId: string | null
  code: string
  reason: string
  /** JSON text that jsonb accepts: `keptJson`. */
  json: string
}

/** Parks refused items; an item with an id is kept once. Returns the `inboxName` of those with an id that are new. */
export async function park(
  trx: Trx,
  { items, now }: { items: readonly ItemToPark[]; now: Date },
): Promise<Set<string>> {
  if (items.length === 0) return new Set()
  const { rows } = await sql<{ gateway_id: number; item_id: string | null }>`
    INSERT INTO parked_item (gateway_id, item_id, code, reason, item, received_at)
    SELECT n.*, ${now}::timestamptz FROM unnest(
      ${items.map(({ gatewayId }) => gatewayId)}::int[], ${items.map(({ itemId }) => itemId)}::text[],
      ${items.map(({ code }) => code)}::text[], ${items.map(({ reason }) => reason)}::text[],
      ${items.map(({ json }) => json)}::jsonb[]) AS n
    ON CONFLICT (gateway_id, item_id) WHERE item_id IS NOT NULL DO NOTHING
    RETURNING gateway_id, item_id`.execute(trx)
  return new Set(
    rows.flatMap(({ gateway_id, item_id }) =>
      item_id === null ? [] : [inboxName({ gatewayId: gateway_id, itemId: item_id })],
    ),
  )
}
