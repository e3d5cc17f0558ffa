import { existsSync } from 'node:fs'
import { writeBackup } from '../db/backup/write-backup.ts'
import { OperatorError } from '../db/connect.ts'
import { embeddedFolder, reachServer } from '../db/open.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { readRelease } from '../platform/release.ts'
import { endWith, readFileArgument } from './command.ts'
import { count, secondsSince, showProgress, size } from './progress.ts'

const USAGE = `Usage: npm run backup -- <file>
Writes a snapshot of the whole database into a new file. The server may keep running.`

/** `npm run backup -- <file>` */
await endWith(async (config) => {
  const { file } = readFileArgument(USAGE, { mayCheck: false })
  const started = performance.now()
  if (config.databaseUrl === null && !existsSync(embeddedFolder(config.dataDir))) {
    throw new OperatorError(
      `There is no database in ${config.dataDir}: set DATA_DIR to the server's data directory, or DATABASE_URL to its database.`,
    )
  }
  const server = await reachServer(config, createLog('silent'))
  try {
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => stop.abort(new OperatorError('\nThe backup was stopped, and no file is left.')))
    }
    const progress = showProgress()
    progress.stage('Backing up')
    const { tables, bytes } = await writeBackup(server.owner, {
      file,
      release: await readRelease(),
      now: systemClock.now(),
      onProgress: progress.at,
      signal: stop.signal,
    })
    progress.clear()
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    process.stdout.write(
      `Backed up ${count(rows)} rows of ${tables.length} tables in ${secondsSince(started)}: ${file} (${size(bytes)}).\n`,
    )
    process.stdout.write('It contains keys and personal data: protect it like the database.\n')
    return 0
  } finally {
    await server.stop()
  }
})
