import { z } from 'zod'
import { paths } from './paths.ts'
import { installedProductId, instant, instantInput, line, order, text, wholeNumber } from './primitives.ts'
import { route } from './route.ts'
import { logTypes } from './vocabulary.ts'

/** Log lines of instruments and of the computers beside them: document 1 sections 3, 7 and 9, wire 7. */

/** Searchable fields of a line, which a search also marks. Keys with dots are flat. */
export const logFields = ['message', 'module', 'log.level', 'event.code', 'winlog.user.name', 'host.hostname'] as const
export type LogField = (typeof logFields)[number]

/** One line in the shape of the search engine that the specification knows. */
export const logHit = z.object({
  _index: z.string(),
  _id: z.string(),
  /** Time stamp in ms since 1970, and the id that orders lines of one instant; sent back as openSearchTimeStamp and openSearchLogId. */
  sort: z.tuple([z.number().int(), z.string()]),
  _source: z.object({
    '@timestamp': instant,
    message: z.string(),
    module: z.string().nullable(),
    'log.level': z.string().nullable(),
    'event.code': z.string().nullable(),
    'winlog.user.name': z.string().nullable(),
    'host.hostname': z.string().nullable(),
  }),
  /** Of a search: each field that holds a word of it, whole, HTML-escaped, the words in `<em>`. Null otherwise. */
  highlight: z.partialRecord(z.enum(logFields), z.array(z.string())).nullable(),
})
export type LogHit = z.output<typeof logHit>

/** `total` counts what the window and the search hold without paging, up to 10,000; that number means "or more". */
export const logPage = z.object({
  body: z.object({
    hits: z.object({ total: z.object({ value: z.number().int() }), hits: z.array(logHit) }),
  }),
})
export type LogPage = z.output<typeof logPage>

/** At most this many lines are counted. */
export const MAX_COUNTED_LINES = 10_000

/** The end of the year 9999, behind which no instrument's clock is taken. */
const LATEST_TIME_STAMP = 253_402_300_799_999

const logWindow = {
  logType: z.enum(logTypes),
  instrumentInstalledProductId: installedProductId.optional(),
  /**
   * Lines by this computer alone: a client's log is told by its PC. Without an instrument, of all that the caller may see.
   * Any text that a line may name its computer by, also with control characters: each log that is offered can be read.
   */
  computerName: text(200).min(1).optional(),
  /** Name of a customer: the same computer name may occur at several. */
  enterprise: line(200).min(1).optional(),
  order: order.default('DESC'),
  /** Inclusive. */
  timeGreaterThan: instantInput.optional(),
  /** Exclusive. */
  timeLessThan: instantInput.optional(),
  size: wholeNumber(1, 100).default(6),
  /** Both of the last line read, to go on after it in the direction of `order`. */
  openSearchLogId: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  openSearchTimeStamp: z
    .string()
    .regex(/^\d{1,15}$/, 'must be milliseconds since 1970')
    .transform(Number)
    .refine((timestamp) => timestamp <= LATEST_TIME_STAMP, 'must be milliseconds since 1970')
    .optional(),
}

const wholeCursor = (query: { openSearchLogId?: unknown; openSearchTimeStamp?: unknown }) =>
  (query.openSearchLogId === undefined) === (query.openSearchTimeStamp === undefined)
const halfCursor = { error: 'and openSearchTimeStamp go together', path: ['openSearchLogId'] }

export const listInstrumentLogs = route({
  ...paths.listInstrumentLogs,
  summary: 'Lines of one log of an instrument or computer, in the order of time; pages by the last line read',
  query: z.strictObject(logWindow).refine(wholeCursor, halfCursor),
  answer: logPage,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

export const searchInstrumentLogs = route({
  ...paths.searchInstrumentLogs,
  summary: 'The lines of one log that hold every word of a search in any field, the words marked',
  query: z
    .strictObject({ ...logWindow, searchString: line(200).refine((text) => text.trim() !== '', 'must not be empty') })
    .refine(wholeCursor, halfCursor),
  answer: logPage,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/**
 * A log that an instrument has, or one of its client computers. A linked computer is offered before it has told a line,
 * and one that told lines is offered after it was replaced.
 */
export const availableLog = z.object({
  logType: z.enum(logTypes),
  /** Of a client's log (UNICORNCLIENT). Null of all others, and where lines of clients name no computer. */
  computerName: z.string().nullable(),
  /** Time stamp of its newest line; null of a linked computer without lines. */
  newest: instant.nullable(),
})
export type AvailableLog = z.output<typeof availableLog>

export const listAvailableLogs = route({
  ...paths.listAvailableLogs,
  summary: 'Which logs an instrument has: one a log type, of clients one a computer that is linked or has told lines',
  query: z.strictObject({ instrumentInstalledProductId: installedProductId }),
  answer: z.object({ values: z.array(availableLog) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
