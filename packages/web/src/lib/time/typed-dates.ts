import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'

dayjs.extend(customParseFormat)

/**
 * Parses typed dates in the viewer's time zone. Separate from dates.ts because lists need it only once the user types.
 */

const dayFormats = ['D MMMM YYYY', 'D MMM YYYY', 'D-MMM-YYYY', 'DD-MMM-YYYY', 'D/M/YYYY', 'YYYY-MM-DD']
const typedFormats = ['DD MMMM YYYY', 'DD MMM YYYY', ...dayFormats].flatMap((day) => [
  `${day} HH:mm`,
  `${day} H:mm`,
  day,
])

/**
 * Parses e.g. '20 November 2026 14:02' and the usual short forms, with or without a time (then midnight). Null for
 * anything else, including days that do not exist.
 */
export function parseTypedDate(text: string): Date | null {
  const tidy = text
    .trim()
    .replace(/\s+/g, ' ')
    // Month names are recognised only in this capitalisation.
    .replace(/[a-z]+/i, (month) => month.charAt(0).toUpperCase() + month.slice(1).toLowerCase())
  for (const pattern of typedFormats) {
    const date = dayjs(tidy, pattern, true)
    if (date.isValid()) return date.toDate()
  }
  return null
}

/** Formats e.g. '20 Nov 2026 14:02', which `parseTypedDate` accepts. */
export function writeTypedDate(date: Date): string {
  return dayjs(date).format('DD MMM YYYY HH:mm')
}

/** Formats e.g. '20 Nov 2026', which `parseTypedDate` accepts as its midnight. */
export function writeTypedDay(date: Date): string {
  return dayjs(date).format('DD MMM YYYY')
}
