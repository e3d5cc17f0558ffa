const HOUR = 3_600_000
const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()
/** Cached by zone and hour: a history makes 40,000 lookups of the same few hundred. */
const offsets = new Map<string, number>()
const MOST_OFFSETS = 20_000

/** Returns the milliseconds by which a zone is ahead of UTC at a time. */
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
 * Returns the given time if it is within working hours (Monday to Friday, 7:00 to 19:00 site time), else 7:00 of the
 * next working day. `offset` comes from zoneOffset.
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

/** Returns the date at a time in a zone, YYYY-MM-DD. */
export function dayAt(timeZone: string, at: number): string {
  return new Date(at + zoneOffset(timeZone, at)).toISOString().slice(0, 10)
}

/** Returns the midnight at which the day of a given time begins or ends in a zone. */
export function midnight(timeZone: string, at: number, which: 'begins' | 'ends'): number {
  const day = Math.floor((at + zoneOffset(timeZone, at)) / DAY) + (which === 'ends' ? 1 : 0)
  const near = day * DAY - zoneOffset(timeZone, at)
  // Clocks may change between the two times. If they change at midnight, the day begins an hour later.
  const offset = zoneOffset(timeZone, near)
  const exact = day * DAY - offset
  return zoneOffset(timeZone, exact) === offset ? exact : Math.max(near, exact)
}
