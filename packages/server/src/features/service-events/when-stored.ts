const DAY_MS = 24 * 3_600_000

/**
 * Events lie in the index by when they were stored, and pictures of an instrument want them by when they happened. A gateway
 * that was cut off delivers days later, a clock runs ahead: between these bounds an event is found, outside it is not. Without
 * them an old event would cost a look at everything that its instrument has reported since (50 ms among a million, for one that
 * has reported 8,900), with them it is 1 ms; an index of its own would cost every raise.
 */
const LATEST_DELIVERY_MS = 30 * DAY_MS
const FASTEST_CLOCK_MS = DAY_MS

/** Within which instants an event was stored that happened from `start` to `stop`. */
export function whenStored({ start, stop }: { start: Date; stop: Date }): { from: Date; to: Date } {
  return {
    from: new Date(start.getTime() - FASTEST_CLOCK_MS),
    to: new Date(stop.getTime() + LATEST_DELIVERY_MS),
  }
}
