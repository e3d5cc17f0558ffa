import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'

dayjs.extend(customParseFormat)

/** Dates as people type them, in the viewer's zone. Apart from lib/dates.ts: no list needs these before somebody types one. */

const dayFormats = ['D MMMM YYYY', 'D MMM YYYY', 'D-MMM-YYYY', 'DD-MMM-YYYY', 'D/M/YYYY', 'YYYY-MM-DD']
const typedFormats = ['DD MMMM YYYY', 'DD MMM YYYY', ...dayFormats].flatMap((day) => [
  `${day} HH:mm`,
  `${day} H:mm`,
  day,
])

/**
 * Reads what a person typed: '20 November 2026 14:02' and its usual short forms, with or without a time (then midnight).
 * Null for anything else, also for days that do not exist.
 */
export function parseTypedDate(text: string): Date | null {
  const tidy = text
    .trim()
    .replace(/\s+/g, ' ')
    // Month names are found in this spelling alone.
    .replace(/[a-z]+/i, (month) => month.charAt(0).toUpperCase() + month.slice(1).toLowerCase())
  for (const pattern of typedFormats) {
    const date = dayjs(tidy, pattern, true)
    if (date.isValid()) return date.toDate()
  }
  return null
}

/** 20 Nov 2026 14:02, a form that `parseTypedDate` reads back. */
export function writeTypedDate(date: Date): string {
  return dayjs(date).format('DD MMM YYYY HH:mm')
}

/** 20 Nov 2026, which `parseTypedDate` reads back as its midnight. */
export function writeTypedDay(date: Date): string {
  return dayjs(date).format('DD MMM YYYY')
}
