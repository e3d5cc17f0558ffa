import { z } from 'zod'
import { serviceEvent } from '../events/events.ts'
import { paths } from '../paths.ts'
import { id, installedProductId, instant, line, paging, text } from '../primitives.ts'
import { backOffice, notBackOffice, route } from '../route.ts'
import {
  alarmTestResults,
  feedStates,
  instrumentStatuses,
  type OrcStatus,
  orcStatuses,
  severities,
} from '../vocabulary.ts'
import { gatewaySource } from './administration.ts'

/** Support tools behind the flag BACKOFFICE: document 2 sections 2, 5 and 7, wire 10. */

/**
 * A form field: absent, null and empty mean the same. Each missing field gets the error '<Field> cannot be empty.';
 * the first one becomes ErrorBody. See `backoffice-forms.ts`.
 */
const field = (max: number) => text(max).nullish()
/** Same as `field`, but a single line, for values that become a name or a code. */
const lineField = (max: number) => line(max).nullish()

export const createBackofficeEvent = route({
  ...paths.createBackofficeEvent,
  summary: 'Create a service event, processed like one from a gateway',
  body: z.strictObject({
    componentName: lineField(200),
    description: field(10_000),
    userMessage: field(10_000),
    severity: lineField(20),
    templateId: lineField(60),
    instrumentInstalledProductId: lineField(64),
    alertStatus: lineField(20),
    alertType: z.union([text(10), z.number()]).nullish(),
    createdAt: lineField(40),
    logGeneratedAt: lineField(40),
    alertSource: lineField(200),
    alertId: lineField(100),
    claimedBy: lineField(40),
    reasonClosed: lineField(60),
    reasonClosedComment: field(2000),
    serviceMaxCaseNumber: lineField(40),
    serviceMaxUrl: lineField(500),
  }),
  success: [201],
  answer: serviceEvent,
  errors: [...notBackOffice, 'not-found', 'bad-event'],
  access: backOffice,
})

const instrumentState = z.object({
  ipid: z.string(),
  instrumentStatus: z.enum(instrumentStatuses),
  orcStatus: z.enum(orcStatuses),
  createOfflineEvent: z.boolean(),
})

/** True for the two connection statuses that an offline event can report. */
const isLost = (orcStatus: OrcStatus) => orcStatus === 'Disconnected' || orcStatus === 'Edge Issue'

export const getBackofficeInstrumentStatus = route({
  ...paths.getBackofficeInstrumentStatus,
  summary: 'Current statuses of an instrument; createOfflineEvent is always false',
  query: z.strictObject({ ipid: installedProductId }),
  answer: instrumentState,
  errors: [...notBackOffice, 'not-found'],
  access: backOffice,
})

export const setBackofficeInstrumentStatus = route({
  ...paths.setBackofficeInstrumentStatus,
  summary: 'Change the statuses of an instrument, and raise its offline event if requested',
  body: z
    .strictObject({
      ipid: installedProductId,
      instrumentStatus: z.enum(instrumentStatuses),
      orcStatus: z.enum(orcStatuses),
      createOfflineEvent: z.boolean().default(false),
    })
    .refine(({ createOfflineEvent, orcStatus }) => !createOfflineEvent || isLost(orcStatus), {
      error: 'requires the ORC status Disconnected or Edge Issue',
      path: ['createOfflineEvent'],
    }),
  answer: instrumentState,
  errors: [...notBackOffice, 'not-found'],
  access: backOffice,
})

export const injectLog = route({
  ...paths.injectLog,
  summary: 'Insert one log line of an instrument or its client',
  body: z.strictObject({
    logType: lineField(40),
    message: field(20_000),
    instrumentInstalledProductId: lineField(64),
    module: lineField(120),
    componentName: lineField(120),
    errorCode: lineField(40),
    logLevel: lineField(40),
    eventCode: lineField(40),
    winlogUserName: lineField(200),
    hostHostname: lineField(200),
    enterprise: lineField(200),
    timestamp: lineField(40),
  }),
  success: [201],
  answer: z.object({ _id: z.string() }),
  errors: [...notBackOffice, 'not-found', 'bad-log'],
  access: backOffice,
})

export const listCustomerEmails = route({
  ...paths.listCustomerEmails,
  summary: 'Instruments in scope with their contact addresses, by installed product id',
  answer: z.array(
    z.object({
      instrumentInstalledProductId: z.string(),
      instrumentCustomer: z.string(),
      contactEmails: z.array(z.string()),
    }),
  ),
  errors: notBackOffice,
  access: backOffice,
})

export const readUnicornPcNames = route({
  ...paths.readUnicornPcNames,
  summary: 'Client PC names of instruments in scope, by installed product id',
  body: z.strictObject({ instrumentInstalledProductIds: z.array(installedProductId).max(1000) }),
  answer: z.record(z.string(), z.array(z.string())),
  errors: notBackOffice,
  access: backOffice,
})

/** A rejected item of a gateway, kept until someone fixes or discards it. */
export const parkedItem = z.object({
  id,
  gateway: z.string(),
  itemId: z.string().nullable(),
  code: z.string(),
  reason: z.string(),
  /** The item's original JSON text. Lists cut it after 200,000 characters, more than a fixed item may have. */
  item: z.string(),
  receivedAt: instant,
  resolvedAt: instant.nullable(),
})
export type ParkedItem = z.output<typeof parkedItem>

export const listParkedItems = route({
  ...paths.listParkedItems,
  summary: 'Parked items of gateways in scope, newest first',
  query: z.strictObject({
    ...paging,
    gateway: line(64).optional(),
    state: z.enum(['open', 'resolved']).default('open'),
  }),
  answer: z.object({ values: z.array(parkedItem), total: z.number().int() }),
  errors: notBackOffice,
  access: backOffice,
})

export const retryParkedItem = route({
  ...paths.retryParkedItem,
  summary: 'Retry a parked item, unchanged or fixed; it is resolved or stays parked with the new reason',
  params: z.object({ id }),
  body: z.strictObject({ item: text(200_000).optional() }),
  answer: parkedItem,
  errors: [...notBackOffice, 'not-found', 'malformed-json', 'status-conflict'],
  access: backOffice,
})

export const discardParkedItem = route({
  ...paths.discardParkedItem,
  summary: 'Discard a parked item; it is resolved with the given reason, which is written to the audit log',
  params: z.object({ id }),
  body: z.strictObject({ reason: line(200).trim().min(1) }),
  success: [204],
  errors: [...notBackOffice, 'not-found', 'status-conflict'],
  access: backOffice,
})

/** An event that CREATE_EVENTS_WITH_CONTRACT_ONLY suppressed, with the values of its first report. */
export const heldBackEvent = z.object({
  id,
  instrumentInstalledProductId: z.string(),
  customer: z.string(),
  templateId: z.string(),
  componentName: z.string(),
  description: z.string().nullable(),
  /** As the event would have it: the severity of its first report, else that of its template. */
  severity: z.enum(severities),
  raisedAt: instant,
  heldBackAt: instant,
  /** Number of reports until the instrument returned to normal, including the first. */
  raises: z.number().int(),
  /** Set once the event was created after all. */
  eventId: z.string().nullable(),
})
export type HeldBackEvent = z.output<typeof heldBackEvent>

export const listHeldBackEvents = route({
  ...paths.listHeldBackEvents,
  summary: 'Events in scope that were suppressed because no contract is running, newest first',
  query: z.strictObject({ ...paging, state: z.enum(['open', 'released']).default('open') }),
  answer: z.object({ values: z.array(heldBackEvent), total: z.number().int() }),
  errors: notBackOffice,
  access: backOffice,
})

export const releaseHeldBackEvent = route({
  ...paths.releaseHeldBackEvent,
  summary: 'Create the suppressed event',
  params: z.object({ id }),
  success: [201],
  answer: serviceEvent,
  errors: [...notBackOffice, 'not-found', 'status-conflict'],
  access: backOffice,
})

/** Feed health of a gateway and the result of its last test event. */
export const gatewayFeed = z.object({
  gateway: z.string(),
  customer: z.string(),
  state: z.enum(feedStates),
  lastMessageAt: instant.nullable(),
  /**
   * Delay in seconds between the gateway's clock and the server's for the newest item; null if nothing arrived within
   * 24 h.
   */
  lagSeconds: z.number().nullable(),
  /** Sequence numbers skipped within 24 h that have not arrived since. */
  gaps: z.number().int(),
  /** Items received more than once within 24 h; repeats are ignored. */
  duplicates: z.number().int(),
  /** Parked items that still have to be fixed or discarded. */
  parked: z.number().int(),
  instruments: z.number().int(),
  lastTest: z.object({ at: instant, result: z.enum(alarmTestResults), seconds: z.number().nullable() }).nullable(),
  /** Sources of the gateway, from its last heartbeat; empty if it reports none. */
  links: z.array(gatewaySource.omit({ items: true, lastItemAt: true, unmatchedNames: true })),
})
export type GatewayFeed = z.output<typeof gatewayFeed>

export const listGatewayFeeds = route({
  ...paths.listGatewayFeeds,
  summary: 'Feed health of each gateway in scope: last message, lag, gaps, duplicates, parked items and last test',
  answer: z.array(gatewayFeed),
  errors: notBackOffice,
  access: backOffice,
})

/** The replica from which key figures, reports, exports and copies of all events are read. */
export const readReplica = z.object({
  /** `none`: no replica is configured. `behind` and `away`: the primary is read in the meantime. */
  state: z.enum(['none', 'used', 'behind', 'away']),
  /** How long the replica has lacked something that the primary has; null while it is away. */
  lagSeconds: z.number().nullable(),
  /** Lag above which the replica is not used; null without one. */
  maxLagSeconds: z.number().nullable(),
})
export type ReadReplica = z.output<typeof readReplica>

export const getReadReplica = route({
  ...paths.getReadReplica,
  summary: 'State of the read replica, as the server that answers sees it',
  answer: readReplica,
  errors: notBackOffice,
  access: backOffice,
})

export const injectTestAlarms = route({
  ...paths.injectTestAlarms,
  summary:
    'Send a test event through the alarm chain of every gateway now, like the weekly one of WEEKLY_ALARM_INJECTION',
  success: [202],
  answer: z.object({ gateways: z.number().int() }),
  errors: [...notBackOffice, 'too-many-requests'],
  access: backOffice,
})
