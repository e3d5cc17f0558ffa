import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import type { EpochCount, GatewayCount } from './feed-counts.ts'

const HOUR_MS = 3_600_000

/**
 * Adds the new items to the counts of their gateways, in the transaction that stores them: one statement that updates
 * rows in place, one per gateway and one per outbox epoch. The gateways are locked, so there are no waits here.
 */
export async function countFeed(
  trx: Trx,
  { gateways, epochs, now }: { gateways: readonly GatewayCount[]; epochs: readonly EpochCount[]; now: Date },
): Promise<void> {
  if (gateways.length === 0) return
  const of = <T>(pick: (count: GatewayCount) => T) => gateways.map(pick)
  const ofEpoch = <T>(pick: (count: EpochCount) => T) => epochs.map(pick)
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  await sql`
    WITH skipped AS (
      UPDATE gateway_epoch e SET first_sequence = least(e.first_sequence, n.first),
        last_sequence = greatest(e.last_sequence, n.last), seen = e.seen + n.seen
      FROM unnest(${ofEpoch((one) => one.gatewayId)}::int[], ${ofEpoch((one) => one.epoch)}::text[],
          ${ofEpoch((one) => one.first)}::bigint[], ${ofEpoch((one) => one.last)}::bigint[],
          ${ofEpoch((one) => one.seen)}::bigint[]) AS n (gateway_id, epoch, first, last, seen)
        JOIN gateway_epoch o USING (gateway_id, epoch)
      WHERE e.gateway_id = n.gateway_id AND e.epoch = n.epoch
      RETURNING e.gateway_id, e.last_sequence - e.first_sequence + 1 - e.seen
        - coalesce(o.last_sequence - o.first_sequence + 1 - o.seen, 0) AS gaps
    )
    INSERT INTO gateway_feed_hour AS h (gateway_id, hour, accepted, duplicates, rejected, lag_ms, gaps)
    SELECT n.*, coalesce((SELECT sum(gaps) FROM skipped s WHERE s.gateway_id = n.gateway_id), 0)
    FROM (SELECT gateway_id, ${hour}::timestamptz, accepted, duplicates, rejected, lag_ms
      FROM unnest(${of((one) => one.gatewayId)}::int[], ${of((one) => one.accepted)}::bigint[],
        ${of((one) => one.duplicates)}::bigint[], ${of((one) => one.rejected)}::bigint[],
        ${of((one) => one.lagMs)}::bigint[]) AS u (gateway_id, accepted, duplicates, rejected, lag_ms)) AS n
    ON CONFLICT (gateway_id, hour) DO UPDATE SET accepted = h.accepted + excluded.accepted,
      duplicates = h.duplicates + excluded.duplicates, rejected = h.rejected + excluded.rejected,
      gaps = h.gaps + excluded.gaps, lag_ms = coalesce(excluded.lag_ms, h.lag_ms)`.execute(trx)
}
