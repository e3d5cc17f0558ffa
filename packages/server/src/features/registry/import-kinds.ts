import {
  contactInput,
  contractInput,
  customerInput,
  eventTemplateInput,
  gatewayInput,
  instrumentFamilyInput,
  instrumentInput,
  instrumentTypeInput,
  registryRoutes,
  siteInput,
} from '@benchwatch/contract/administration/registry'
import { z } from 'zod'
import type { Trx } from '../../db/connect.ts'
import { upsertContacts, upsertContracts, upsertCustomers, upsertSites } from './customers.store.ts'
import { upsertEventTemplates } from './event-templates.store.ts'
import { upsertGateways } from './gateways.store.ts'
import { upsertInstrumentFamilies, upsertInstrumentTypes } from './instrument-type.store.ts'
import { upsertInstruments } from './instruments.store.ts'
import type { Upsert } from './registry.service.ts'
import type { Keyed, RegistryKind, Upserted, Writing } from './registry-object.ts'

/** Converts lines of a file to objects of one kind, with the schemas of its PUT, so that both accept the same. */
export interface ImportKind {
  /** Columns allowed in a file, with the type of their cells. */
  columns: ReadonlyMap<string, 'text' | 'number' | 'boolean'>
  /** Properties that reads return but no caller can set. */
  readOnly: ReadonlySet<string>
  /** Validates the properties of one object, including `key`. */
  parse(value: unknown): { object: Keyed<object> } | { issues: readonly z.core.$ZodIssue[] }
  /** Returns a property, besides the key, that must be unique: its name, and its value in this object. */
  unique(object: Keyed<object>): { property: string; value: string } | undefined
  upsert(trx: Trx, writing: Writing, objects: readonly Keyed<object>[]): Promise<Upserted>
}

interface Described<I extends z.ZodObject> {
  key: z.ZodType<string>
  input: I
  answer: z.ZodObject
  upsert: Upsert<z.output<I>>
  unique?: (object: Keyed<z.output<I>>) => { property: string; value: string }
}

function kindOf<I extends z.ZodObject>({ key, input, answer, upsert, unique }: Described<I>): ImportKind {
  const line = input.extend({ key })
  const { properties = {} } = z.toJSONSchema(line, { io: 'input', unrepresentable: 'any' })
  return {
    columns: new Map(Object.entries(properties).map(([name, schema]) => [name, cellOf(schema)])),
    readOnly: new Set(Object.keys(answer.shape).filter((name) => !(name in line.shape))),
    parse(value) {
      const read = line.safeParse(value)
      if (!read.success) return { issues: read.error.issues }
      const { key: ownKey, ...properties } = read.data as { key: string }
      return { object: { key: ownKey, input: properties } }
    },
    unique: (object) => unique?.(object as Keyed<z.output<I>>),
    upsert: (trx, writing, objects) => upsert(trx, writing, objects as readonly Keyed<z.output<I>>[]),
  }
}

/** Optional columns allow their type or null. */
function cellOf(schema: z.core.JSONSchema._JSONSchema): 'text' | 'number' | 'boolean' {
  if (typeof schema === 'boolean') return 'text'
  const types = [schema, ...(schema.anyOf ?? [])].map((one) => (typeof one === 'boolean' ? undefined : one.type))
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('boolean') ? 'boolean' : 'text'
}

const { customer, site, contract, contact, instrumentFamily, instrumentType, instrument, gateway, eventTemplate } =
  registryRoutes

export const importKinds: Record<RegistryKind, ImportKind> = {
  customers: kindOf({
    key: customer.put.params.shape.key,
    input: customerInput,
    answer: customer.get.answer,
    upsert: upsertCustomers,
  }),
  sites: kindOf({
    key: site.put.params.shape.key,
    input: siteInput,
    answer: site.get.answer,
    upsert: upsertSites,
  }),
  contracts: kindOf({
    key: contract.put.params.shape.key,
    input: contractInput,
    answer: contract.get.answer,
    upsert: upsertContracts,
  }),
  contacts: kindOf({
    key: contact.put.params.shape.key,
    input: contactInput,
    answer: contact.get.answer,
    upsert: upsertContacts,
  }),
  'instrument-families': kindOf({
    key: instrumentFamily.put.params.shape.key,
    input: instrumentFamilyInput,
    answer: instrumentFamily.get.answer,
    upsert: upsertInstrumentFamilies,
  }),
  'instrument-types': kindOf({
    key: instrumentType.put.params.shape.key,
    input: instrumentTypeInput,
    answer: instrumentType.get.answer,
    upsert: upsertInstrumentTypes,
  }),
  instruments: kindOf({
    key: instrument.put.params.shape.key,
    input: instrumentInput,
    answer: instrument.get.answer,
    upsert: upsertInstruments,
  }),
  gateways: kindOf({
    key: gateway.put.params.shape.key,
    input: gatewayInput,
    answer: gateway.get.answer,
    upsert: upsertGateways,
    unique: ({ key, input }) => ({ property: 'installedProductId', value: input.installedProductId ?? key }),
  }),
  'event-templates': kindOf({
    key: eventTemplate.put.params.shape['*'],
    input: eventTemplateInput,
    answer: eventTemplate.get.answer,
    upsert: upsertEventTemplates,
  }),
}
