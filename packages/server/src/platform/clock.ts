/** Where the time comes from. Rules that depend on it take a clock, so that tests can move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is moved. */
export function fixedClock(start: Date): Clock & { set(to: Date): void; advance(ms: number): void } {
  let current = start.getTime()
  return {
    now: () => new Date(current),
    set: (to) => {
      current = to.getTime()
    },
    advance: (ms) => {
      current += ms
    },
  }
}
