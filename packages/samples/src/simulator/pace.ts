/** The pace of the simulation. */
export interface Pace {
  /** Factor for all durations. */
  time: number
  /** Factor for the frequency of faults per simulated minute. */
  faults: number
  /** True if runs start in the site's working hours, false if around the clock. */
  keepsWorkingHours: boolean
}

/** Two ordinary weeks of 400 instruments: about 4,000 events. */
export const ordinaryPace: Pace = { time: 1, faults: 1, keepsWorkingHours: true }

/**
 * Returns a pace for demos of 400 instruments: at speed 1, a status changes every 5 s and an event is raised every 30
 * s, at any hour. Ordinary laboratories are about six times slower, too slow to see anything within a minute.
 */
export function livelyPace(speed: number): Pace {
  return { time: 0.34 / speed, faults: 2.5, keepsWorkingHours: false }
}
