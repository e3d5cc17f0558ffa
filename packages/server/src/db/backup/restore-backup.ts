import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, escapeIdentifier } from 'pg'
import { from } from 'pg-copy-streams'
import { type ConnectionTarget, connectClient, OperatorError } from '../connect.ts'
import { ensureApplicationRole } from '../migrate/application-role.ts'
import {
  applyInTransaction,
  awaitTurn,
  createMigrationTable,
  type Migration,
  readMigrations,
} from '../migrate/migrate.ts'
import { type BackupHead, explainFault, type ReportProgress } from './backup-format.ts'
import { copyTarget, countRelations, readLoadingAids, readTables } from './catalog.ts'
import { type ReadBackup, readBackup } from './read-backup.ts'

interface RestoreInput {
  file: string
  /** The result of checkBackup for this file. */
  checked: ReadBackup
  /** Advice for the operator if the database is not empty. */
  whenNotEmpty: string
  onProgress?: ReportProgress | undefined
  /** Called when all rows are loaded and the rest begins. */
  onLoaded?: () => void
  /** The folder of this release's migrations; ends with a slash. */
  migrations?: URL | undefined
}

const SETTINGS = [
  'timezone=UTC',
  'datestyle=ISO',
  'client_min_messages=warning',
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
  // Speeds up index builds: with 256 MB, those of a million events took half as long as with the default of 64 MB.
  'maintenance_work_mem=256MB',
]

/** Reads a backup without a database. Throws OperatorError if this release can't restore it. */
export async function checkBackup(
  file: string,
  { onProgress, migrations }: Pick<RestoreInput, 'onProgress' | 'migrations'> = {},
): Promise<ReadBackup> {
  const known = await readMigrations(migrations)
  return readBackup(file, {
    async onHead(head) {
      splitMigrations(head, { known, file })
    },
    async onTable(_table, rows) {
      for await (const _piece of rows);
    },
    onProgress,
  })
}

/**
 * Fills an empty database with a backup, whatever release of PostgreSQL wrote it: the schema of that time, the rows,
 * and then the migrations added since. Everything runs in one transaction, so a restore that fails halfway leaves the
 * database empty. The file is checked completely before the first statement, because a damaged one should not cost an
 * hour; the loaded data are compared once more. Throws OperatorError.
 */
export async function restoreBackup(connection: ConnectionTarget, input: RestoreInput): Promise<ReadBackup> {
  const client = await connectClient(connection, SETTINGS)
  try {
    await awaitTurn(client)
    await refuseFilled(client, input.whenNotEmpty)
    await ensureApplicationRole(client)
    await client.query('BEGIN')
    const loaded = await load(client, input)
    if (loaded.end.sha256 !== input.checked.end.sha256) {
      throw new OperatorError(`The backup ${input.file} was replaced while it was read: nothing was changed.`)
    }
    await client.query('COMMIT')
    return loaded
  } catch (error) {
    throw explainFault(error, 'it is still empty. Fix the cause and start again.')
  } finally {
    // Without a COMMIT this rolls back; during a COPY it cuts the connection, which has the same effect.
    await client.end()
  }
}

/** Runs everything between the BEGIN and the COMMIT of the transaction. */
async function load(client: Client, { file, onProgress, onLoaded, migrations }: RestoreInput): Promise<ReadBackup> {
  const known = await readMigrations(migrations)
  let afterLoading: string[] = []
  let partitioned: ReadonlySet<string> = new Set()
  let later: Migration[] = []
  const loaded = await readBackup(file, {
    async onHead(head) {
      const split = splitMigrations(head, { known, file })
      later = split.later
      await createMigrationTable(client)
      for (const { migration, appliedAt } of split.made) await applyInTransaction(client, migration, appliedAt)
      if (JSON.stringify(await readTables(client)) !== JSON.stringify(head.tables)) {
        throw new OperatorError(
          `The tables in the backup ${file} do not match its migrations: they were changed in the original database. Nothing was changed here.`,
        )
      }
      const aids = await readLoadingAids(client)
      afterLoading = aids.after
      partitioned = aids.partitioned
      for (const statement of aids.before) await client.query(statement)
      // The backup also contains the rows that migrations insert. After this TRUNCATE, rows are loaded frozen, so that
      // index-only scans work without a vacuum that reads everything again.
      await client.query(`TRUNCATE ${tableNames(head)}`)
    },
    async onTable(table, rows) {
      const options = partitioned.has(table.name) ? '' : ' WITH (FREEZE)'
      const copy = client.query(from(`COPY ${copyTarget(table)} FROM STDIN${options}`))
      await pipeline(Readable.from(rows, { objectMode: false }), copy)
    },
    onProgress,
  })
  onLoaded?.()
  for (const { name, last } of loaded.head.sequences) {
    if (last !== null) await client.query('SELECT setval($1::regclass, $2)', [`public.${escapeIdentifier(name)}`, last])
  }
  for (const statement of afterLoading) await client.query(statement)
  await client.query(`ANALYZE ${tableNames(loaded.head)}`)
  for (const migration of later) await applyInTransaction(client, migration)
  return loaded
}

function tableNames({ tables }: BackupHead): string {
  return tables.map(({ name }) => `public.${escapeIdentifier(name)}`).join(', ')
}

async function refuseFilled(client: Client, whenNotEmpty: string): Promise<void> {
  const relations = await countRelations(client)
  if (relations > 0) {
    throw new OperatorError(
      `A backup can only be restored into an empty database, and this one already contains tables: nothing was changed. ${whenNotEmpty}`,
    )
  }
}

/** Splits the migrations into those that the backup contains and those that this release added later. */
function splitMigrations(
  { migrations, release }: BackupHead,
  { known, file }: { known: readonly Migration[]; file: string },
): { made: { migration: Migration; appliedAt: string }[]; later: Migration[] } {
  const made = migrations.map(({ name, sha256, appliedAt }) => {
    const migration = known.find((candidate) => candidate.name === name)
    if (!migration) {
      throw new OperatorError(
        `The backup ${file} was made by Benchwatch ${release}, which has the migration ${name}; this release does not. Restore it with that release or a later one.`,
      )
    }
    if (migration.sha256 !== sha256) {
      throw new OperatorError(
        `The migration ${name} of this release differs from the one in the backup ${file}: restore the migration's file as it was released.`,
      )
    }
    return { migration, appliedAt }
  })
  return { made, later: known.filter(({ name }) => !migrations.some((applied) => applied.name === name)) }
}
