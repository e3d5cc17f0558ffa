import { DatabaseError } from 'pg'
import { OperatorError } from '../connect.ts'

/** Classes of SQLSTATE: connection, resources such as the disk, intervention of an operator, the system. */
const FAULTS = /^(08|53|57|58)/

/** The same error in words that say what to do, where the database or the way to it gave up; `outcome` ends the sentence. */
export function explainFault(error: unknown, outcome: string): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error
  const isFault =
    error instanceof DatabaseError ? FAULTS.test(error.code ?? '') : error.message.startsWith('Connection terminated')
  if (!isFault) return error
  return new OperatorError(`The database gave up (${error.message}): ${outcome}`, { cause: error })
}
