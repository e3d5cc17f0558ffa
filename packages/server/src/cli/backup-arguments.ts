import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError } from '../db/connect.ts'

/**
 * The one file that a command names, and whether `--check` stands beside it where that is known. A relative name is
 * meant from where the command was typed; npm runs it in the root of the repository. Throws OperatorError with the usage.
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
