import type { Client } from 'pg'
import { OperatorError } from './connect.ts'

interface Ground {
  database: string
  user: string
  encoding: string
  mayCreateTables: boolean
  mayCreateSchemas: boolean
  hasTrigrams: boolean
  offersTrigrams: boolean
}

/**
 * Looks whether tables can be made in a database that has none yet, before the first statement fails with less helpful
 * words. Throws OperatorError with what an administrator has to do.
 */
export async function requireUsableDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<Ground>(
    `SELECT current_database() AS database, current_user AS user, current_setting('server_encoding') AS encoding,
      has_schema_privilege('public', 'CREATE') AS "mayCreateTables",
      has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchemas",
      EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS "hasTrigrams",
      EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS "offersTrigrams"`,
  )
  const [ground] = rows
  const problem = ground && problemOf(ground)
  if (problem) throw new OperatorError(problem)
}

function problemOf({ database, user, encoding, ...ground }: Ground): string | null {
  if (encoding !== 'UTF8') {
    return `The database ${database} has the encoding ${encoding}, and texts of instruments need UTF8. Let an administrator run: CREATE DATABASE <name> OWNER ${user} ENCODING 'UTF8' TEMPLATE template0; and name that one in DATABASE_URL.`
  }
  if (!ground.mayCreateTables) {
    return `The user ${user} may not create tables in the database ${database}. Let an administrator run there: GRANT CREATE ON SCHEMA public TO ${user};`
  }
  if (!ground.hasTrigrams && !ground.offersTrigrams) {
    return `The PostgreSQL server lacks the extension pg_trgm, which keyword search needs: install its package of extensions (postgresql-contrib) and start again.`
  }
  if (!ground.mayCreateSchemas) return mayNotCreateSchemas({ database, user })
  return null
}

/** Needed for the extension pg_trgm, which keyword search takes, and for the schema of the job queue. */
export function mayNotCreateSchemas({ database, user }: { database: string; user: string }): string {
  return `The user ${user} may not create schemas and extensions in the database ${database}. Let an administrator run: GRANT CREATE ON DATABASE ${database} TO ${user};`
}
