import { z } from 'zod'
import { paths } from './paths.ts'
import { TEMPLATE_ID } from './patterns.ts'
import {
  calendarDate,
  eventNumber,
  filterShape,
  id,
  instant,
  instantInput,
  line,
  order,
  paging,
  queryBoolean,
  text,
} from './primitives.ts'
import { route } from './route.ts'
import {
  alertStatuses,
  alertTypes,
  closeReasons,
  eventFilterCategories,
  eventOrderBy,
  instrumentStatuses,
  instrumentTypes,
  limits,
  requestedAlertStatuses,
  severities,
} from './vocabulary.ts'

/**
 * Service events: what instruments report and people take, move and close. On the wire the word is `alarm`.
 * Rules: document 1 sections 3–7, 3-decisions 4. Shapes: wire 2.
 */

/** What was sent to the customer's contact by itself; null when nothing was, and for whom AUTO_EMAIL is off. */
export const automaticEmail = z.object({
  contactName: z.string().nullable(),
  email: z.string(),
  subject: z.string(),
  /** Left out in lists. */
  body: z.string().optional(),
})

/** One service event as everybody reads it. Absent values are null. */
export const serviceEvent = z.object({
  id,
  alertId: z.string(),
  /** Digits only; shown as ORC-{digits}. */
  eventId: z.string(),
  templateId: z.string().regex(TEMPLATE_ID),
  /** The same value under the name of document 2. */
  eventTemplateId: z.string(),
  /** Module code: what stands before the template's last hyphen. */
  eisCode: z.string(),
  errorCode: z.string(),
  /** "Date generated", the same instant as logGeneratedAt. */
  date: instant,
  /** When the server stored it; age counts from here. */
  createdAt: instant,
  logGeneratedAt: instant,
  /** When the instrument returned to normal; says nothing about alertStatus. */
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
  automaticEmail: automaticEmail.nullable(),
  automaticEmailSentAt: instant.nullable(),
  /** Sanitised HTML; left out in lists. */
  troubleshooting: z.string().nullable().optional(),
  /** Sanitised HTML; left out in lists. */
  remedy: z.string().nullable().optional(),
  /** Name with the module in parentheses: `Pump B (P9-B)`. */
  componentName: z.string().nullable(),
  /** Name without designator and module: `Pump`. */
  componentType: z.string().nullable(),
  instrumentId: id.nullable(),
  /** For an edge issue the gateway's own id. */
  instrumentInstalledProductId: z.string(),
  instrumentProductDescription: z.string().nullable(),
  instrumentDefinedSystemName: z.string().nullable(),
  instrumentType: z.enum(instrumentTypes).nullable(),
  /** Now. */
  instrumentStatus: z.enum(instrumentStatuses).nullable(),
  /** At the moment it was raised. */
  instrumentStatusAtEvent: z.enum(instrumentStatuses).nullable(),
  qualifiedSystem: z.boolean().nullable(),
  tierOne: z.boolean(),
  /** Raised under a 24-hour contract; open events follow a changed contract. */
  fullSupport: z.boolean(),
  /** It happened (logGeneratedAt) while its instrument was in maintenance. Never for an edge issue. */
  duringMaintenance: z.boolean(),
  /** How often the same alarm was raised again while this event was open and not cleared. */
  latchedCount: z.number().int(),
  /** The customer under whom it was raised. */
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
  /** Grows with each change; the ETag and the value for If-Match. */
  version: z.number().int(),
})
export type ServiceEvent = z.output<typeof serviceEvent>

/** Totals of a list. The three counters ignore the three quick-filter flags; all else heeds them. */
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

/** Unknown categories: 400. */
export const eventFilter = z.strictObject(filterShape(eventFilterCategories))
export type EventFilter = z.output<typeof eventFilter>

/** What narrows a list of events; the same for list, totals, map and export. */
export const eventSearch = {
  /** Every word must occur (3-decisions 4). At most 40 characters. */
  keyword: text(limits.keyword).optional(),
  /** start ≤ createdAt. */
  start: instantInput.optional(),
  /** createdAt < stop. */
  stop: instantInput.optional(),
  noOwnerEvents: queryBoolean.optional(),
  noActionEvents: queryBoolean.optional(),
  fullSupportEvents: queryBoolean.optional(),
}

/** The order of a list. The map takes the same query (wire 2), though an order decides nothing there. */
const ordering = {
  order: order.optional(),
  /** createdAt (the default) sorts descending by default, all others ascending; ties by id. */
  orderBy: z.enum(eventOrderBy).default('createdAt'),
}

/** Only events at these positions (latitude and longitude in degrees); at most 500. */
const positions = z.array(z.tuple([z.number(), z.number()])).max(500)

export const listServiceEvents = route({
  ...paths.listServiceEvents,
  summary: 'One page of service events with the totals of the whole result',
  query: z.strictObject({
    ...paging,
    ...eventSearch,
    ...ordering,
  }),
  body: z.strictObject({
    filter: eventFilter.default({}),
    positions: positions.optional(),
  }),
  answer: z.object({ values: z.array(z.object({ alarm: serviceEvent })), total: eventTotals }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

/** Events at one position, of all sites there. Degrees as stored, at most 5 decimals. */
export const eventLocation = z.object({
  alarm: z.object({
    instrumentLocationLatitude: z.number(),
    instrumentLocationLongitude: z.number(),
    siteCountry: z.string().nullable(),
    siteCity: z.string().nullable(),
    /** Null where several customers stand at this position. */
    enterpriseName: z.string().nullable(),
  }),
  high: z.number().int(),
  medium: z.number().int(),
  low: z.number().int(),
  total: z.number().int(),
})
export type EventLocation = z.output<typeof eventLocation>

export const listEventLocations = route({
  ...paths.listEventLocations,
  summary: 'Where the events of a list are: one value a position, with the totals of the list',
  query: z.strictObject({ ...eventSearch, ...ordering }),
  body: z.strictObject({ filter: eventFilter.default({}), positions: positions.optional() }),
  answer: z.object({
    values: z.array(eventLocation),
    total: z.object({
      ...eventTotals.shape,
      /** Events of the list whose site has no position; they are in no value. */
      eventsWithoutPosition: z.number().int(),
    }),
  }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

export const getServiceEvent = route({
  ...paths.getServiceEvent,
  summary: 'One service event by its id; ETag carries the version',
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

/** Any of the six; what may go together is decided by one rule (3-decisions 4, `status.ts` of the server). */
export const serviceEventChange = z.strictObject({
  alertStatus: z.enum(requestedAlertStatuses).optional(),
  claimedBy: line(40).nullable().optional(),
  reasonClosed: z.enum(closeReasons).nullable().optional(),
  reasonClosedComment: text(limits.reasonClosedComment).nullable().optional(),
  serviceMaxCaseNumber: text(40).nullable().optional(),
  serviceMaxUrl: text(limits.serviceMaxUrl).nullable().optional(),
})
export type ServiceEventChange = z.output<typeof serviceEventChange>

export const updateServiceEvent = route({
  ...paths.updateServiceEvent,
  summary: 'Claim, assign, move, close or correct one service event; heeds If-Match',
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
