import { sql } from 'kysely'
import type { Db } from './connect.ts'

/**
 * Allows `limit` uses of `key` within any period of `windowSeconds`. One row per key holds the times of the uses in
 * the last period, so the limit is exact and the row never holds more times than it allows. Fixed windows would let
 * twice as many pass around the end of a window or, weighted, refuse some for longer than a period.
 */
export interface RateLimit {
  /** The limited action and its subject, such as `share:17`. Never a secret. */
  key: string
  /** At least 1. */
  limit: number
  windowSeconds: number
  at: Date
}

/** The seconds until the next use is allowed are for Retry-After. */
export type Turn = { isAllowed: true } | { isAllowed: false; retryAfter: number }

/**
 * Takes one use if one is left. Uses are counted in the database, so the limit holds across all nodes and concurrent
 * requests. A refused use does not count.
 */
export async function takeTurn(db: Db, rateLimit: RateLimit): Promise<Turn> {
  const { key, limit, at } = rateLimit
  const since = sinceOf(rateLimit)
  const { rows } = await sql`
    INSERT INTO rate_use AS r (key, uses, expires_at) VALUES (${key}, ARRAY[${at}::timestamptz], ${expiresOf(rateLimit)})
    ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at,
      uses = ARRAY(SELECT u FROM unnest(r.uses) u WHERE u > ${since} ORDER BY u) || excluded.uses
    WHERE (SELECT count(*) FROM unnest(r.uses) u WHERE u > ${since}) < ${limit}
    RETURNING 1`.execute(db)
  if (rows.length > 0) return { isAllowed: true }
  const turn = await turnLeft(db, rateLimit)
  // Uses may have expired between the two queries.
  return turn.isAllowed ? takeTurn(db, rateLimit) : turn
}

/** Checks whether a use is left without taking it, for limits that count only failures. */
export async function turnLeft(db: Db, rateLimit: RateLimit): Promise<Turn> {
  const { key, limit, windowSeconds, at } = rateLimit
  const row = await db.selectFrom('rate_use').select('uses').where('key', '=', key).executeTakeFirst()
  const since = sinceOf(rateLimit)
  const uses = (row?.uses ?? []).filter((use) => use > since).sort((one, other) => one.getTime() - other.getTime())
  const lastInTheWay = uses[uses.length - limit]
  if (lastInTheWay === undefined) return { isAllowed: true }
  const free = lastInTheWay.getTime() + windowSeconds * 1000
  return { isAllowed: false, retryAfter: Math.max(1, Math.ceil((free - at.getTime()) / 1000)) }
}

/** Deletes keys whose uses have expired. */
export async function forgetOldTurns(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('rate_use').where('expires_at', '<=', at).execute()
}

function sinceOf({ windowSeconds, at }: RateLimit): Date {
  return new Date(at.getTime() - windowSeconds * 1000)
}

function expiresOf({ windowSeconds, at }: RateLimit): Date {
  return new Date(at.getTime() + windowSeconds * 1000)
}
