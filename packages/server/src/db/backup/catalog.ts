import { type Client, escapeIdentifier } from 'pg'
import type { BackupHead } from './backup-format.ts'

/**
 * Backup and restore read the list of tables from PostgreSQL's own catalog, so that a new table is in the next backup
 * automatically.
 */

/**
 * Selects all tables except the list of migrations, which is in the head of a backup. A partitioned table is one table,
 * because a restored database has other partitions.
 */
const TABLES = `
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'schema_migration'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`

/** Returns the tables with their stored columns (not generated ones), sorted by name. */
export async function readTables(client: Client): Promise<BackupHead['tables']> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname::text AS name, ARRAY(
        SELECT a.attname::text FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        ORDER BY a.attnum) AS columns
      ${TABLES} ORDER BY c.relname::text COLLATE "C"`,
  )
  return rows
}

/**
 * Returns the last value of each sequence. Sequences are not transactional, so this must run after the snapshot is
 * taken: every row in the snapshot got its number before.
 */
export async function readSequences(client: Client): Promise<BackupHead['sequences']> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences
      WHERE schemaname = 'public' ORDER BY sequencename::text COLLATE "C"`,
  )
  return rows
}

/** Returns the applied migrations, oldest first; null if the database was never one of Benchwatch. */
export async function readApplied(client: Client): Promise<BackupHead['migrations'] | null> {
  const { rows: found } = await client.query("SELECT WHERE to_regclass('public.schema_migration') IS NOT NULL")
  if (found.length === 0) return null
  const { rows } = await client.query<BackupHead['migrations'][number]>(
    `SELECT name, sha256, applied_at::text AS "appliedAt" FROM public.schema_migration ORDER BY name COLLATE "C"`,
  )
  return rows
}

/** Counts the tables, views, sequences and similar objects of a schema that belong to no extension. */
export async function countRelations(client: Client): Promise<number> {
  const { rows } = await client.query<{ relations: number }>(
    `SELECT count(*) AS relations FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`,
  )
  return rows[0]?.relations ?? 0
}

/** Statements that remove what slows down loading, and statements that restore it. */
export interface LoadingAids {
  before: string[]
  after: string[]
  /** Names of the tables that consist of partitions; their rows can't be loaded frozen. */
  partitioned: ReadonlySet<string>
}

/**
 * Returns the statements for a fast load. Building an index over all rows is five to ten times faster than row by row,
 * foreign keys are checked in one join, and without them the order of the tables does not matter. Triggers must not
 * count rows again that the backup has counted already.
 */
export async function readLoadingAids(client: Client): Promise<LoadingAids> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT k.conrelid::regclass::text AS table, quote_ident(k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
      FROM pg_constraint k WHERE k.contype = 'f' AND k.conrelid IN (SELECT c.oid ${TABLES}) ORDER BY k.oid`,
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition
      FROM pg_index i WHERE i.indrelid IN (SELECT c.oid ${TABLES})
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid) ORDER BY i.indexrelid`,
  )
  const { rows: triggered } = await client.query<{ table: string }>(
    `SELECT DISTINCT t.tgrelid::regclass::text AS table FROM pg_trigger t
      WHERE NOT t.tgisinternal AND t.tgenabled = 'O' AND t.tgrelid IN (SELECT c.oid ${TABLES})`,
  )
  const { rows: partitioned } = await client.query<{ name: string }>(
    `SELECT c.relname::text AS name ${TABLES} AND c.relkind = 'p'`,
  )
  return {
    partitioned: new Set(partitioned.map(({ name }) => name)),
    before: [
      ...keys.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
      ...indexes.map(({ name }) => `DROP INDEX ${name}`),
      ...triggered.map(({ table }) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
    ],
    after: [
      ...triggered.map(({ table }) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
      ...indexes.map(({ definition }) => definition),
      ...keys.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
    ],
  }
}

/**
 * Returns the columns that contain transaction ids, by table. Another server has its own ids, and these would be in its
 * future, so a backup contains 0, which is before any transaction.
 */
export async function readTransactionColumns(client: Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `SELECT c.relname::text AS table, ARRAY(
        SELECT a.attname::text FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.atttypid = 'xid8'::regtype AND NOT a.attisdropped) AS columns
      ${TABLES}`,
  )
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** Returns the query of a COPY, which a partitioned table needs, with 0 for columns of transaction ids. */
export function copySource(table: BackupHead['tables'][number], transactions: readonly string[]): string {
  const values = table.columns.map((column) => (transactions.includes(column) ? "'0'" : escapeIdentifier(column)))
  return `(SELECT ${values.join(', ')} FROM public.${escapeIdentifier(table.name)})`
}

/** Returns the quoted target of a COPY: `public.customer (id, name)`. */
export function copyTarget({ name, columns }: BackupHead['tables'][number]): string {
  return `public.${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`
}
