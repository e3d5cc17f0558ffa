import type { RegistryChange } from '@benchwatch/contract/administration/registry'
import type { registryKinds } from '@benchwatch/contract/vocabulary'
import type { Actor } from '../../db/actor.ts'

/** An object to register: its natural key and the body of its PUT. */
export interface Keyed<Input> {
  key: string
  input: Input
}

/** The actor and the time for the audit log. */
export interface Writing {
  actor: Actor
  at: Date
  /** True for a dry run: everything is checked and compared, but nothing written. */
  isTrial?: boolean
}

/** Keys that an upsert created or updated; objects with other keys were stored already without any difference. */
export interface Upserted {
  created: ReadonlySet<string>
  changed: ReadonlySet<string>
  /** Differences of the created and changed objects from the registry, by key. */
  differences: ReadonlyMap<string, RegistryChange['properties']>
}

/** The kinds as they appear in addresses, and in the audit log as `<kind>/<key>`. */
export type RegistryKind = (typeof registryKinds)[number]

/** Names of the kinds in sentences. */
export const registryNouns: Record<RegistryKind, string> = {
  customers: 'customer',
  sites: 'site',
  contracts: 'contract',
  contacts: 'contact',
  'instrument-families': 'instrument family',
  'instrument-types': 'instrument type',
  instruments: 'instrument',
  gateways: 'gateway',
  'event-templates': 'event template',
}
