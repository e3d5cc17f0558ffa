import type { Config } from '../config.ts'
import type { ReadBackup } from '../db/backup/read-backup.ts'
import { checkBackup, restoreBackup } from '../db/backup/restore-backup.ts'
import { embeddedFolder, reachServer } from '../db/open.ts'
import { createLog } from '../platform/log.ts'
import { endWith, readFileArgument } from './command.ts'
import { count, secondsSince, showProgress } from './progress.ts'

const USAGE = `Usage: npm run restore -- <file> [--check]
Fills an empty database with a backup. With --check the file is only read and compared with its checksums.`

/** `npm run restore -- <file>` */
await endWith(async (config) => {
  const { file, check } = readFileArgument(USAGE, { mayCheck: true })
  const started = performance.now()
  const progress = showProgress()
  // Runs before the database starts: a damaged file leaves nothing behind.
  progress.stage('Checking')
  const checked = await checkBackup(file, { onProgress: progress.at })
  if (check) {
    progress.clear()
    process.stdout.write(`The backup is complete. It contains ${contents(checked)}.\n`)
    return 0
  }
  const server = await reachServer(config, createLog('silent'))
  try {
    progress.stage('Loading')
    await restoreBackup(server.owner, {
      file,
      checked,
      whenNotEmpty: wayOut(config),
      onProgress: progress.at,
      onLoaded: () => progress.stage('Building indexes and statistics …'),
    })
    progress.clear()
    process.stdout.write(`Restored ${contents(checked)}, in ${secondsSince(started)}.\n`)
    return 0
  } finally {
    await server.stop()
  }
})

function contents({ head, end }: ReadBackup): string {
  const rows = end.tables.reduce((sum, table) => sum + table.rows, 0)
  return `${count(rows)} rows of ${end.tables.length} tables as of ${head.takenAt} (Benchwatch ${head.release}, PostgreSQL ${head.postgres})`
}

function wayOut({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return 'Create a new database and name it in DATABASE_URL.'
  return `Stop Benchwatch and move ${embeddedFolder(dataDir)} away, or set DATA_DIR to another directory.`
}
