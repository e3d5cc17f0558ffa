import { z } from 'zod'
import { paths } from '../paths.ts'
import { installedProductId, instant, instantInput, line, order, text, wholeNumber } from '../primitives.ts'
import { route } from '../route.ts'
import { logTypes } from '../vocabulary.ts'
import { instrumentRun } from './instruments.ts'

/** Log lines of instruments and their client computers: document 1 sections 3, 7 and 9, wire 7. */

/** Fields of a line that a search covers and highlights. Keys with dots are flat. */
export const logFields = ['message', 'module', 'log.level', 'event.code', 'winlog.user.name', 'host.hostname'] as const
export type LogField = (typeof logFields)[number]

/** One line in the search-engine format of the specification. */
export const logHit = z.object({
  _index: z.string(),
  _id: z.string(),
  /**
   * Timestamp in ms since 1970, and the id that orders lines with the same timestamp. Sent back as openSearchTimeStamp
   * and openSearchLogId.
   */
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
  /**
   * Search results only: each field that contains a search word, in full, HTML-escaped, with the words in `<em>`. Null
   * without a search.
   */
  highlight: z.partialRecord(z.enum(logFields), z.array(z.string())).nullable(),
})
export type LogHit = z.output<typeof logHit>

/**
 * Lines before this moment cannot all be read now, because the store that holds older lines is away; null if they can.
 */
const completeFrom = instant.nullable()

/** `total` counts all lines of the time span and search, up to 10,000; that number means "or more". */
export const logPage = z.object({
  body: z.object({
    hits: z.object({ total: z.object({ value: z.number().int() }), hits: z.array(logHit) }),
  }),
  completeFrom,
})
export type LogPage = z.output<typeof logPage>

/** Lines are counted up to this number. */
export const MAX_COUNTED_LINES = 10_000

/** End of the year 9999, the latest time that an instrument's clock may have. */
const LATEST_TIME_STAMP = 253_402_300_799_999

const logLines = {
  logType: z.enum(logTypes),
  instrumentInstalledProductId: installedProductId.optional(),
  /**
   * Only lines of this computer; a client's log is identified by its PC. Without an instrument, all lines that the
   * caller may see. Allows any text that a line may use as computer name, including control characters, so that every
   * listed log can be read.
   */
  computerName: text(200).min(1).optional(),
  /** Customer name, because the same computer name may occur at several customers. */
  enterprise: line(200).min(1).optional(),
}

/** Every word must occur. */
const searchString = line(200).refine((text) => text.trim() !== '', 'must not be empty')

const logWindow = {
  ...logLines,
  order: order.default('DESC'),
  /** Inclusive. */
  timeGreaterThan: instantInput.optional(),
  /** Exclusive. */
  timeLessThan: instantInput.optional(),
  size: wholeNumber(1, 100).default(6),
  /** Both values of the last line read. The next page continues after it in the direction of `order`. */
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
const halfCursor = { error: 'requires openSearchTimeStamp, and vice versa', path: ['openSearchLogId'] }

export const listInstrumentLogs = route({
  ...paths.listInstrumentLogs,
  summary: 'Lines of one log of an instrument or computer, ordered by time; the last line read is the cursor',
  query: z.strictObject(logWindow).refine(wholeCursor, halfCursor),
  answer: logPage,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

export const searchInstrumentLogs = route({
  ...paths.searchInstrumentLogs,
  summary: 'Search results of one log: lines with every word of the search in any field, highlighted',
  query: z.strictObject({ ...logWindow, searchString }).refine(wholeCursor, halfCursor),
  answer: logPage,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/**
 * A log of an instrument or of one of its client computers, including linked computers that have not sent lines yet
 * and replaced ones that did.
 */
export const availableLog = z.object({
  logType: z.enum(logTypes),
  /** Set only for a client's log (UNICORNCLIENT); null for other logs and if client lines name no computer. */
  computerName: z.string().nullable(),
  /** Timestamp of the newest line; null for a linked computer without lines. */
  newest: instant.nullable(),
})
export type AvailableLog = z.output<typeof availableLog>

export const listAvailableLogs = route({
  ...paths.listAvailableLogs,
  summary:
    'Available logs of an instrument: one per log type, and one per client computer that is linked or has sent lines',
  query: z.strictObject({ instrumentInstalledProductId: installedProductId }),
  answer: z.object({
    values: z.array(availableLog),
    /** Runs of the last 400 days, to read the lines of one: newest first, at most 100. Lines belong to a run by time. */
    runs: z.array(instrumentRun),
    completeFrom,
  }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** Limit of lines that are counted over time; older ones are not counted. */
export const MAX_LINES_OVER_TIME = 100_000

/** Lines of one part of the span. A line is an error or a warning by its level. */
export const logCount = z.object({
  lines: z.number().int(),
  errors: z.number().int(),
  warnings: z.number().int(),
})
export type LogCount = z.output<typeof logCount>

export const countLogLines = route({
  ...paths.countLogLines,
  summary: 'Number of lines, errors and warnings of one log in equal parts of a time span, oldest first',
  query: z
    .strictObject({
      ...logLines,
      searchString: searchString.optional(),
      /** Inclusive. */
      timeGreaterThan: instantInput,
      /** Exclusive. */
      timeLessThan: instantInput,
      parts: wholeNumber(1, 100),
    })
    .refine(({ timeGreaterThan, timeLessThan }) => timeGreaterThan < timeLessThan, {
      error: 'must be later than timeGreaterThan',
      path: ['timeLessThan'],
    }),
  answer: z.object({
    counts: z.array(logCount),
    /** Lines before this moment are not counted, because there are too many or they cannot be read; null if all are. */
    countedFrom: instant.nullable(),
  }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
