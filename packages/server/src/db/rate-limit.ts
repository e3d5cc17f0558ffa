import type { Db } from './connect.ts'

/** What is counted: so many uses of `key` within a window, which begins at a whole multiple of its length. */
export interface RateLimit {
  /** What is limited and for whom, such as `share:17`. Never a secret. */
  key: string
  limit: number
  windowSeconds: number
  at: Date
}

/** Whether one more use is within the limit; otherwise the seconds until the window ends, for Retry-After. */
export type Turn = { isAllowed: true } | { isAllowed: false; retryAfter: number }

/**
 * Takes one use, if one is left: counted in the database, so it holds on all nodes, and however many ask at once. A
 * refused one counts nothing.
 */
export async function takeTurn(db: Db, { key, limit, windowSeconds, at }: RateLimit): Promise<Turn> {
  const { start, end } = windowOf(windowSeconds, at)
  const row = await db
    .insertInto('rate_count')
    .values({ key, window_start: start, expires_at: end, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'window_start'])
        .doUpdateSet((eb) => ({ count: eb('rate_count.count', '+', 1) }))
        .where('rate_count.count', '<', limit),
    )
    .returning('count')
    .executeTakeFirst()
  return row && row.count <= limit ? { isAllowed: true } : refused(end, at)
}

/** Whether a use is left, without taking it: for limits that count only what went wrong. */
export async function turnLeft(db: Db, { key, limit, windowSeconds, at }: RateLimit): Promise<Turn> {
  const { start, end } = windowOf(windowSeconds, at)
  const row = await db
    .selectFrom('rate_count')
    .select('count')
    .where('key', '=', key)
    .where('window_start', '=', start)
    .executeTakeFirst()
  return (row?.count ?? 0) < limit ? { isAllowed: true } : refused(end, at)
}

/** Forgets windows that ended. */
export async function forgetOldTurns(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('rate_count').where('expires_at', '<', at).execute()
}

function windowOf(seconds: number, at: Date): { start: Date; end: Date } {
  const length = seconds * 1000
  const start = Math.floor(at.getTime() / length) * length
  return { start: new Date(start), end: new Date(start + length) }
}

function refused(end: Date, at: Date): Turn {
  return { isAllowed: false, retryAfter: Math.max(1, Math.ceil((end.getTime() - at.getTime()) / 1000)) }
}
