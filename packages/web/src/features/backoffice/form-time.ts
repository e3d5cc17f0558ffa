/** Times of a form: what the browser's field holds is the wall clock of the viewer, the wire has instants. */

/** `2026-11-20T14:02:23` of the viewer's zone as an instant; empty, or what is no time, stays as it is for the rules to name. */
export function formInstant(wallClock: string): string {
  const at = wallClock === '' ? Number.NaN : new Date(wallClock).getTime()
  return Number.isNaN(at) ? wallClock : new Date(at).toISOString()
}

/** The inverse, to the second: a field that holds parts of one is hard to edit. */
export function wallClockOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
