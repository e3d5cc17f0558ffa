import { z } from 'zod'
import { paths, type RouteName } from '../paths.ts'
import { GATEWAY_NAME, REGISTRY_KEY, TEMPLATE_ID, TEMPLATE_KEY } from '../patterns.ts'
import {
  calendarDate,
  installedProductId,
  instant,
  instrumentFamilyKey,
  instrumentTypeKey,
  line,
  paging,
  queryBoolean,
  text,
  timeZone,
} from '../primitives.ts'
import { route } from '../route.ts'
import { instrumentStatuses, limits, orcStatuses, registryKinds, severities } from '../vocabulary.ts'

/**
 * Registration of customers, sites and instruments: wire 13. Each object is upserted by its natural key, which is part
 * of the address; demo data and tests use the same routes. Absent optional values are stored as null.
 */

const key = z.string().regex(REGISTRY_KEY, 'must be 1 to 120 characters without spaces, /, ? and #')
const name = (max: number) => line(max).refine((value) => value.trim() !== '', { error: 'must not be empty' })
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null)
const optionalLine = (max: number) => optional(line(max)).transform((value) => value || null)
const optionalText = (max: number) => optional(text(max)).transform((value) => value || null)
const optionalDate = optional(calendarDate)

/** Key: chosen by the caller, such as `helix-biologics`. */
export const customerInput = z.strictObject({ name: name(200) })
export const customer = z.object({ key: z.string(), name: z.string() })

/** Key: chosen by the caller. A site belongs to one customer. */
export const siteInput = z.strictObject({
  customer: key,
  name: optionalLine(200),
  street: optionalLine(200),
  zip: optionalLine(40),
  city: optionalLine(120),
  country: optionalLine(120),
  region: optionalLine(120),
  subRegion: optionalLine(120),
  /** Degrees; set both or neither. */
  latitude: optional(z.number().min(-90).max(90)),
  longitude: optional(z.number().min(-180).max(180)),
  /**
   * IANA zone that decides the run-time days. Offsets such as +05:30 are refused, because PostgreSQL reverses their
   * sign.
   */
  timeZone: timeZone
    .refine((name) => !/^[+-]/.test(name), { error: 'is an offset. Use a zone name such as Asia/Kolkata' })
    .default('UTC'),
})
export const site = z.object({
  key: z.string(),
  customer: z.string(),
  name: z.string().nullable(),
  street: z.string().nullable(),
  zip: z.string().nullable(),
  city: z.string().nullable(),
  country: z.string().nullable(),
  region: z.string().nullable(),
  subRegion: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  timeZone: z.string(),
})

/** Key: contract number. */
export const contractInput = z.strictObject({
  customer: key,
  type: optionalLine(120),
  slaTerm: optionalLine(120),
  tierOne: z.boolean().default(false),
  startDate: optionalDate,
  endDate: optionalDate,
})
export const contract = z.object({
  key: z.string(),
  customer: z.string(),
  type: z.string().nullable(),
  slaTerm: z.string().nullable(),
  tierOne: z.boolean(),
  startDate: calendarDate.nullable(),
  endDate: calendarDate.nullable(),
})

/** Key: the contact's e-mail address as the customer gave it, even if it is malformed. */
export const contactInput = z.strictObject({
  customer: key,
  name: optionalLine(200),
  phone: optionalLine(60),
  mobile: optionalLine(60),
})
export const contact = z.object({
  key: z.string(),
  customer: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  mobile: z.string().nullable(),
})

/** Key: name of the family, such as `ÄKTA pilot`. */
export const instrumentFamilyInput = z.strictObject({
  /** Text of the family's tab. */
  label: name(60),
  /** Place among the tabs: lower ones come first, equal ones are ordered by label. */
  position: z.number().int().min(0).max(1_000_000),
})
export const instrumentFamily = z.object({ key: z.string(), label: z.string(), position: z.number().int() })

/** Key: chosen by the caller, such as `AKTAPilot600`. */
export const instrumentTypeInput = z.strictObject({
  label: name(60),
  /** Key of a registered family. */
  family: instrumentFamilyKey,
})
export const instrumentType = z.object({ key: z.string(), label: z.string(), family: z.string() })

/** Key: installed product id. Site, contract and contacts must belong to the same customer. */
export const instrumentInput = z.strictObject({
  type: instrumentTypeKey,
  productDescription: name(200),
  systemName: optionalLine(200),
  qualifiedSystem: z.boolean().default(false),
  site: key,
  gateway: optional(z.string().regex(GATEWAY_NAME)),
  contract: optional(key),
  contact: optional(key),
  itContact: optional(key),
  building: optionalLine(120),
  room: optionalLine(120),
  installationDate: optionalDate,
  lastService: optionalDate,
  nextService: optionalDate,
  lastMaintenance: optionalDate,
})
export const registeredInstrument = z.object({
  key: z.string(),
  id: z.string(),
  type: instrumentTypeKey,
  productDescription: z.string(),
  systemName: z.string().nullable(),
  qualifiedSystem: z.boolean(),
  site: z.string(),
  gateway: z.string().nullable(),
  contract: z.string().nullable(),
  contact: z.string().nullable(),
  itContact: z.string().nullable(),
  building: z.string().nullable(),
  room: z.string().nullable(),
  installationDate: calendarDate.nullable(),
  lastService: calendarDate.nullable(),
  nextService: calendarDate.nullable(),
  lastMaintenance: calendarDate.nullable(),
  instrumentStatus: z.enum(instrumentStatuses),
  orcStatus: z.enum(orcStatuses),
  createdAt: instant,
})

/** Key: gateway name. `installedProductId` is that of the gateway itself, shown on edge issues. */
export const gatewayInput = z.strictObject({
  site: key,
  installedProductId: optional(installedProductId),
  location: optionalLine(200),
})
export const gateway = z.object({
  key: z.string(),
  site: z.string(),
  installedProductId: z.string(),
  location: z.string().nullable(),
  lastSeenAt: instant.nullable(),
})

/** Key: `<instrumentType>/<templateId>`. HTML is sanitised before it is stored. */
export const eventTemplateInput = z.strictObject({
  severity: z.enum(severities),
  description: text(10_000).min(1),
  userMessage: optionalText(10_000),
  troubleshooting: optionalText(50_000),
  remedy: optionalText(50_000),
})
export const eventTemplate = z.object({
  key: z.string(),
  instrumentType: instrumentTypeKey,
  templateId: z.string().regex(TEMPLATE_ID),
  severity: z.enum(severities),
  description: z.string(),
  userMessage: z.string().nullable(),
  troubleshooting: z.string().nullable(),
  remedy: z.string().nullable(),
})

export type Customer = z.output<typeof customer>
export type Site = z.output<typeof site>
export type Contract = z.output<typeof contract>
export type Contact = z.output<typeof contact>
export type InstrumentFamily = z.output<typeof instrumentFamily>
export type InstrumentType = z.output<typeof instrumentType>
export type RegisteredInstrument = z.output<typeof registeredInstrument>
export type Gateway = z.output<typeof gateway>
export type EventTemplate = z.output<typeof eventTemplate>
export type CustomerInput = z.output<typeof customerInput>
export type SiteInput = z.output<typeof siteInput>
export type ContractInput = z.output<typeof contractInput>
export type ContactInput = z.output<typeof contactInput>
export type InstrumentFamilyInput = z.output<typeof instrumentFamilyInput>
export type InstrumentTypeInput = z.output<typeof instrumentTypeInput>
export type InstrumentInput = z.output<typeof instrumentInput>
export type GatewayInput = z.output<typeof gatewayInput>
export type EventTemplateInput = z.output<typeof eventTemplateInput>

/** Key of an event template: `<instrumentType>/<templateId>`. */
export const templateKey = z
  .string()
  .regex(TEMPLATE_KEY, 'must be <instrumentType>/<templateId>, such as AKTAPilot600/P9B-1042')

function kind<I extends z.ZodType, A extends z.ZodType, K extends z.ZodRawShape>(
  heads: { put: RouteName; get: RouteName; list: RouteName },
  noun: string,
  { params, body, answer }: { params: K; body: I; answer: A },
) {
  const access = { kind: 'registry' } as const
  return {
    put: route({
      ...paths[heads.put],
      summary: `Register or replace one ${noun} by its natural key; supports If-Match`,
      params: z.object(params),
      body,
      answer,
      success: [200, 201],
      errors: ['session-expired', 'wrong-role', 'unknown-reference', 'version-mismatch'],
      access,
    }),
    get: route({
      ...paths[heads.get],
      summary: `One registered ${noun}`,
      params: z.object(params),
      answer,
      errors: ['session-expired', 'wrong-role', 'not-found'],
      access,
    }),
    list: route({
      ...paths[heads.list],
      summary: `One page of registered ${noun.replace(/y$/, 'ie')}s by key; the keyword searches key, name and references`,
      query: z.strictObject({ ...paging, keyword: text(limits.keyword).optional() }),
      answer: z.object({ values: z.array(answer), total: z.number().int() }),
      errors: ['session-expired', 'wrong-role'],
      access,
    }),
  }
}

const heads = {
  customer: { put: 'putCustomer', get: 'getCustomer', list: 'listCustomers' },
  site: { put: 'putSite', get: 'getSite', list: 'listSites' },
  contract: { put: 'putContract', get: 'getContract', list: 'listContracts' },
  contact: { put: 'putContact', get: 'getContact', list: 'listContacts' },
  instrumentFamily: {
    put: 'putInstrumentFamily',
    get: 'getInstrumentFamily',
    list: 'listRegisteredInstrumentFamilies',
  },
  instrumentType: { put: 'putInstrumentType', get: 'getInstrumentType', list: 'listRegisteredInstrumentTypes' },
  instrument: { put: 'putInstrument', get: 'getRegisteredInstrument', list: 'listRegisteredInstruments' },
  gateway: { put: 'putGateway', get: 'getGateway', list: 'listGateways' },
  eventTemplate: { put: 'putEventTemplate', get: 'getEventTemplate', list: 'listEventTemplates' },
} as const

/** The three routes of each kind of object. */
export const registryRoutes = {
  customer: kind(heads.customer, 'customer', { params: { key }, body: customerInput, answer: customer }),
  site: kind(heads.site, 'site', { params: { key }, body: siteInput, answer: site }),
  contract: kind(heads.contract, 'contract', { params: { key }, body: contractInput, answer: contract }),
  contact: kind(heads.contact, 'contact', { params: { key }, body: contactInput, answer: contact }),
  instrumentFamily: kind(heads.instrumentFamily, 'instrument family', {
    params: { key: instrumentFamilyKey },
    body: instrumentFamilyInput,
    answer: instrumentFamily,
  }),
  instrumentType: kind(heads.instrumentType, 'instrument type', {
    params: { key: instrumentTypeKey },
    body: instrumentTypeInput,
    answer: instrumentType,
  }),
  instrument: kind(heads.instrument, 'instrument', {
    params: { key: installedProductId },
    body: instrumentInput,
    answer: registeredInstrument,
  }),
  gateway: kind(heads.gateway, 'gateway', {
    params: { key: z.string().regex(GATEWAY_NAME) },
    body: gatewayInput,
    answer: gateway,
  }),
  eventTemplate: kind(heads.eventTemplate, 'event template', {
    params: { '*': templateKey },
    body: eventTemplateInput,
    answer: eventTemplate,
  }),
}

export const deleteInstrumentFamily = route({
  ...paths.deleteInstrumentFamily,
  summary: 'Delete an instrument family that no instrument type belongs to',
  params: z.object({ key: instrumentFamilyKey }),
  success: [204],
  errors: ['session-expired', 'wrong-role', 'not-found', 'in-use'],
  access: { kind: 'registry' },
})

export const deleteInstrumentType = route({
  ...paths.deleteInstrumentType,
  summary: 'Delete an instrument type that no instrument or template has',
  params: z.object({ key: instrumentTypeKey }),
  success: [204],
  errors: ['session-expired', 'wrong-role', 'not-found', 'in-use'],
  access: { kind: 'registry' },
})

/** Maximum size of an import in bytes: about 40,000 instruments. */
export const MAX_IMPORT_BYTES = 8_000_000

const importError = z.object({ line: z.number().int(), path: z.string(), message: z.string() })

/** Difference between one object of a file and the registry. Values other than texts are written as JSON. */
const registryChange = z.object({
  kind: z.enum(registryKinds),
  key: z.string(),
  isNew: z.boolean(),
  properties: z.array(z.object({ property: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})
export type RegistryChange = z.output<typeof registryChange>

export const applyRegistry = route({
  ...paths.applyRegistry,
  summary: 'Register files of several kinds, all or nothing; dryRun only reports the differences',
  query: z.strictObject({ dryRun: queryBoolean.default(false) }),
  /** Files as `importRegistry` takes them, in any order. They may refer to objects of each other. */
  body: z.strictObject({
    files: z
      .array(z.strictObject({ kind: z.enum(registryKinds), format: z.enum(['csv', 'ndjson']), text: z.string() }))
      .min(1)
      .refine((files) => new Set(files.map(({ kind }) => kind)).size === files.length, {
        error: 'must have one file of a kind: put all objects of a kind into the same file',
      }),
  }),
  bodyLimit: 2 * MAX_IMPORT_BYTES,
  answerSeconds: 120,
  answer: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    /** As those of `importRegistry`. If there is any error, nothing was written. */
    errors: z.array(importError.extend({ kind: z.enum(registryKinds) })),
    /** The first 1,000 objects that differ from the registry; empty if there is any error. */
    changes: z.array(registryChange),
  }),
  errors: ['session-expired', 'wrong-role', 'unknown-reference', 'payload-too-large'],
  access: { kind: 'registry' },
})

export const importRegistry = route({
  ...paths.importRegistry,
  summary: 'Register many objects of one kind from CSV or NDJSON, all or nothing; dryRun only reports the result',
  query: z.strictObject({ kind: z.enum(registryKinds), dryRun: queryBoolean.default(false) }),
  /**
   * One object per line with its `key`. The first line of a CSV has the column names, which equal the JSON property
   * names.
   */
  body: z.string(),
  bodyTypes: ['text/csv', 'application/x-ndjson'],
  bodyLimit: MAX_IMPORT_BYTES,
  answerSeconds: 120,
  answer: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    /** Lines count from 1, including the CSV header. If there is any error, nothing was written. */
    errors: z.array(importError),
  }),
  errors: ['session-expired', 'wrong-role', 'payload-too-large', 'unsupported-media-type'],
  access: { kind: 'registry' },
})
