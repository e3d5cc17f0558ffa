const HOUR = 3_600_000
const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()
/** By zone and hour: a history asks 40,000 times for the same few hundred. */
const offsets = new Map<string, number>()
const MOST_OFFSETS = 20_000

/** Milliseconds that a zone's clocks are ahead of UTC at an instant. */
export function zoneOffset(timeZone: string, at: number): number {
  const key = `${timeZone} ${Math.floor(at / (HOUR / 2))}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const offset = readOffset(timeZone, at)
  if (offsets.size >= MOST_OFFSETS) offsets.clear()
  offsets.set(key, offset)
  return offset
}

function readOffset(timeZone: string, at: number): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * 60_000)
}

/**
 * The instant itself when it lies in working hours (Monday to Friday, 7 to 19 by the site's clocks), else the next
 * working morning at 7. `offset` as of zoneOffset.
 */
export function nextWorkingInstant(at: number, offset: number): number {
  const local = at + offset
  const midnight = Math.floor(local / DAY) * DAY
  const isOpen = (day: number) => ![0, 6].includes(new Date(day).getUTCDay())
  if (isOpen(midnight) && local >= midnight + 7 * HOUR && local < midnight + 19 * HOUR) return at
  let morning = midnight + 7 * HOUR
  while (morning <= local || !isOpen(morning)) morning += DAY
  return morning - offset
}

/** The day at an instant in a zone, YYYY-MM-DD. */
export function dayAt(timeZone: string, at: number): string {
  return new Date(at + zoneOffset(timeZone, at)).toISOString().slice(0, 10)
}

/** The midnight of a zone with which the day of an instant began, or the one with which it ends. */
export function midnight(timeZone: string, at: number, which: 'begins' | 'ends'): number {
  const day = Math.floor((at + zoneOffset(timeZone, at)) / DAY) + (which === 'ends' ? 1 : 0)
  const near = day * DAY - zoneOffset(timeZone, at)
  // Clocks may be changed between now and then; where they are changed at midnight, the day begins an hour later.
  const offset = zoneOffset(timeZone, near)
  const exact = day * DAY - offset
  return zoneOffset(timeZone, exact) === offset ? exact : Math.max(near, exact)
}
