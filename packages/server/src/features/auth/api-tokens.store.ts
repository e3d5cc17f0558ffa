import type { ApiTokenActor, UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { newToken, tokenHash } from '../../platform/secret-token.ts'

/** The beginning makes tokens easy to find in a leaked file. */
const TOKEN = /^bwt_[A-Za-z0-9_-]{43}$/

/** Creates a token and the hash to store. */
export function newApiToken(): { token: string; hash: Buffer } {
  const token = `bwt_${newToken()}`
  return { token, hash: tokenHash(token) }
}

/** True if a bearer token has the form of an API token, valid or not. */
export function isApiToken(bearer: string): boolean {
  return TOKEN.test(bearer)
}

/** Records the last use to the minute. A write per call would turn a bulk load into thousands of row versions. */
const USE_GRAIN_MS = 60_000

/** Returns the system of a valid token; undefined if it is revoked or expired. Records the use. */
export async function findApiToken(
  db: Db,
  { token, at }: { token: string; at: Date },
): Promise<{ actor: ApiTokenActor; scopes: string[] } | undefined> {
  const row = await db
    .selectFrom('api_token')
    .select(['id', 'name', 'scopes'])
    .where('token_hash', '=', tokenHash(token))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  if (!row) return undefined
  await db
    .updateTable('api_token')
    .set({ last_used_at: at })
    .where('id', '=', row.id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(at.getTime() - USE_GRAIN_MS))]),
    )
    .execute()
  return { actor: { type: 'api_token', id: row.id, name: row.name }, scopes: row.scopes }
}

/** Adds a token and its audit log row. Returns the token's ID. */
export async function insertApiToken(
  trx: Trx,
  token: { name: string; hash: Buffer; scopes: readonly string[]; expiresAt: Date; by: UserActor; at: Date },
): Promise<number> {
  const { name, hash, expiresAt, by, at } = token
  const scopes = [...new Set(token.scopes)]
  const { id } = await trx
    .insertInto('api_token')
    .values({ name, token_hash: hash, scopes, created_by: by.id, created_at: at, expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordAudit(trx, { entityType: 'api_token', entityId: String(id), actor: by, at }, [
    { action: 'created', newValue: JSON.stringify({ name, scopes, expiresAt: expiresAt.toISOString() }) },
  ])
  return id
}

/** Revokes a token and writes the audit log, unless it is already revoked. Returns false for an unknown ID. */
export async function revokeApiToken(
  trx: Trx,
  { id, by, at }: { id: number; by: UserActor; at: Date },
): Promise<boolean> {
  const token = await trx
    .selectFrom('api_token')
    .select('revoked_at')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!token) return false
  if (token.revoked_at) return true
  await trx.updateTable('api_token').set({ revoked_at: at }).where('id', '=', id).execute()
  await recordAudit(trx, { entityType: 'api_token', entityId: String(id), actor: by, at }, [{ action: 'revoked' }])
  return true
}
