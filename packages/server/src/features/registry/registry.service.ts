import type { Actor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { contentTag, requireUnchanged } from '../../platform/http/etag.ts'
import { registeredKinds } from './registered-kinds.ts'
import { type StoredObjects, storedByKey } from './registry.queries.ts'
import { lockRegistry } from './registry-locks.store.ts'
import type { Keyed, RegistryKind } from './registry-object.ts'

/**
 * Registers or replaces one object and writes the audit log in the same transaction; returns the stored object. Throws
 * version-mismatch if an If-Match header names another version.
 */
export async function register(
  db: Db,
  {
    kind,
    object,
    ifMatch,
    actor,
    at,
  }: { kind: RegistryKind; object: Keyed<object>; ifMatch?: string | undefined; actor: Actor; at: Date },
): Promise<{ stored: StoredObjects[RegistryKind]; created: boolean }> {
  return inTransaction(db, async (trx) => {
    await lockRegistry(trx)
    if (ifMatch !== undefined) {
      const before = (await storedByKey(trx, kind, [object.key])).get(object.key)
      requireUnchanged(ifMatch, before ? registryTag(kind, before) : null)
    }
    const { created } = await registeredKinds[kind].upsert(trx, { actor, at }, [object])
    const stored = (await storedByKey(trx, kind, [object.key])).get(object.key)
    if (!stored) throw new Error(`The registry did not keep ${kind}/${object.key}.`)
    return { stored, created: created.has(object.key) }
  })
}

/** Returns the ETag of what a PUT replaces of an object. */
export function registryTag(kind: RegistryKind, object: StoredObjects[RegistryKind]): string {
  const { readOnly } = registeredKinds[kind]
  return contentTag(Object.entries(object).filter(([name]) => !readOnly.has(name)))
}
