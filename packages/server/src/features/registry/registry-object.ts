import type { Actor } from '../../db/actor.ts'

/** A registry object as it comes in: its natural key and what stands in the body of its PUT. */
export interface Keyed<Input> {
  key: string
  input: Input
}

/** Who writes, and the instant that stands in the record. */
export interface Writing {
  actor: Actor
  at: Date
  /** Everything is checked and compared, and nothing written. */
  isTrial?: boolean
}

/** What an upsert did, by key; keys in neither were stored already just like that. */
export interface Upserted {
  created: ReadonlySet<string>
  changed: ReadonlySet<string>
}

/** The kinds as they stand in the address, and in the record as `<kind>/<key>`. */
export type RegistryKind =
  | 'customers'
  | 'sites'
  | 'contracts'
  | 'contacts'
  | 'instruments'
  | 'gateways'
  | 'event-templates'

/** How the kinds are called in sentences. */
export const registryNouns: Record<RegistryKind, string> = {
  customers: 'customer',
  sites: 'site',
  contracts: 'contract',
  contacts: 'contact',
  instruments: 'instrument',
  gateways: 'gateway',
  'event-templates': 'event template',
}
