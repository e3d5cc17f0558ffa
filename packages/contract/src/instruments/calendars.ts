import { z } from 'zod'
import { paths } from '../paths.ts'
import { givenName, id, instant, line, linkToken } from '../primitives.ts'
import { route } from '../route.ts'
import { calendarContents, limits } from '../vocabulary.ts'
import { instrumentFilter, instrumentSearch } from './instruments.ts'

/**
 * Calendar feeds: links that calendar programs subscribe to. A link shows what its owner may see at the moment of each
 * request.
 */

const contents = z.array(z.enum(calendarContents)).min(1).max(calendarContents.length)

export const calendarInput = z.strictObject({
  /** Shown by calendar programs. */
  name: givenName(limits.calendarName),
  contents,
  /** Names of customers in the caller's scope; null for all that the owner may see at any time. */
  customers: z.array(line(200)).min(1).max(200).nullable().default(null),
  /**
   * The filters of a saved view of the instrument list, by name; null for all instruments. Later changes of the view do
   * not change the calendar.
   */
  view: z
    .strictObject({
      name: line(limits.viewName),
      filter: instrumentFilter.default({}),
      keyword: instrumentSearch.keyword,
      instrumentFamily: instrumentSearch.instrumentFamily,
    })
    .nullable()
    .default(null),
})
export type CalendarInput = z.output<typeof calendarInput>

/** A calendar link of the caller, without the link itself. */
export const calendar = z.object({
  id,
  name: z.string(),
  contents,
  /** Names of the chosen customers that the caller still sees, sorted; null for all. */
  customers: z.array(z.string()).nullable(),
  /** Name that the view had. */
  viewName: z.string().nullable(),
  createdAt: instant,
  /** Last time that a program read the calendar, to the minute. */
  lastUsedAt: instant.nullable(),
})
export type Calendar = z.output<typeof calendar>

const access = { kind: 'signed-in' } as const

export const listCalendars = route({
  ...paths.listCalendars,
  summary: 'The caller’s calendar links, newest first',
  answer: z.object({ values: z.array(calendar) }),
  errors: ['session-expired'],
  access,
})

export const createCalendar = route({
  ...paths.createCalendar,
  summary: 'Create a calendar link, shown only once; up to 10 per user',
  body: calendarInput,
  /** `url` is absolute. Anyone who has it can read the calendar. */
  answer: calendar.extend({ url: z.url() }),
  success: [201],
  errors: ['session-expired', 'unknown-reference', 'feature-off', 'too-many-calendars'],
  access,
})

export const revokeCalendar = route({
  ...paths.revokeCalendar,
  summary: 'Revoke one of the caller’s calendar links; takes effect immediately',
  params: z.object({ id }),
  success: [204],
  errors: ['session-expired', 'not-found'],
  access,
})

export const readCalendar = route({
  ...paths.readCalendar,
  summary: 'The calendar behind a link, as iCalendar. If-None-Match is answered with 304. 120 requests per hour',
  params: z.object({ token: linkToken }),
  answerType: 'text/calendar',
  errors: ['not-found', 'too-many-requests', 'feature-off'],
  access: { kind: 'public' },
})
