import type { feedStates } from '@benchwatch/contract/vocabulary'

export type FeedState = (typeof feedStates)[number]

/** Items so far behind their time say that a gateway, although heard, does not keep up, or that its clock is wrong. */
const LATE_LAG_MS = 5 * 60_000

/** What is known of how a gateway is heard. */
export interface Heard {
  lastSeenAt: Date | null
  lagMs: number | null
}

/**
 * How a gateway is heard at `now`: late once half the time has passed after which it counts as silent, or where its newest
 * item was more than 5 minutes behind or ahead. `silenceMs` 0: no gateway is ever silent.
 */
export function feedStateOf(
  { lastSeenAt, lagMs }: Heard,
  { silenceMs, now }: { silenceMs: number; now: Date },
): FeedState {
  if (lastSeenAt === null) return 'never'
  const quietMs = now.getTime() - lastSeenAt.getTime()
  if (silenceMs > 0 && quietMs > silenceMs) return 'silent'
  if (silenceMs > 0 && quietMs > silenceMs / 2) return 'late'
  return lagMs !== null && Math.abs(lagMs) > LATE_LAG_MS ? 'late' : 'heard'
}
