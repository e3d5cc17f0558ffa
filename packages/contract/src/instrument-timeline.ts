import { z } from 'zod'
import { statusSpan } from './event-details.ts'
import { paths } from './paths.ts'
import { id, instant, instantInput, instrumentId } from './primitives.ts'
import { route } from './route.ts'
import { dailyRuntime } from './usage.ts'
import { alertStatuses, orcStatuses, severities } from './vocabulary.ts'

/**
 * What happened to one instrument within a span of time, for one picture on one axis. Somebody with a list of customers sees
 * nothing from before the instrument came to its customer.
 */

/** An event as a mark on the axis; the rest is read when it is opened. */
export const timelineEvent = z.object({
  id,
  eventId: z.string(),
  /** By the server's clock. */
  createdAt: instant,
  /** By the instrument's clock, as the statuses are: where the mark stands. */
  logGeneratedAt: instant,
  closedAt: instant.nullable(),
  clearedAt: instant.nullable(),
  severity: z.enum(severities),
  alertStatus: z.enum(alertStatuses),
  description: z.string(),
  templateId: z.string(),
  duringMaintenance: z.boolean(),
})

/** A maintenance window that the span touches; a recurring maintenance has several, all with its id. */
export const timelineWindow = z.object({
  id,
  start: instant,
  end: instant.nullable(),
  reason: z.string().nullable(),
})

export const instrumentTimeline = z.object({
  /** The span told of: as asked for, but never from before the instrument came to its customer. */
  start: instant,
  stop: instant,
  /** Events that happened in the span by the instrument's clock, oldest first; the newest 1,000. As statuses are placed. */
  events: z.array(timelineEvent),
  /** How many there are in all. */
  total: z.object({ events: z.number().int() }),
  /** Oldest first; the first is the one that held at `start` where that is known. The latest 5,000. */
  statuses: z.array(statusSpan),
  /** Whether earlier statuses of the span were left out. */
  statusesCut: z.boolean(),
  /** The connection as far as it is known, oldest first; the latest 1,000. */
  connections: z.array(z.object({ from: instant, orcStatus: z.enum(orcStatuses) })),
  /** By start; those to come included, at most 500. */
  maintenances: z.array(timelineWindow),
  /** Days of the site that the span touches; none without the flag FETCH_INSTRUMENT_DAILY_RUNTIMES. */
  runtimes: z.array(dailyRuntime),
})
export type InstrumentTimeline = z.output<typeof instrumentTimeline>

export const getInstrumentTimeline = route({
  ...paths.getInstrumentTimeline,
  summary: 'Events, statuses, connection, maintenance and run time of an instrument within a span of up to 366 days',
  params: z.object({ id: instrumentId }),
  /** stop: now without; start: 7 days before without. */
  query: z.strictObject({ start: instantInput.optional(), stop: instantInput.optional() }),
  answer: instrumentTimeline,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
