import { z } from 'zod'
import { serviceEvent } from './events.ts'
import { paths } from './paths.ts'
import { id, installedProductId, instant, line, paging, text } from './primitives.ts'
import { backOffice, notBackOffice, route } from './route.ts'
import { alarmTestResults, feedStates, instrumentStatuses, type OrcStatus, orcStatuses } from './vocabulary.ts'

/** Tools of the support desk behind the flag BACKOFFICE: document 2 sections 2, 5 and 7, wire 10. */

/**
 * Fields come as a form has them: absent, null and empty are the same. What is missing is answered per field, '<Field> cannot be
 * empty.', the first of them as ErrorBody: `backoffice-event-form.ts`, `backoffice-log-form.ts`.
 */
const field = (max: number) => text(max).nullish()
/** As `field`, of one line: what becomes a name or a code somewhere else. */
const lineField = (max: number) => line(max).nullish()

export const createBackofficeEvent = route({
  ...paths.createBackofficeEvent,
  summary: 'Create a service event; it goes the same way as one from a gateway',
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

/** The connection statuses that an offline event can tell of. */
const isLost = (orcStatus: OrcStatus) => orcStatus === 'Disconnected' || orcStatus === 'Edge Issue'

export const getBackofficeInstrumentStatus = route({
  ...paths.getBackofficeInstrumentStatus,
  summary: 'Statuses of an instrument as they are now; createOfflineEvent is false, as the form begins',
  query: z.strictObject({ ipid: installedProductId }),
  answer: instrumentState,
  errors: [...notBackOffice, 'not-found'],
  access: backOffice,
})

export const setBackofficeInstrumentStatus = route({
  ...paths.setBackofficeInstrumentStatus,
  summary: 'Change the statuses of an instrument, and raise its offline event where asked',
  body: z
    .strictObject({
      ipid: installedProductId,
      instrumentStatus: z.enum(instrumentStatuses),
      orcStatus: z.enum(orcStatuses),
      createOfflineEvent: z.boolean().default(false),
    })
    .refine(({ createOfflineEvent, orcStatus }) => !createOfflineEvent || isLost(orcStatus), {
      error: 'goes with the ORC status Disconnected or Edge Issue',
      path: ['createOfflineEvent'],
    }),
  answer: instrumentState,
  errors: [...notBackOffice, 'not-found'],
  access: backOffice,
})

export const injectLog = route({
  ...paths.injectLog,
  summary: 'Write one log line as an instrument or its client would',
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
  summary: 'Instruments of the scope with the addresses of their contacts, by installed product id',
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
  summary: 'Names of the client PCs of instruments of the scope, by installed product id',
  body: z.strictObject({ instrumentInstalledProductIds: z.array(installedProductId).max(1000) }),
  answer: z.record(z.string(), z.array(z.string())),
  errors: notBackOffice,
  access: backOffice,
})

/** An item of a gateway that could not be taken in; kept until it is mended or discarded. */
export const parkedItem = z.object({
  id,
  gateway: z.string(),
  itemId: z.string().nullable(),
  code: z.string(),
  reason: z.string(),
  /** As it came, JSON text; cut in lists after 200,000 characters, which is more than can be sent back mended. */
  item: z.string(),
  receivedAt: instant,
  resolvedAt: instant.nullable(),
})
export type ParkedItem = z.output<typeof parkedItem>

export const listParkedItems = route({
  ...paths.listParkedItems,
  summary: 'Items that could not be taken in, newest first; of gateways whose site the scope holds',
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
  summary: 'Take an item in again, as it is or mended; it is resolved, or stays parked with the new reason',
  params: z.object({ id }),
  body: z.strictObject({ item: text(200_000).optional() }),
  answer: parkedItem,
  errors: [...notBackOffice, 'not-found', 'malformed-json', 'status-conflict'],
  access: backOffice,
})

export const discardParkedItem = route({
  ...paths.discardParkedItem,
  summary: 'Discard an item that will not be taken in: it is resolved with the reason given, which is recorded',
  params: z.object({ id }),
  body: z.strictObject({ reason: line(200).trim().min(1) }),
  success: [204],
  errors: [...notBackOffice, 'not-found', 'status-conflict'],
  access: backOffice,
})

/** An event that CREATE_EVENTS_WITH_CONTRACT_ONLY kept from being made, as its first raise would have made it. */
export const heldBackEvent = z.object({
  id,
  instrumentInstalledProductId: z.string(),
  customer: z.string(),
  templateId: z.string(),
  componentName: z.string(),
  description: z.string().nullable(),
  raisedAt: instant,
  heldBackAt: instant,
  /** How often it was raised until it returned to normal, the first time included. */
  raises: z.number().int(),
  /** Set once an event was made of it. */
  eventId: z.string().nullable(),
})
export type HeldBackEvent = z.output<typeof heldBackEvent>

export const listHeldBackEvents = route({
  ...paths.listHeldBackEvents,
  summary: 'Events that were not made for want of a running contract, newest first, in the scope',
  query: z.strictObject({ ...paging, state: z.enum(['open', 'released']).default('open') }),
  answer: z.object({ values: z.array(heldBackEvent), total: z.number().int() }),
  errors: notBackOffice,
  access: backOffice,
})

export const releaseHeldBackEvent = route({
  ...paths.releaseHeldBackEvent,
  summary: 'Make the event after all',
  params: z.object({ id }),
  success: [201],
  answer: serviceEvent,
  errors: [...notBackOffice, 'not-found', 'status-conflict'],
  access: backOffice,
})

/** How a gateway is heard, and what became of its last injected test. */
export const gatewayFeed = z.object({
  gateway: z.string(),
  customer: z.string(),
  state: z.enum(feedStates),
  lastMessageAt: instant.nullable(),
  /** How far the newest item that came was behind the server's clock by the gateway's; null while nothing came within 24 h. */
  lagSeconds: z.number().nullable(),
  /** Numbers that were skipped in the gateway's counting within 24 h and have not come since. */
  gaps: z.number().int(),
  /** Items that came again within 24 h; nothing was done for them. */
  duplicates: z.number().int(),
  /** Items that wait to be mended or discarded. */
  parked: z.number().int(),
  instruments: z.number().int(),
  lastTest: z.object({ at: instant, result: z.enum(alarmTestResults), seconds: z.number().nullable() }).nullable(),
})
export type GatewayFeed = z.output<typeof gatewayFeed>

export const listGatewayFeeds = route({
  ...paths.listGatewayFeeds,
  summary:
    'The state of the feed: each gateway of the scope with its last message, lag, gaps, duplicates, parked items and last test',
  answer: z.array(gatewayFeed),
  errors: notBackOffice,
  access: backOffice,
})

export const injectTestAlarms = route({
  ...paths.injectTestAlarms,
  summary:
    'Run a marked test event through the whole chain of every gateway now, as once a week under WEEKLY_ALARM_INJECTION',
  success: [202],
  answer: z.object({ gateways: z.number().int() }),
  errors: [...notBackOffice, 'too-many-requests'],
  access: backOffice,
})
