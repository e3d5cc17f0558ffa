import type { Actor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type StoredObjects, storedByKey } from './registry.queries.ts'
import { lockRegistry } from './registry-locks.store.ts'
import type { Keyed, RegistryKind, Upserted, Writing } from './registry-object.ts'

/** The upsert function of a kind. */
export type Upsert<Input> = (trx: Trx, writing: Writing, objects: readonly Keyed<Input>[]) => Promise<Upserted>

interface Registration<K extends RegistryKind, Input> {
  kind: K
  object: Keyed<Input>
  upsert: Upsert<Input>
  actor: Actor
  at: Date
}

/** Registers or replaces one object and writes the audit log in the same transaction; returns the stored object. */
export async function register<K extends RegistryKind, Input>(
  db: Db,
  { kind, object, upsert, actor, at }: Registration<K, Input>,
): Promise<{ stored: StoredObjects[K]; created: boolean }> {
  return inTransaction(db, async (trx) => {
    await lockRegistry(trx)
    const { created } = await upsert(trx, { actor, at }, [object])
    const stored = (await storedByKey(trx, kind, [object.key])).get(object.key)
    if (!stored) throw new Error(`The registry did not keep ${kind}/${object.key}.`)
    return { stored, created: created.has(object.key) }
  })
}
