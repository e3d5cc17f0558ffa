import { daysBefore, endOfDay, startOfDay } from '../../lib/dates.ts'

/** Which time of a log is looked at. Document 1 section 9. */

/** Half-open, ISO instants: `from` ≤ t < `to`. */
export interface LogWindow {
  from: string
  to: string
}

/** Where the logs of an event are opened: on its page, or in its row of a list. */
export type EventPlace = 'details' | 'row'

/** What the instrument still writes because of the event. */
const AFTERMATH_MS = 2000

/**
 * With what time the viewer opens. On the event's page it is the whole day of the event, in a row the previous day up to
 * two seconds after the event. Days are the viewer's: so are all times and ranges on the screen, and a day of the
 * instrument would begin at some odd hour there.
 */
export function windowOfEvent(moment: string, place: EventPlace): LogWindow {
  const at = new Date(moment)
  const [from, to] =
    place === 'details'
      ? [startOfDay(at), endOfDay(at)]
      : [startOfDay(daysBefore(at, 1)), new Date(at.getTime() + AFTERMATH_MS)]
  return { from: from.toISOString(), to: to.toISOString() }
}

export function isWithin({ from, to }: LogWindow, instant: string): boolean {
  const at = Date.parse(instant)
  return Date.parse(from) <= at && at < Date.parse(to)
}

/** Whether lines may still be written into it. */
export function isGoingOn({ to }: LogWindow, now: number): boolean {
  return Date.parse(to) > now
}
