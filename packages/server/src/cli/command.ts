import { type Config, ConfigurationError, readConfig } from '../config.ts'
import { OperatorError } from '../db/connect.ts'
import { type OpenedDatabase, openDatabaseForCommand } from '../db/open.ts'
import { createLog } from '../platform/log.ts'

/**
 * Runs an operator's command and ends the process: with 0 if `work` returns nothing or 0. Errors that an operator can
 * fix are printed as one sentence.
 */
export async function endWith(work: (config: Config) => Promise<number | undefined>): Promise<never> {
  let code = 0
  try {
    code = (await work(readConfig(process.env))) ?? 0
  } catch (error) {
    const known = error instanceof OperatorError || error instanceof ConfigurationError
    process.stderr.write(`${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`)
    code = 1
  }
  process.exit(code)
}

/**
 * Runs a command with the database open, also beside a running server. `before` runs first, so that a mistyped
 * argument does not start a database.
 */
export async function runCommand(
  work: (opened: OpenedDatabase, config: Config) => Promise<number | undefined>,
  before: () => void = () => undefined,
): Promise<never> {
  return endWith(async (config) => {
    before()
    const opened = await openDatabaseForCommand(config, createLog('silent'))
    try {
      return await work(opened, config)
    } finally {
      await opened.close()
    }
  })
}
