import { z } from 'zod'
import { serviceEvent } from './events.ts'
import { paths } from './paths.ts'
import { TEMPLATE_ID } from './patterns.ts'
import { id, installedProductId, instant, instantInput, queryBoolean, wholeNumber } from './primitives.ts'
import { route } from './route.ts'
import { instrumentStatuses, similarEventCounts } from './vocabulary.ts'

/**
 * What is read beside one service event: its history, how fast it was served, events like it, and what went on around
 * it. Document 1 sections 2, 3 and 7, wire 2.
 */

/** One changed property of one entity, as the append-only record holds it. */
export const historyEntry = z.object({
  at: instant,
  /** User id, `SYSTEM`, or null for a gateway. */
  actorId: z.string().nullable(),
  actorName: z.string(),
  /**
   * created, update, shared. A shared one has the names of its receivers as newValue and the comment as reason; both are
   * null for everybody but its sender, its receivers, support and admin.
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
  summary: 'Who changed what on this service event, oldest first',
  params: z.object({ id }),
  answer: z.object({ values: z.array(historyEntry) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** Durations in whole seconds; null for what has not happened yet. */
export const serviceResponse = z.object({
  /** Creation to the first claim. */
  alertToAcknowledgeTime: z.number().int().nullable(),
  /** First claim to closing. */
  duration: z.number().int().nullable(),
  /** Creation to closing. */
  eventReasonClosed: z.number().int().nullable(),
})
export type ServiceResponse = z.output<typeof serviceResponse>

export const getServiceResponse = route({
  ...paths.getServiceResponse,
  summary: 'How long it took to take this event and to close it, in seconds',
  params: z.object({ id }),
  answer: serviceResponse,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

export const listSimilarEvents = route({
  ...paths.listSimilarEvents,
  summary: 'Events before `date` on the same instrument, with the same error, or both; the newest first',
  /** At least one of installed product id and templateId; `thisEventOnly` narrows an instrument's events to templateId. */
  query: z
    .strictObject({
      templateId: z.string().regex(TEMPLATE_ID).optional(),
      /** Exclusive: the creation of the event that is looked at. */
      date: instantInput.optional(),
      instrumentInstalledProductId: installedProductId.optional(),
      thisEventOnly: queryBoolean.default(false),
      maxResultsQuantity: wholeNumber(1, 50).default(similarEventCounts[0]),
    })
    .refine((query) => query.templateId !== undefined || query.instrumentInstalledProductId !== undefined, {
      error: 'needs instrumentInstalledProductId, templateId or both',
    })
    .refine((query) => !query.thisEventOnly || query.templateId !== undefined, {
      error: 'is needed for thisEventOnly',
      path: ['templateId'],
    }),
  answer: z.object({ values: z.array(z.object({ alarm: serviceEvent })) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** A status that the instrument took on at `from` and held until the next one. */
export const statusSpan = z.object({ from: instant, instrumentStatus: z.enum(instrumentStatuses) })
export type StatusSpan = z.output<typeof statusSpan>

/**
 * What went on at the instrument from 6 hours before the event to 6 hours after it, or to now. By the instrument's clock
 * (`logGeneratedAt`), as its statuses are: what came late stands where it happened.
 */
export const eventSurroundings = z.object({
  start: instant,
  stop: instant,
  /**
   * Oldest first; the first is the one that held at `start` where it is known, so its `from` may lie before. Empty for an
   * edge issue, and for an instrument that belongs to another customer by now. At most 1,000, the nearest to this event.
   */
  statuses: z.array(statusSpan),
  /**
   * Events of the instrument between start and stop, this one included, oldest first; the 100 nearest to this one. For an
   * edge issue those of its gateway. What was stored more than 30 days after `stop` is not among them.
   */
  values: z.array(z.object({ alarm: serviceEvent })),
  /** How many there are in all. */
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

const ofInstrument = z.strictObject({ instrumentInstalledProductId: installedProductId })

export const listFrequentEvents = route({
  ...paths.listFrequentEvents,
  summary: 'The 5 errors that an instrument raised most often in the last 6 months, by template id in order of rank',
  query: ofInstrument,
  /**
   * Members stand in order of rank, the most frequent first, of equals the one that was raised last; a template id is never
   * a whole number, so every JSON parser keeps that order. `event` is the newest of its kind.
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
