import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Refusals } from './refusals.ts'
import { type RegistryKind, registryNouns } from './registry-object.ts'

type OwnedKind = Extract<RegistryKind, 'sites' | 'contracts' | 'contacts' | 'gateways'>

/** Selects the keys among $keys whose objects are in use, with the customer that uses them. */
const used: Record<OwnedKind, (keys: readonly string[]) => RawBuilder<{ key: string; customer_id: number }>> = {
  sites: (keys) => sql`
    SELECT s.key, s.customer_id FROM site s WHERE s.key = ANY(${[...keys]}::text[]) AND (
      EXISTS (SELECT 1 FROM instrument i WHERE i.site_id = s.id)
      OR EXISTS (SELECT 1 FROM gateway g WHERE g.site_id = s.id)
      OR EXISTS (SELECT 1 FROM instrument_move m WHERE m.site_id = s.id)
      OR EXISTS (SELECT 1 FROM service_event e WHERE e.customer_id = s.customer_id AND e.site_id = s.id))`,
  contracts: (keys) => sql`
    SELECT o.key, o.customer_id FROM contract o WHERE o.key = ANY(${[...keys]}::text[])
      AND EXISTS (SELECT 1 FROM instrument i WHERE i.contract_id = o.id)`,
  contacts: (keys) => sql`
    SELECT o.key, o.customer_id FROM contact o WHERE o.key = ANY(${[...keys]}::text[])
      AND EXISTS (SELECT 1 FROM instrument i WHERE i.contact_id = o.id OR i.it_contact_id = o.id)`,
  gateways: (keys) => sql`
    SELECT g.name AS key, s.customer_id FROM gateway g JOIN site s ON s.id = g.site_id
    WHERE g.name = ANY(${[...keys]}::text[])
      AND (g.last_seen_at IS NOT NULL OR EXISTS (SELECT 1 FROM instrument i WHERE i.gateway_id = g.id))`,
}

/**
 * Refuses to move an object to another customer while instruments, gateways or events use it: they would move along
 * unnoticed, and change what the former customer may see. A gateway that has ever reported keeps items and names of that
 * customer, and its outbox may hold more.
 */
export async function refuseOtherCustomer(
  trx: Trx,
  refusals: Refusals,
  { kind, customers }: { kind: OwnedKind; customers: ReadonlyMap<string, number> },
): Promise<void> {
  const { rows } = await used[kind]([...customers.keys()]).execute(trx)
  for (const { key, customer_id } of rows) {
    if (customers.get(key) === customer_id) continue
    const sentence = `The ${registryNouns[kind]} "${key}" is in use and cannot move to another customer. Register a new one for that customer and move the instruments to it.`
    refusals.refuse(key, problem('validation-failed', sentence))
  }
}
