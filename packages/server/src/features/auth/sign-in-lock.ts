/** How long the first lock lasts, and each further one; the last stays (3-decisions 2). */
const LOCK_MINUTES = [1, 2, 4, 8, 15]

/**
 * For how long a name is locked by its latest failure, in milliseconds; 0 when it isn't. `failures` are those in a row,
 * with this one; `limit` of them lock, and once a lock has passed each further one locks again, for longer.
 */
export function lockMs(failures: number, limit: number): number {
  if (failures < limit) return 0
  const step = Math.min(failures - limit, LOCK_MINUTES.length - 1)
  return (LOCK_MINUTES[step] ?? 0) * 60_000
}
