import { type GatewayInput, registryRoutes } from '@benchwatch/contract/administration/registry'
import { z } from 'zod'
import type { Trx } from '../../db/connect.ts'
import { upsertContacts, upsertContracts, upsertCustomers, upsertSites } from './customers.store.ts'
import { upsertEventTemplates } from './event-templates.store.ts'
import { upsertGateways } from './gateways.store.ts'
import { upsertInstrumentFamilies, upsertInstrumentTypes } from './instrument-type.store.ts'
import { upsertInstruments } from './instruments.store.ts'
import type { Keyed, RegistryKind, Upserted, Writing } from './registry-object.ts'

type Routes = (typeof registryRoutes)[keyof typeof registryRoutes]

/** A kind of object with its routes. Files are read with the schemas of its PUT, so that both accept the same. */
export interface RegisteredKind {
  routes: Routes
  /** Columns allowed in a file, with the type of their cells. */
  columns: ReadonlyMap<string, 'text' | 'number' | 'boolean'>
  /** Properties that reads return but no caller can set. */
  readOnly: ReadonlySet<string>
  /** Validates the properties of one object, including `key`. */
  parse(value: unknown): { object: Keyed<object> } | { issues: readonly z.core.$ZodIssue[] }
  /** Returns a property, besides the key, that must be unique: its name, and its value in this object. */
  unique?(object: Keyed<object>): { property: string; value: string }
  upsert(trx: Trx, writing: Writing, objects: readonly Keyed<object>[]): Promise<Upserted>
}

function kindOf<I extends z.ZodObject>(
  routes: Routes & { put: { body: I } },
  upsert: (trx: Trx, writing: Writing, objects: readonly Keyed<z.output<I>>[]) => Promise<Upserted>,
): RegisteredKind {
  const { put, get } = routes
  const [key] = Object.values(put.params.shape)
  const line = put.body.extend({ key })
  const { properties = {} } = z.toJSONSchema(line, { io: 'input', unrepresentable: 'any' })
  return {
    routes,
    columns: new Map(Object.entries(properties).map(([name, schema]) => [name, cellOf(schema)])),
    readOnly: new Set(Object.keys(get.answer.shape).filter((name) => !(name in line.shape))),
    parse(value) {
      const read = line.safeParse(value)
      if (!read.success) return { issues: read.error.issues }
      const { key: ownKey, ...properties } = read.data as { key: string }
      return { object: { key: ownKey, input: properties } }
    },
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

export const registeredKinds: Record<RegistryKind, RegisteredKind> = {
  customers: kindOf(registryRoutes.customer, upsertCustomers),
  sites: kindOf(registryRoutes.site, upsertSites),
  contracts: kindOf(registryRoutes.contract, upsertContracts),
  contacts: kindOf(registryRoutes.contact, upsertContacts),
  'instrument-families': kindOf(registryRoutes.instrumentFamily, upsertInstrumentFamilies),
  'instrument-types': kindOf(registryRoutes.instrumentType, upsertInstrumentTypes),
  instruments: kindOf(registryRoutes.instrument, upsertInstruments),
  gateways: {
    ...kindOf(registryRoutes.gateway, upsertGateways),
    unique: ({ key, input }) => ({
      property: 'installedProductId',
      value: (input as GatewayInput).installedProductId ?? key,
    }),
  },
  'event-templates': kindOf(registryRoutes.eventTemplate, upsertEventTemplates),
}
