import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

interface KeyHead {
  id: string
  createdAt: string
  revokedAt: string | null
}

/** The keys of a gateway without what proves them, newest first. */
export async function readGatewayKeys(db: Db, gateway: string): Promise<KeyHead[]> {
  const { rows } = await sql<{ id: number; created_at: Date; revoked_at: Date | null }>`
    SELECT k.id, k.created_at, k.revoked_at FROM gateway_key k JOIN gateway g ON g.id = k.gateway_id
    WHERE g.name = ${gateway} ORDER BY k.id DESC`.execute(db)
  return rows.map((row) => ({
    id: String(row.id),
    createdAt: row.created_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }))
}
