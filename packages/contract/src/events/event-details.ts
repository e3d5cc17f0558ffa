import { z } from 'zod'
import { paths } from '../paths.ts'
import { TEMPLATE_ID } from '../patterns.ts'
import { id, installedProductId, instant, instantInput, queryBoolean, wholeNumber } from '../primitives.ts'
import { route } from '../route.ts'
import { closeReasons, instrumentStatuses, similarEventCounts } from '../vocabulary.ts'
import { serviceEvent } from './events.ts'

/**
 * Data shown with one service event: its history, response times, similar events, and activity around it. Document 1
 * sections 2, 3 and 7, wire 2.
 */

/** One changed property of one entity, as stored in the append-only audit log. */
export const historyEntry = z.object({
  at: instant,
  /** User id, `SYSTEM`, or null for a gateway. */
  actorId: z.string().nullable(),
  actorName: z.string(),
  /**
   * `created`, `update` or `shared`. An entry for `shared` has the receivers' names as newValue and the comment as
   * reason; both are null unless the caller is its sender, a receiver, support or admin.
   */
  action: z.string(),
  property: z.string().nullable(),
  oldValue: z.string().nullable(),
  newValue: z.string().nullable(),
  reason: z.string().nullable(),
})
export type HistoryEntry = z.output<typeof historyEntry>

export const listServiceEventHistory = route({
  ...paths.listServiceEventHistory,
  summary: 'Change history of a service event, oldest first',
  params: z.object({ id }),
  answer: z.object({ values: z.array(historyEntry) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** Durations in whole seconds; null for steps that have not happened yet. */
export const serviceResponse = z.object({
  /** From creation to the first claim. */
  alertToAcknowledgeTime: z.number().int().nullable(),
  /** From the first claim to closing. */
  duration: z.number().int().nullable(),
  /** From creation to closing. */
  eventReasonClosed: z.number().int().nullable(),
})
export type ServiceResponse = z.output<typeof serviceResponse>

export const getServiceResponse = route({
  ...paths.getServiceResponse,
  summary: 'Times to acknowledge and to close this event, in seconds',
  params: z.object({ id }),
  answer: serviceResponse,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

export const listSimilarEvents = route({
  ...paths.listSimilarEvents,
  summary: 'Events before `date` on the same instrument, with the same error, or both; newest first',
  /**
   * Requires an installed product id, a templateId, or both. `thisEventOnly` limits an instrument's events to the
   * templateId.
   */
  query: z
    .strictObject({
      templateId: z.string().regex(TEMPLATE_ID).optional(),
      /** Exclusive upper bound: the creation time of the event being viewed. */
      date: instantInput.optional(),
      instrumentInstalledProductId: installedProductId.optional(),
      thisEventOnly: queryBoolean.default(false),
      maxResultsQuantity: wholeNumber(1, 50).default(similarEventCounts[0]),
    })
    .refine((query) => query.templateId !== undefined || query.instrumentInstalledProductId !== undefined, {
      error: 'requires instrumentInstalledProductId, templateId or both',
    })
    .refine((query) => !query.thisEventOnly || query.templateId !== undefined, {
      error: 'is required for thisEventOnly',
      path: ['templateId'],
    }),
  answer: z.object({ values: z.array(z.object({ alarm: serviceEvent })) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** The instrument had this status from `from` until the next span. */
export const statusSpan = z.object({ from: instant, instrumentStatus: z.enum(instrumentStatuses) })
export type StatusSpan = z.output<typeof statusSpan>

/**
 * Activity of the instrument from 6 hours before the event to 6 hours after it, or to now. Ordered by the instrument's
 * clock (`logGeneratedAt`), like its statuses, so late reports appear where they happened.
 */
export const eventSurroundings = z.object({
  start: instant,
  stop: instant,
  /**
   * Oldest first. The first span covers `start` if known, so its `from` may be earlier. Empty for edge issues and for
   * instruments that have moved to another customer. At most 1,000, the nearest to this event.
   */
  statuses: z.array(statusSpan),
  /**
   * Events of the instrument between start and stop, including this one, oldest first; the 100 nearest to this one.
   * For an edge issue, those of its gateway. Excludes events stored more than 30 days after `stop`.
   */
  values: z.array(z.object({ alarm: serviceEvent })),
  /** Total number of events. */
  total: z.object({ events: z.number().int() }),
})
export type EventSurroundings = z.output<typeof eventSurroundings>

export const getEventSurroundings = route({
  ...paths.getEventSurroundings,
  summary: 'Statuses and events of the instrument within 6 hours of this event',
  params: z.object({ id }),
  answer: eventSurroundings,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/**
 * Events closed at least this many days ago, and how many of them were followed by the same error on the same
 * instrument (for an edge issue, of the same gateway) within these days of closing. Null if they belong to too few
 * customers to be shown.
 */
const returns = z.object({ events: z.number().int(), cameBack: z.number().int() })

/** Events that were closed for one reason, and how often the error came back. Never names a customer or instrument. */
export const outcome = z.object({
  reasonClosed: z.enum(closeReasons),
  events: z.number().int(),
  /** The median time from creation to closing, in whole seconds. */
  medianSeconds: z.number().int(),
  within7Days: returns.nullable(),
  within30Days: returns.nullable(),
})
export type Outcome = z.output<typeof outcome>

/** How events were closed, most frequent reason first, and since when they were raised. */
export const outcomes = z.object({ start: instant, values: z.array(outcome) })
export type Outcomes = z.output<typeof outcomes>

/**
 * How other events with the same error (templateId, as in similar events) were closed. Each part covers the newest
 * `outcomeLimits.events` events of the last `outcomeLimits.years` years; `start` says how far back that reaches.
 */
export const eventOutcomes = z.object({
  /** Events in the caller's scope. */
  inScope: outcomes,
  /**
   * Events of all customers; null if the caller's scope is all customers already. A reason is included only if its
   * events belong to at least five customers (`outcomeLimits.customers`), at least four of them outside the caller's
   * scope, so that the difference between both parts says nothing about a single customer.
   */
  everywhere: outcomes.nullable(),
})
export type EventOutcomes = z.output<typeof eventOutcomes>

export const getEventOutcomes = route({
  ...paths.getEventOutcomes,
  summary: 'How other events with the same error were closed, and how often it came back',
  params: z.object({ id }),
  answer: eventOutcomes,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

const ofInstrument = z.strictObject({ instrumentInstalledProductId: installedProductId })

export const listFrequentEvents = route({
  ...paths.listFrequentEvents,
  summary: 'The 5 most frequent errors of an instrument in the last 6 months, by template id in order of rank',
  query: ofInstrument,
  /**
   * Members are ordered by rank: the most frequent first, and among equals the one raised last. A template id is never
   * a whole number, so every JSON parser keeps this order. `event` is the newest of its kind.
   */
  answer: z.record(z.string(), z.object({ event: serviceEvent, count: z.number().int() })),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

export const listRecentEvents = route({
  ...paths.listRecentEvents,
  summary: 'The 5 newest events of an instrument, newest first',
  query: ofInstrument,
  answer: z.object({ values: z.array(z.object({ alarm: serviceEvent })) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
