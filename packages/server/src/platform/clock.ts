/** Source of the current time. Rules that depend on time take a clock, so that tests can move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Returns a clock that stands still until it is moved. */
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
