/** setTimeout takes 31 bits of milliseconds. */
export const LONGEST_TIMER_MS = 2_000_000_000
