import { APPLICATION_ROLE, type ConnectionTarget, connectClient } from '../db/connect.ts'

/** The whole content of a database in a form that can be compared, also between servers of different releases. */
export interface DatabaseContent {
  /** Number of rows of each table, and a hash of them in a fixed order. */
  tables: Record<string, { rows: number; hash: string }>
  /** Sequences with their last value, and definitions of indexes, keys, triggers and rights, in a fixed order. */
  rest: string[]
}

export async function readContent(connection: ConnectionTarget): Promise<DatabaseContent> {
  const client = await connectClient(connection, ['timezone=UTC'])
  try {
    const { rows: names } = await client.query<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    )
    const tables: DatabaseContent['tables'] = {}
    for (const { name } of names) {
      const { rows } = await client.query<{ rows: number; hash: string }>(
        `SELECT count(*) AS rows, md5(string_agg(row, chr(10) ORDER BY row COLLATE "C")) AS hash
          FROM (SELECT (to_jsonb(t) - ARRAY(${TRANSACTION_COLUMNS}))::text AS row FROM public.${name} t) AS lines`,
      )
      tables[name] = { rows: rows[0]?.rows ?? 0, hash: rows[0]?.hash ?? '' }
    }
    const { rows: rest } = await client.query<{ line: string }>(REST)
    return { tables, rest: rest.map(({ line }) => line) }
  } finally {
    await client.end()
  }
}

/** These columns hold transaction ids of one server, which mean nothing on another. */
const TRANSACTION_COLUMNS = "SELECT attname::text FROM pg_attribute WHERE atttypid = 'xid8'::regtype AND attnum > 0"

const REST = `
  SELECT line COLLATE "C" AS line FROM (
    SELECT format('sequence %s %s', sequencename, last_value) AS line
      FROM pg_sequences WHERE schemaname = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT format('%s %s', pg_get_triggerdef(oid), tgenabled) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT format('right %s %s', relname, kind) FROM pg_class,
        unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS kind
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND has_table_privilege('${APPLICATION_ROLE}', oid, kind)
    UNION ALL SELECT format('right %s', sequencename) FROM pg_sequences
      WHERE schemaname = 'public' AND has_sequence_privilege('${APPLICATION_ROLE}', format('%I.%I', schemaname, sequencename), 'USAGE')
  ) AS lines ORDER BY 1`
