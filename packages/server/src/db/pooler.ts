import type { Pool } from 'pg'

/**
 * Checks the connections of a pooler in transaction mode. It shares them between callers, so it passes no settings on:
 * its login must have them. Returns the sentence that tells an administrator what to run, or null if all is well.
 * `settings` are name=value.
 */
export async function findPoolerFault(
  pool: Pool,
  { role, settings }: { role: string; settings: readonly string[] },
): Promise<string | null> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ login: string; mayChangeAudit: boolean; mayWork: boolean }>(
      `SELECT session_user AS login, has_table_privilege('audit', 'UPDATE, DELETE, TRUNCATE') AS "mayChangeAudit",
        pg_has_role($1, 'USAGE') AS "mayWork"`,
      [role],
    )
    const { login = '', mayChangeAudit = true, mayWork = false } = rows[0] ?? {}
    if (mayChangeAudit || !mayWork) {
      return `The user ${login} of DATABASE_URL must have the rights of ${role} and no others, because a pooler does not change roles. Let an administrator run: CREATE ROLE benchwatch_requests LOGIN PASSWORD '…' IN ROLE ${role}; and name that one in DATABASE_URL, and the owner in DATABASE_DIRECT_URL.`
    }
    const differing: string[] = []
    await client.query('BEGIN')
    for (const setting of settings) {
      const [name = '', value = ''] = setting.split('=')
      const before = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
      // PostgreSQL writes a value in its own unit, so it is compared with what it makes of the wanted one.
      const wanted = await client.query<{ value: string }>('SELECT set_config($1, $2, true) AS value', [name, value])
      if (before.rows[0]?.value !== wanted.rows[0]?.value)
        differing.push(`ALTER ROLE ${login} SET ${name} = '${value}';`)
    }
    await client.query('ROLLBACK')
    if (differing.length === 0) return null
    return `The pooler of DATABASE_URL does not pass settings on, so its user must have them. Let an administrator run: ${differing.join(' ')} and then RECONNECT in the pooler.`
  } finally {
    client.release(true)
  }
}
