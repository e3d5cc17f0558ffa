import { type Config, ConfigurationError, readConfig } from '../config.ts'
import { OperatorError } from '../db/connect.ts'
import { type OpenedDatabase, openDatabaseForCommand } from '../db/open.ts'
import { createLog } from '../platform/log.ts'

/**
 * Runs a command of the operator and ends the process: 0 when `work` returns nothing or 0. What the operator can mend is
 * printed as one sentence.
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
 * The same with the database open, beside a running server too. `before` runs first: a mistyped argument must not start
 * a database.
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
