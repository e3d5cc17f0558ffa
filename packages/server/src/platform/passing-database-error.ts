/**
 * Temporary errors of PostgreSQL, after which the caller may retry. Class 08 connection, 53 resources, 57P shutdown,
 * 57014 timeout, 25006 a standby, which becomes the primary or is replaced by it.
 */
const passingDatabaseError = /^(?:08|25P03|53|57P|57014|55P03|25006|ECONN|EPIPE)/
/** Messages of the driver, without a code, when a connection breaks or none is available. */
const passingDriverError =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered)/

/** Returns true if the database caused the error, not the query, so that a retry may succeed. */
export function isPassingDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as { code?: string; syscall?: string }
  // A refused, missing or unreachable address says nothing about the request either.
  return syscall === 'connect' || passingDatabaseError.test(code) || passingDriverError.test(error.message)
}
