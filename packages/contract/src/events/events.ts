import { z } from 'zod'
import { paths } from '../paths.ts'
import { TEMPLATE_ID } from '../patterns.ts'
import {
  calendarDate,
  eventNumber,
  filterShape,
  id,
  instant,
  instantInput,
  instrumentTypeKey,
  line,
  order,
  paging,
  queryBoolean,
  text,
} from '../primitives.ts'
import { route } from '../route.ts'
import {
  alertStatuses,
  alertTypes,
  closeReasons,
  eventFilterCategories,
  eventOrderBy,
  instrumentStatuses,
  limits,
  requestedAlertStatuses,
  severities,
} from '../vocabulary.ts'

/**
 * Service events: instruments report them; users claim, move and close them. On the wire they are called `alarm`.
 * Rules: document 1 sections 3–7, 3-decisions 4. Shapes: wire 2.
 */

/** The automatic e-mail to the customer's contact; null if none was sent or if AUTO_EMAIL is off for the caller. */
export const automaticEmail = z.object({
  contactName: z.string().nullable(),
  email: z.string(),
  subject: z.string(),
  /** Omitted in lists. */
  body: z.string().optional(),
})

/** The service case that the case desk makes, or has made, for an event. Its number and URL are those of the event. */
export const serviceCase = z.object({
  requestedAt: instant,
  requestedByName: z.string(),
  /** False while the case is being created; the event is closed when it exists. */
  isCreated: z.boolean(),
  /** Why the last attempt to create it failed, as a sentence, and when the next one follows; null if none failed. */
  lastError: z.string().nullable(),
  retryAt: instant.nullable(),
  /** The last status that the desk reported, and since when the case has it; null before the first report. */
  status: z.string().nullable(),
  statusSince: instant.nullable(),
})
export type ServiceCase = z.output<typeof serviceCase>

/** One service event in the form that all callers get. Absent values are null. */
export const serviceEvent = z.object({
  id,
  alertId: z.string(),
  /** Digits only; shown as ORC-{digits}. */
  eventId: z.string(),
  templateId: z.string().regex(TEMPLATE_ID),
  /** Same value as templateId, under its name in document 2. */
  eventTemplateId: z.string(),
  /** Module code: the part before the template id's last hyphen. */
  eisCode: z.string(),
  errorCode: z.string(),
  /** "Date generated"; same as logGeneratedAt. */
  date: instant,
  /** Time when the server stored the event; its age counts from here. */
  createdAt: instant,
  logGeneratedAt: instant,
  /** Time when the instrument returned to normal; independent of alertStatus. */
  clearedAt: instant.nullable(),
  severity: z.enum(severities),
  description: z.string(),
  userMessage: z.string().nullable(),
  alertType: z.literal(alertTypes),
  /** Comma separated: INSTRUMENT, EDGE_ISSUE, OFFLINE, BACKOFFICE, TEST. */
  alertSource: z.string(),
  isEdgeIssue: z.boolean(),
  alertStatus: z.enum(alertStatuses),
  /** User id, `SYSTEM`, or null. */
  claimedBy: z.string().nullable(),
  claimedByName: z.string().nullable(),
  reasonClosed: z.enum(closeReasons).nullable(),
  reasonClosedComment: z.string().nullable(),
  serviceMaxCaseNumber: z.string().nullable(),
  serviceMaxUrl: z.string().nullable(),
  /** Null without a case of the case desk; omitted in lists. */
  serviceCase: serviceCase.nullable().optional(),
  automaticEmail: automaticEmail.nullable(),
  automaticEmailSentAt: instant.nullable(),
  /** Sanitised HTML; omitted in lists. */
  troubleshooting: z.string().nullable().optional(),
  /** Sanitised HTML; omitted in lists. */
  remedy: z.string().nullable().optional(),
  /** Name with the module in parentheses: `Pump B (P9-B)`. */
  componentName: z.string().nullable(),
  /** Name without designator and module: `Pump`. */
  componentType: z.string().nullable(),
  instrumentId: id.nullable(),
  /** For an edge issue, the gateway's own id. */
  instrumentInstalledProductId: z.string(),
  instrumentProductDescription: z.string().nullable(),
  instrumentDefinedSystemName: z.string().nullable(),
  instrumentType: instrumentTypeKey.nullable(),
  /** Current status. */
  instrumentStatus: z.enum(instrumentStatuses).nullable(),
  /** Status when the event was raised. */
  instrumentStatusAtEvent: z.enum(instrumentStatuses).nullable(),
  /** Id of the run in progress when the event happened (logGeneratedAt), from the instrument's statuses. */
  run: z.string().nullable(),
  qualifiedSystem: z.boolean().nullable(),
  tierOne: z.boolean(),
  /** True if raised under a 24-hour contract. Open events follow contract changes. */
  fullSupport: z.boolean(),
  /**
   * True if the instrument was in maintenance when the event happened (logGeneratedAt). Never true for an edge issue.
   */
  duringMaintenance: z.boolean(),
  /** Number of times the alarm was raised again while this event was open and not cleared. */
  latchedCount: z.number().int(),
  /** The customer that had the instrument when the event was raised. */
  enterpriseName: z.string(),
  siteStreet: z.string().nullable(),
  siteZip: z.string().nullable(),
  siteCity: z.string().nullable(),
  siteCountry: z.string().nullable(),
  siteRegion: z.string().nullable(),
  /** IANA zone of the site. */
  siteTimeZone: z.string().nullable(),
  /** Degrees, at most 5 decimals. */
  instrumentLocationLatitude: z.number().nullable(),
  instrumentLocationLongitude: z.number().nullable(),
  cpType: z.string().nullable(),
  cpSLATerm: z.string().nullable(),
  cpEndDate: calendarDate.nullable(),
  instrumentLastMaintenance: calendarDate.nullable(),
  instrumentLastService: calendarDate.nullable(),
  contactName: z.string().nullable(),
  contactMobile: z.string().nullable(),
  contactPhone: z.string().nullable(),
  contactEmail: z.string().nullable(),
  itContactName: z.string().nullable(),
  itContactEmail: z.string().nullable(),
  gatewayName: z.string().nullable(),
  /** Increases with each change. Sent as ETag and expected in If-Match. */
  version: z.number().int(),
})
export type ServiceEvent = z.output<typeof serviceEvent>

/** Totals of a list. The three counters ignore the three quick-filter flags; the other totals apply them. */
export const eventTotals = z.object({
  events: z.number().int(),
  instruments: z.number().int(),
  components: z.number().int(),
  customers: z.number().int(),
  /** Distinct (customer, street, zip, city, country). */
  locations: z.number().int(),
  noOwnerEvents: z.number().int(),
  noActionEvents: z.number().int(),
  fullSupportEvents: z.number().int(),
  /** Open events that match but were created before `start`. */
  olderOpenEvents: z.number().int(),
})
export type EventTotals = z.output<typeof eventTotals>

/** Unknown categories are refused with 400. */
export const eventFilter = z.strictObject(filterShape(eventFilterCategories))
export type EventFilter = z.output<typeof eventFilter>

/** Search criteria of events, shared by list, totals, map and export. */
export const eventSearch = {
  /** Every word must match (3-decisions 4). At most 40 characters. */
  keyword: text(limits.keyword).optional(),
  /** start ≤ createdAt. */
  start: instantInput.optional(),
  /** createdAt < stop. */
  stop: instantInput.optional(),
  noOwnerEvents: queryBoolean.optional(),
  noActionEvents: queryBoolean.optional(),
  fullSupportEvents: queryBoolean.optional(),
}

/** Sort order of a list. The map accepts the same query (wire 2) but ignores the order. */
const ordering = {
  order: order.optional(),
  /**
   * createdAt (the default) sorts descending by default, all other columns ascending; ties are ordered by id.
   * contractClock: ascending, the clock that runs out first; events without a running clock come last in both directions.
   */
  orderBy: z.enum(eventOrderBy).default('createdAt'),
}

/** How the values and totals of an answer were found. */
const searched = {
  /**
   * The answer is as of this moment, because too much has changed since then to be included. Null if it contains every
   * change.
   */
  asOf: instant.nullable(),
  /** True while the search cluster is away or behind: the database answers in its place, exactly but more slowly. */
  isDegraded: z.boolean(),
}

/** Limits the list to events at these positions (latitude and longitude in degrees); at most 500. */
const positions = z.array(z.tuple([z.number(), z.number()])).max(500)

export const listServiceEvents = route({
  ...paths.listServiceEvents,
  summary: 'One page of service events with the totals of the complete result',
  query: z.strictObject({
    ...paging,
    ...eventSearch,
    ...ordering,
  }),
  body: z.strictObject({
    filter: eventFilter.default({}),
    positions: positions.optional(),
  }),
  answer: z.object({ values: z.array(z.object({ alarm: serviceEvent })), total: eventTotals, ...searched }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

/** Events at one position, combined from all sites there. Degrees as stored, at most 5 decimals. */
export const eventLocation = z.object({
  alarm: z.object({
    instrumentLocationLatitude: z.number(),
    instrumentLocationLongitude: z.number(),
    siteCountry: z.string().nullable(),
    siteCity: z.string().nullable(),
    /** Null if several customers share this position. */
    enterpriseName: z.string().nullable(),
  }),
  high: z.number().int(),
  medium: z.number().int(),
  low: z.number().int(),
  total: z.number().int(),
  /** Events among these that are not closed. */
  openHigh: z.number().int(),
  openMedium: z.number().int(),
  openLow: z.number().int(),
})
export type EventLocation = z.output<typeof eventLocation>

export const listEventLocations = route({
  ...paths.listEventLocations,
  summary: 'Positions of the events of a list, one value per position, with the totals of the list',
  query: z.strictObject({ ...eventSearch, ...ordering }),
  body: z.strictObject({ filter: eventFilter.default({}), positions: positions.optional() }),
  answer: z.object({
    values: z.array(eventLocation),
    total: z.object({
      ...eventTotals.shape,
      /** Events of the list whose site has no position; no value counts them. */
      eventsWithoutPosition: z.number().int(),
    }),
    ...searched,
  }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

/**
 * How many events each value of each filter category would find, within keyword, range, quick filters and all other
 * categories: the values chosen or excluded in a category do not restrict its own counts. Values without events are absent;
 * values that differ only in case count as one.
 */
export const countFilterValues = route({
  ...paths.countFilterValues,
  summary: 'Number of events for each value of the event filters',
  query: z.strictObject(eventSearch),
  body: z.strictObject({ filter: eventFilter.default({}), positions: positions.optional() }),
  answer: z.object({
    values: z.array(
      z.object({
        /** A filter category. */
        key: z.string(),
        counts: z.array(z.object({ value: z.string(), events: z.number().int() })),
      }),
    ),
    ...searched,
  }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})
export type FilterCounts = z.output<typeof countFilterValues.answer>

export const getServiceEvent = route({
  ...paths.getServiceEvent,
  summary: 'One service event by its id; the ETag is its version',
  params: z.object({ id }),
  answer: serviceEvent,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

export const getServiceEventByEventId = route({
  ...paths.getServiceEventByEventId,
  summary: 'One service event by its event id, with or without ORC-',
  params: z.object({ eventId: eventNumber }),
  answer: serviceEvent,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** Any of the six fields. One rule decides which may be combined (3-decisions 4, `status.ts` of the server). */
export const serviceEventChange = z.strictObject({
  alertStatus: z.enum(requestedAlertStatuses).optional(),
  claimedBy: line(40).nullable().optional(),
  reasonClosed: z.enum(closeReasons).nullable().optional(),
  reasonClosedComment: text(limits.reasonClosedComment).nullable().optional(),
  serviceMaxCaseNumber: text(40).nullable().optional(),
  serviceMaxUrl: text(limits.serviceMaxUrl).nullable().optional(),
  /**
   * Alone in the body: takes back the caller's own claim of the last minute and puts back the earlier owner and status.
   * 409 if it is older, or if the event has changed since.
   */
  undo: z.literal(true).optional(),
})
export type ServiceEventChange = z.output<typeof serviceEventChange>

export const updateServiceEvent = route({
  ...paths.updateServiceEvent,
  summary: 'Claim, assign, move, close or correct one service event; supports If-Match',
  params: z.object({ id }),
  body: serviceEventChange,
  answer: serviceEvent,
  errors: [
    'session-expired',
    'not-found',
    'not-owner',
    'bad-change',
    'unknown-owner',
    'status-conflict',
    'version-mismatch',
  ],
  access: { kind: 'signed-in' },
})
