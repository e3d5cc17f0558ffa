import type { Client } from 'pg'
import { APPLICATION_ROLE, OperatorError } from '../connect.ts'

/**
 * Errors when another process creates or grants the role at the same moment: duplicate object, unique violation, tuple
 * updated.
 */
const SAME_MOMENT = new Set(['42710', '23505', 'XX000'])
const NOT_ALLOWED = '42501'

/**
 * Creates the application's role and lets the signed-in database user act as it. Roles belong to the whole cluster, so
 * the migration of another database may be creating this one right now. Must not run in a transaction, which such a
 * conflict would abort. Throws OperatorError if the user lacks the right.
 */
export async function ensureApplicationRole(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: number; exists: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version,
      EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists`,
    [APPLICATION_ROLE],
  )
  if (!rows[0]?.exists) await changeRoles(client, `CREATE ROLE ${APPLICATION_ROLE} NOLOGIN`)
  // Since version 16, the creator of a role is a member of it without the right to act as it.
  const privilege = (rows[0]?.version ?? 0) >= 160_000 ? 'SET' : 'MEMBER'
  const member = await client.query<{ may: boolean }>('SELECT pg_has_role($1, $2) AS may', [
    APPLICATION_ROLE,
    privilege,
  ])
  if (!member.rows[0]?.may) await changeRoles(client, `GRANT ${APPLICATION_ROLE} TO CURRENT_USER`)
}

async function changeRoles(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== undefined && SAME_MOMENT.has(code)) return
    if (code !== NOT_ALLOWED) throw error
    throw new OperatorError(
      `The user of DATABASE_URL may not set up the role of the application. Let an administrator run: CREATE ROLE ${APPLICATION_ROLE} NOLOGIN; GRANT ${APPLICATION_ROLE} TO <that user>;`,
      { cause: error },
    )
  }
}
