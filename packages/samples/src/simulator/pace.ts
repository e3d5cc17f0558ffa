/** How fast the simulated world goes. */
export interface Pace {
  /** Every duration is multiplied by this. */
  time: number
  /** How much more often than in an ordinary laboratory things go wrong, per simulated minute. */
  faults: number
  /** Runs are started in working hours of the site; otherwise around the clock. */
  keepsWorkingHours: boolean
}

/** An ordinary fortnight of 400 instruments: about 4,000 events. */
export const ordinaryPace: Pace = { time: 1, faults: 1, keepsWorkingHours: true }

/**
 * A fleet of 400 to look at: at speed 1 a status changes every 5 s and an event is raised every 30 s, at any hour.
 * Ordinary laboratories are some six times slower, which shows nothing to somebody who looks for a minute.
 */
export function livelyPace(speed: number): Pace {
  return { time: 0.34 / speed, faults: 2.5, keepsWorkingHours: false }
}
