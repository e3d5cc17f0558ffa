/** Lengths of time from minutes to months on one axis: each step is a multiple, so that both can be read. Pure. */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Times with a line and a label. */
const marks = [
  { seconds: MINUTE, label: '1 min' },
  { seconds: 10 * MINUTE, label: '10 min' },
  { seconds: HOUR, label: '1 h' },
  { seconds: 6 * HOUR, label: '6 h' },
  { seconds: DAY, label: '1 day' },
  { seconds: 7 * DAY, label: '7 days' },
  { seconds: 30 * DAY, label: '30 days' },
  { seconds: 180 * DAY, label: '180 days' },
  { seconds: 720 * DAY, label: '720 days' },
] as const

export interface TimeAxis {
  ticks: { label: string; place: number }[]
  /** Where a length of time lies, from 0 to 1; what lies outside stands at the edge. */
  place: (seconds: number) => number
}

/** From the mark below the shortest of these times to the one above the longest. */
export function timeAxis(times: readonly number[]): TimeAxis {
  const [shortest, longest] = times.length === 0 ? [HOUR, DAY] : [Math.min(...times), Math.max(...times)]
  const first = Math.max(
    0,
    marks.findLastIndex(({ seconds }) => seconds <= shortest),
  )
  const above = marks.findIndex(({ seconds }) => seconds >= longest)
  const last = Math.max(first + 1, above === -1 ? marks.length - 1 : above)
  const shown = marks.slice(first, last + 1)
  const [least, most] = [Math.log(marks[first]?.seconds ?? 1), Math.log(shown.at(-1)?.seconds ?? 2)]
  const place = (seconds: number) => Math.min(1, Math.max(0, (Math.log(Math.max(1, seconds)) - least) / (most - least)))
  return { ticks: shown.map(({ label, seconds }) => ({ label, place: place(seconds) })), place }
}
