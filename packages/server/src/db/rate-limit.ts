import { sql } from 'kysely'
import type { Db } from './connect.ts'

/**
 * So many uses of `key` within any stretch of time of this length. Uses are counted in windows that begin at whole
 * multiples of it; of the window before, as much counts as the stretch still reaches into it, taken as spread evenly.
 * Without that, twice as many would pass around the end of a window. A row for each use would be exact and cost more than
 * what it limits.
 */
export interface RateLimit {
  /** What is limited and for whom, such as `share:17`. Never a secret. */
  key: string
  limit: number
  windowSeconds: number
  at: Date
}

/** Whether one more use is within the limit; otherwise the seconds until one is, for Retry-After. */
export type Turn = { isAllowed: true } | { isAllowed: false; retryAfter: number }

/**
 * Takes one use, if one is left: counted in the database, so it holds on all nodes, and however many ask at once. A
 * refused one counts nothing.
 */
export async function takeTurn(db: Db, wanted: RateLimit): Promise<Turn> {
  const { key, limit } = wanted
  const { start, before, expires, weight } = windowsOf(wanted)
  const carried = sql`coalesce((
    SELECT p.count FROM rate_count p WHERE p.key = ${key} AND p.window_start = ${before}), 0) * ${weight}::float8`
  const { rows } = await sql`
    INSERT INTO rate_count (key, window_start, expires_at, count)
    SELECT ${key}, ${start}, ${expires}, 1 WHERE ${carried} <= ${limit - 1}
    ON CONFLICT (key, window_start) DO UPDATE SET count = rate_count.count + 1
    WHERE rate_count.count + ${carried} <= ${limit - 1}
    RETURNING 1`.execute(db)
  return rows.length > 0 ? { isAllowed: true } : refused(wanted, await countsOf(db, wanted))
}

/** Whether a use is left, without taking it: for limits that count only what went wrong. */
export async function turnLeft(db: Db, wanted: RateLimit): Promise<Turn> {
  const counts = await countsOf(db, wanted)
  const used = counts.now + counts.before * windowsOf(wanted).weight
  return used <= wanted.limit - 1 ? { isAllowed: true } : refused(wanted, counts)
}

/** Forgets windows that count no more. */
export async function forgetOldTurns(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('rate_count').where('expires_at', '<', at).execute()
}

interface Counts {
  now: number
  before: number
}

async function countsOf(db: Db, wanted: RateLimit): Promise<Counts> {
  const { start, before } = windowsOf(wanted)
  const rows = await db
    .selectFrom('rate_count')
    .select(['window_start', 'count'])
    .where('key', '=', wanted.key)
    .where('window_start', 'in', [start, before])
    .execute()
  const countAt = (window: Date) =>
    rows.find(({ window_start }) => window_start.getTime() === window.getTime())?.count ?? 0
  return { now: countAt(start), before: countAt(before) }
}

/** The window of an instant and the one before, how much of that still counts, and until when the first one does. */
function windowsOf({ windowSeconds, at }: RateLimit) {
  const length = windowSeconds * 1000
  const start = Math.floor(at.getTime() / length) * length
  return {
    start: new Date(start),
    before: new Date(start - length),
    expires: new Date(start + 2 * length),
    weight: 1 - (at.getTime() - start) / length,
  }
}

function refused(wanted: RateLimit, { now, before }: Counts): Turn {
  const { limit, windowSeconds, at } = wanted
  const room = limit - 1
  // Within this window where the one before fades soon enough, else in the next one, in which this one fades.
  const share = now <= room ? 1 - (room - now) / before : 2 - room / now
  const free = windowsOf(wanted).start.getTime() + share * windowSeconds * 1000
  return { isAllowed: false, retryAfter: Math.max(1, Math.ceil((free - at.getTime()) / 1000)) }
}
