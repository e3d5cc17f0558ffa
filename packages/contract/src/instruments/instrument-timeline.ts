import { z } from 'zod'
import { statusSpan } from '../events/event-details.ts'
import { paths } from '../paths.ts'
import { id, instant, instantInput, instrumentId } from '../primitives.ts'
import { route } from '../route.ts'
import { alertStatuses, orcStatuses, severities } from '../vocabulary.ts'
import { instrumentRun } from './instruments.ts'
import { dailyRuntime } from './usage.ts'

/**
 * Everything that happened to one instrument within a time span, for one chart with a shared time axis. A user with a
 * limited scope sees nothing from before the instrument came to its customer.
 */

/** An event as a mark on the axis; its details load when the mark is opened. */
export const timelineEvent = z.object({
  id,
  eventId: z.string(),
  /** Time by the server's clock. */
  createdAt: instant,
  /** Time by the instrument's clock, like the statuses; positions the mark. */
  logGeneratedAt: instant,
  closedAt: instant.nullable(),
  clearedAt: instant.nullable(),
  severity: z.enum(severities),
  alertStatus: z.enum(alertStatuses),
  description: z.string(),
  templateId: z.string(),
  duringMaintenance: z.boolean(),
})

/** A maintenance window that overlaps the span. All windows of a recurring maintenance have the same id. */
export const timelineWindow = z.object({
  id,
  start: instant,
  end: instant.nullable(),
  reason: z.string().nullable(),
})

export const instrumentTimeline = z.object({
  /** Start of the span as requested; with a limited scope, no earlier than the instrument came to its customer. */
  start: instant,
  stop: instant,
  /** Events of the span by the instrument's clock, like the statuses; oldest first, the newest 1,000. */
  events: z.array(timelineEvent),
  /** Total number of events. */
  total: z.object({ events: z.number().int() }),
  /** Oldest first; the first one covers `start` if known. The latest 5,000. */
  statuses: z.array(statusSpan),
  /** True if earlier statuses of the span were left out. */
  statusesCut: z.boolean(),
  /** Runs that were on within the span, oldest first; the latest 500. */
  runs: z.array(instrumentRun),
  /** Known connection statuses, oldest first; the latest 1,000. */
  connections: z.array(z.object({ from: instant, orcStatus: z.enum(orcStatuses) })),
  /** Ordered by start, including future windows; at most 500. */
  maintenances: z.array(timelineWindow),
  /** Days in site time that overlap the span; empty without the flag FETCH_INSTRUMENT_DAILY_RUNTIMES. */
  runtimes: z.array(dailyRuntime),
})
export type InstrumentTimeline = z.output<typeof instrumentTimeline>

export const getInstrumentTimeline = route({
  ...paths.getInstrumentTimeline,
  summary: 'Events, statuses, connection, maintenance and run time of an instrument for up to 366 days',
  params: z.object({ id: instrumentId }),
  /** Defaults: stop is now, start is 7 days earlier. */
  query: z.strictObject({ start: instantInput.optional(), stop: instantInput.optional() }),
  answer: instrumentTimeline,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
