import ical, { ICalCalendarMethod, type ICalEventData, ICalEventTransparency } from 'ical-generator'
import type { CalendarEntry } from './calendar-entries.queries.ts'

/** Writes entries as iCalendar (RFC 5545). Instants are UTC; services and contract ends are days without a zone. */

const DAY_MS = 86_400_000
/** How often programs are asked to read again. Most choose their own interval. */
const REFRESH_SECONDS = 3600
/**
 * The number of an entry rises with each change of its date, and with each day of a maintenance without an end. No
 * maintenance lasts this many days.
 */
const DAYS_PER_REVISION = 10_000

interface CalendarFile {
  name: string
  entries: readonly CalendarEntry[]
  /** True if later entries are left out; the file says so on the day after its last entry. */
  hasMore: boolean
  /** Origin of the console, without a slash at its end. */
  publicUrl: string
  product: string
  now: Date
}

export function calendarText({ name, entries, hasMore, publicUrl, product, now }: CalendarFile): string {
  const file = ical({
    name,
    prodId: { company: product, product: 'Calendar' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  const host = new URL(publicUrl).hostname
  const events = entries.map((entry) => eventOf(entry, { publicUrl, now }))
  const last = entries.at(-1)
  if (hasMore && last) events.push(endOfFile(last))
  for (const { id, ...event } of events) {
    file.createEvent({ ...event, id: `${id}@${host}`, stamp: now, transparency: ICalEventTransparency.TRANSPARENT })
  }
  return file.toString()
}

type Event = ICalEventData & { id: string }

function eventOf(entry: CalendarEntry, { publicUrl, now }: { publicUrl: string; now: Date }): Event {
  const sequence = entry.revision * DAYS_PER_REVISION
  if (entry.kind === 'contract') {
    const { contractId, day, type, customer, instruments } = entry
    return {
      id: `contract-${contractId}`,
      sequence,
      start: new Date(day),
      allDay: true,
      summary: `Contract ends: ${[customer, type].filter(Boolean).join(', ')}`,
      description: `Instruments: ${instruments.join(', ')}`,
    }
  }
  const { instrumentId, systemName, productDescription, installedProductId, customer } = entry
  const common = {
    location: [customer, entry.city, entry.building, entry.room].filter(Boolean).join(', '),
    url: `${publicUrl}/instruments/${instrumentId}`,
  }
  const instrument = systemName ?? productDescription
  const identity = `${productDescription}, ${installedProductId}`
  if (entry.kind === 'service') {
    return {
      id: `service-${instrumentId}`,
      sequence,
      start: new Date(entry.day),
      allDay: true,
      summary: `Next service: ${instrument}`,
      description: identity,
      ...common,
    }
  }
  const { maintenanceId, start, end, reason, isRecurring } = entry
  const shownUntil = end ?? endOfDay(start > now ? start : now)
  const daysOpen = end === null ? Math.ceil((shownUntil.getTime() - start.getTime()) / DAY_MS) : 0
  return {
    id: isRecurring ? `maintenance-${maintenanceId}-${start.getTime()}` : `maintenance-${maintenanceId}`,
    sequence: sequence + daysOpen,
    start,
    end: shownUntil,
    summary: `Maintenance: ${instrument}`,
    description: [reason, identity, end === null && 'No end is planned.'].filter(Boolean).join('\n'),
    ...common,
  }
}

function endOfFile({ at }: CalendarEntry): Event {
  return {
    id: 'more',
    start: new Date(Math.floor(at / DAY_MS) * DAY_MS + DAY_MS),
    allDay: true,
    summary: 'This calendar ends here',
    description: 'There are more entries than a calendar can hold. Create one for fewer customers or for a saved view.',
  }
}

function endOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS + DAY_MS)
}
