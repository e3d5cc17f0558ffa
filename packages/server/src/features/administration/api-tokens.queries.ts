import type { ApiToken } from '@benchwatch/contract/administration'
import type { ApiTokenScope } from '@benchwatch/contract/vocabulary'
import type { Db } from '../../db/connect.ts'
import { NO_NAME } from '../users/users.lookup.ts'

/** API tokens without what proves them, newest first; one of them where an id is given. */
export async function readApiTokens(db: Db, id?: number): Promise<ApiToken[]> {
  const tokens = db
    .selectFrom('api_token as t')
    .innerJoin('app_user as u', 'u.id', 't.created_by')
    .select(['t.id', 't.name', 't.scopes', 'u.name as creator', 't.created_at', 't.expires_at', 't.revoked_at'])
    .select('t.last_used_at')
    .orderBy('t.id', 'desc')
  const rows = await (id === undefined ? tokens : tokens.where('t.id', '=', id)).execute()
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    scopes: row.scopes as ApiTokenScope[],
    createdBy: row.creator ?? NO_NAME,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}
