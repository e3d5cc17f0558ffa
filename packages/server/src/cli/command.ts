import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
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

/** Throws OperatorError if there is an argument: a command that takes none must not do its work for `--help`. */
export function refuseArguments(): void {
  const given = process.argv.slice(2).join(' ')
  if (given) throw new OperatorError(`Nothing was done, because this command takes no arguments: leave out ${given}`)
}

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
