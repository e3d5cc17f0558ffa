import { z } from 'zod'
import { serviceEvent } from '../events/events.ts'
import { paths } from '../paths.ts'
import { INSTRUMENT_FAMILY } from '../patterns.ts'
import {
  calendarDate,
  filterShape,
  id,
  installedProductId,
  instant,
  instantInput,
  instrumentId,
  instrumentTypeKey,
  order,
  paging,
  text,
} from '../primitives.ts'
import { route } from '../route.ts'
import {
  ALL_FAMILIES,
  instrumentFilterCategories,
  instrumentOrderBy,
  instrumentStatuses,
  limits,
  orcStatuses,
} from '../vocabulary.ts'
import { maintenance, maintenances } from './maintenance.ts'

/** Instruments with their identity, location, contacts and connection. Document 2, wire 3. */

/** One instrument in the form that all callers get. Absent values are null. */
export const instrument = z.object({
  id,
  instrumentProductDescription: z.string(),
  /** The instrument's name in the laboratory. */
  instrumentDefinedSystemName: z.string().nullable(),
  instrumentInstalledProductId: z.string(),
  instrumentType: instrumentTypeKey,
  qualifiedSystem: z.boolean(),
  instrumentRegion: z.string().nullable(),
  instrumentSubRegion: z.string().nullable(),
  instrumentCountry: z.string().nullable(),
  instrumentCity: z.string().nullable(),
  instrumentStreetAddress: z.string().nullable(),
  instrumentZipCode: z.string().nullable(),
  instrumentDefinedBuilding: z.string().nullable(),
  instrumentDefinedRoom: z.string().nullable(),
  /** IANA zone of the site; run-time days follow it. */
  instrumentTimeZone: z.string(),
  instrumentCustomer: z.string(),
  instrumentContractType: z.string().nullable(),
  instrumentContractEndDate: calendarDate.nullable(),
  instrumentContractSlaTerm: z.string().nullable(),
  instrumentContactName: z.string().nullable(),
  instrumentContactPhone: z.string().nullable(),
  instrumentContactMobile: z.string().nullable(),
  instrumentContactEmail: z.string().nullable(),
  itContactName: z.string().nullable(),
  itContactEmail: z.string().nullable(),
  instrumentLastService: calendarDate.nullable(),
  instrumentNextService: calendarDate.nullable(),
  instrumentInstallationDate: calendarDate.nullable(),
  /** "Added to ORC". */
  connectedAt: instant.nullable(),
  createdAt: instant,
  orcStatus: z.enum(orcStatuses),
  /** Time since when the connection is lost or the status unknown; null if neither applies. */
  unknownAt: instant.nullable(),
  instrumentStatus: z.enum(instrumentStatuses),
  /** A sentence of the gateway about this status, such as why it does not reach the instrument. */
  statusReason: z.string().nullable(),
  /** Id of the run in progress, and since when; null for both if none is known. */
  run: z.string().nullable(),
  runSince: instant.nullable(),
  /** Number of open events that the caller may see. */
  eventCount: z.number().int(),
  /** The same events by severity; their sum is eventCount. */
  openEventsBySeverity: z.object({ high: z.number().int(), medium: z.number().int(), low: z.number().int() }),
  gatewayName: z.string().nullable(),
  maintenances,
  unicornVersion: z.string().nullable(),
  unicornWinOs: z.string().nullable(),
  unicornPcName: z.string().nullable(),
  unicornServicePack: z.string().nullable(),
  unicornEmbeddedPcDomain: z.string().nullable(),
  unicornEmbeddedPcType: z.string().nullable(),
  unicornInstalledConfigFile: z.string().nullable(),
  /** JSON text with a list of {name, ip, dhcpEnabled}, as the gateway sent it. */
  unicornNetworkConfigurations: z.string().nullable(),
})
export type Instrument = z.output<typeof instrument>

/** A stretch of time in which a run was on, with its whole length: `to` is exclusive, and null while the run is on. */
export const instrumentRun = z.object({ run: z.string(), from: instant, to: instant.nullable() })
export type InstrumentRun = z.output<typeof instrumentRun>

/**
 * Unknown categories are refused with 400. `usageLimit` needs the flags of component usage. `instruments` lists
 * installed product ids; ids outside the scope are ignored.
 */
export const instrumentFilter = z.strictObject({
  ...filterShape(instrumentFilterCategories),
  instruments: z.array(installedProductId).max(1000).optional(),
})
export type InstrumentFilter = z.output<typeof instrumentFilter>

/** Search criteria of instruments, shared by list and export. */
export const instrumentSearch = {
  /**
   * Every word must occur in product description, system name, installed product id, customer, city or country, folded
   * as for events (3-decisions 4). At most 40 characters.
   */
  keyword: text(limits.keyword).optional(),
  /** Key of a family, or All. A family that is not registered is refused with 400. */
  instrumentFamily: z
    .union([z.literal(ALL_FAMILIES), z.string().regex(INSTRUMENT_FAMILY, 'is not an instrument family')])
    .optional(),
  /** start ≤ instrumentNextService. Next service is a day and counts as midnight UTC. */
  start: instantInput.optional(),
  /** instrumentNextService < stop. */
  stop: instantInput.optional(),
}

export const listInstruments = route({
  ...paths.listInstruments,
  summary: 'One page of instruments with the total number',
  query: z.strictObject({
    ...paging,
    ...instrumentSearch,
    order: order.default('ASC'),
    /**
     * Ties are ordered by id in the same direction; missing values come last when ascending. orcStatus and texts sort
     * in natural word order.
     */
    orderBy: z.enum(instrumentOrderBy).default(instrumentOrderBy[0]),
  }),
  body: z.strictObject({ filter: instrumentFilter.default({}) }),
  answer: z.object({ values: z.array(instrument), total: z.object({ instruments: z.number().int() }) }),
  errors: ['session-expired', 'feature-off'],
  access: { kind: 'signed-in' },
})

export const countInstruments = route({
  ...paths.countInstruments,
  summary: 'The number of instruments that each of up to 10 searches finds, all at one moment',
  body: z.strictObject({
    searches: z
      .array(
        z.strictObject({
          filter: instrumentFilter.default({}),
          start: instrumentSearch.start,
          stop: instrumentSearch.stop,
        }),
      )
      .max(10),
  }),
  /** In the order of the searches. */
  answer: z.array(z.number().int()),
  errors: ['session-expired', 'feature-off'],
  access: { kind: 'signed-in' },
})

/** An active or future maintenance with its instrument. */
export const plannedMaintenance = z.object({
  maintenance,
  /** The user who set it; null if the audit log names none. */
  plannedBy: z.string().nullable(),
  plannedAt: instant,
  instrument,
})
export type PlannedMaintenance = z.output<typeof plannedMaintenance>

export const listPlannedMaintenance = route({
  ...paths.listPlannedMaintenance,
  summary: 'One page of the active and future maintenance of all instruments, ordered by start, with the total number',
  query: z.strictObject({ ...paging, keyword: instrumentSearch.keyword }),
  answer: z.object({ values: z.array(plannedMaintenance), total: z.number().int() }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

export const listInstrumentFamilies = route({
  ...paths.listInstrumentFamilies,
  summary: 'Families of the instruments in scope, in the order of the tabs',
  answer: z.array(z.string()),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

export const listInstrumentTypes = route({
  ...paths.listInstrumentTypes,
  summary: 'Every registered instrument type with its label and family; the families in the order of the tabs',
  answer: z.object({
    families: z.array(z.object({ key: z.string(), label: z.string() })),
    /** In the order of their families, then by label. */
    types: z.array(z.object({ key: z.string(), label: z.string(), family: z.string() })),
  }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})
export type InstrumentTypes = z.output<typeof listInstrumentTypes.answer>

/** One instrument as its details screen shows it. */
export const instrumentWithEvents = instrument.extend({
  /** Open events, newest first, at most 100. eventCount is the total. */
  events: z.array(z.object({ alarm: serviceEvent })),
})
export type InstrumentWithEvents = z.output<typeof instrumentWithEvents>

export const getInstrument = route({
  ...paths.getInstrument,
  summary: 'One instrument with its open events',
  params: z.object({ id: instrumentId }),
  answer: instrumentWithEvents,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

export const readInstrumentStatuses = route({
  ...paths.readInstrumentStatuses,
  summary: 'Current status of up to 100 instruments, by installed product id',
  body: z.strictObject({ instrumentInstalledProductIds: z.array(installedProductId).max(100) }),
  /** Ids outside the scope are left out. */
  answer: z.record(z.string(), z.enum(instrumentStatuses)),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

/** Computers linked to an instrument, as reported by its gateway. */
export const linkedClients = z.object({
  /** Sorted alphabetically; empty until the gateway has reported any. */
  clientPcNames: z.array(z.string()),
  instrumentServerPcName: z.string().nullable(),
})
export type LinkedClients = z.output<typeof linkedClients>

export const getLinkedClients = route({
  ...paths.getLinkedClients,
  summary: 'Computers linked to an instrument: its client PCs and the PC of its instrument server',
  query: z.strictObject({ instrumentInstalledProductId: installedProductId }),
  answer: linkedClients,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** A gateway, with those of its instruments that the caller may see. */
export const edgeGateway = z.object({
  name: z.string(),
  instrumentIpids: z.array(z.string()),
  location: z.string().nullable(),
  lastSeenAt: instant.nullable(),
})
export type EdgeGateway = z.output<typeof edgeGateway>

export const getEdgeGateway = route({
  ...paths.getEdgeGateway,
  summary: 'The gateway of an instrument, or a gateway by its own installed product id',
  params: z.object({ id: installedProductId }),
  answer: edgeGateway,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
