import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBackup } from '../db/backup/write-backup.ts'
import { OperatorError } from '../db/connect.ts'
import { embeddedFolder, reachServer } from '../db/open.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { readRelease } from '../platform/release.ts'
import { endWith } from './command.ts'
import { count, secondsSince, showProgress, size } from './progress.ts'

const USAGE = `Usage: npm run backup -- <file>
Writes the whole database as it is at this moment into a new file, beside a running server too.`

/** `npm run backup -- <file>` */
await endWith(async (config) => {
  const { file } = readFileArgument(USAGE, { mayCheck: false })
  const started = performance.now()
  if (config.databaseUrl === null && !existsSync(embeddedFolder(config.dataDir))) {
    throw new OperatorError(
      `There is no database in ${config.dataDir}: set DATA_DIR to the directory of the server, or DATABASE_URL to its database.`,
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
    process.stdout.write("It holds keys and people's data: keep it as safe as the database.\n")
    return 0
  } finally {
    await server.stop()
  }
})

/**
 * Returns the file argument of a command, and whether `--check` is given where that is allowed. A relative name is
 * resolved against the directory where the command was typed; npm runs the command in the root of the repository.
 * Throws OperatorError with the usage.
 */
export function readFileArgument(usage: string, { mayCheck }: { mayCheck: boolean }): { file: string; check: boolean } {
  const { values, positionals } = parse(usage, mayCheck)
  const [file, ...more] = positionals
  if (file === undefined || file === '' || more.length > 0) throw new OperatorError(usage)
  return { file: resolve(process.env['INIT_CWD'] || '.', file), check: values.check ?? false }
}

function parse(usage: string, mayCheck: boolean): { values: { check?: boolean }; positionals: string[] } {
  try {
    return parseArgs({ allowPositionals: true, options: mayCheck ? { check: { type: 'boolean' } } : {} })
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`)
  }
}
