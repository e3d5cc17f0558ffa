import { type Kysely, sql } from 'kysely'
import type { DataScope, GatewayActor } from '../../db/actor.ts'
import { type AuditActor, recordAudit, recordAudits } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import type { Database } from '../../db/schema/database.ts'
import { inScope } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'

export interface FoundKey {
  id: number
  gateway: GatewayActor
  /** True if older keys of the gateway are still valid. */
  hasOlder: boolean
}

/** Returns the valid key with this hash. */
export async function findKey(db: Db, hash: Buffer): Promise<FoundKey | undefined> {
  const { rows } = await sql<{ id: number; gatewayId: number; name: string; hasOlder: boolean }>`
    SELECT k.id, k.gateway_id AS "gatewayId", g.name, EXISTS (SELECT 1 FROM gateway_key o
      WHERE o.gateway_id = k.gateway_id AND o.revoked_at IS NULL AND o.id < k.id) AS "hasOlder"
    FROM gateway_key k JOIN gateway g ON g.id = k.gateway_id
    WHERE k.key_hash = ${hash} AND k.revoked_at IS NULL`.execute(db)
  const [row] = rows
  return row && { ...row, gateway: { type: 'gateway', id: row.gatewayId, name: row.name } }
}

/** Revokes the keys of the gateway that are older than this one, with an audit entry. */
export async function revokeOlderKeys(db: Kysely<Database>, { id, gateway }: FoundKey): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockGateway(trx, gateway.id)
    const { rows } = await sql<{ revoked_at: Date }>`
      UPDATE gateway_key SET revoked_at = now()
      WHERE gateway_id = ${gateway.id} AND id < ${id} AND revoked_at IS NULL RETURNING revoked_at`.execute(trx)
    const [first] = rows
    if (!first) return
    const subject = { entityType: 'gateway', entityId: gateway.name, actor: gateway, at: first.revoked_at } as const
    await recordAudit(trx, subject, [
      { action: 'keys-revoked', newValue: String(rows.length), reason: 'A newer key was used for the first time' },
    ])
  })
}

/** Adds a key to each gateway, with an audit entry; existing keys stay valid until the new one is used. */
export async function addGatewayKeys(
  trx: Trx,
  { keys, actor, at }: { keys: readonly { gateway: string; hash: Buffer }[]; actor: AuditActor; at: Date },
): Promise<void> {
  const names = keys.map(({ gateway }) => gateway)
  await sql`SELECT 1 FROM gateway WHERE name = ANY(${names}::text[]) ORDER BY id FOR NO KEY UPDATE`.execute(trx)
  await sql`
    INSERT INTO gateway_key (gateway_id, key_hash, created_at)
    SELECT g.id, k.hash, ${at} FROM unnest(${names}::text[], ${keys.map(({ hash }) => hash)}::bytea[]) AS k (name, hash)
    JOIN gateway g ON g.name = k.name`.execute(trx)
  await recordAudits(
    trx,
    names.map((name) => ({
      subject: { entityType: 'gateway', entityId: name, actor, at },
      entries: [{ action: 'key-created' }],
    })),
  )
}

/**
 * Revokes one key of a gateway, with an audit entry; a key that is already revoked does not change. Returns whether
 * the key exists.
 */
export async function revokeGatewayKey(
  trx: Trx,
  { gateway, id, actor, at }: { gateway: string; id: number; actor: AuditActor; at: Date },
): Promise<boolean> {
  await sql`SELECT 1 FROM gateway WHERE name = ${gateway} FOR NO KEY UPDATE`.execute(trx)
  const { rows } = await sql<{ revoked_at: Date | null }>`
    SELECT k.revoked_at FROM gateway_key k JOIN gateway g ON g.id = k.gateway_id
    WHERE g.name = ${gateway} AND k.id = ${id} FOR UPDATE OF k`.execute(trx)
  const [key] = rows
  if (!key) return false
  if (key.revoked_at) return true
  await sql`UPDATE gateway_key SET revoked_at = ${at} WHERE id = ${id}`.execute(trx)
  const subject = { entityType: 'gateway', entityId: gateway, actor, at } as const
  await recordAudit(trx, subject, [{ action: 'key-revoked', property: 'key', oldValue: String(id) }])
  return true
}

export async function gatewayExists(db: Db, { name, scope }: { name: string; scope: DataScope }): Promise<boolean> {
  const row = await db
    .selectFrom('gateway as g')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .where('g.name', '=', name)
    .where(inScope(scope, sql.ref('s.customer_id')))
    .select('g.id')
    .executeTakeFirst()
  return row !== undefined
}

async function lockGateway(trx: Trx, id: number): Promise<void> {
  await sql`SELECT 1 FROM gateway WHERE id = ${id} FOR NO KEY UPDATE`.execute(trx)
}
