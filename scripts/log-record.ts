/** One line of a program's structured log, as far as the start command reads it. */
export interface LogRecord {
  level: number
  msg: string
  /** Where the server listens; in the record `ready`. */
  address?: string
  /** Words for the person at the console, whatever the level. */
  notice?: boolean
  err?: { message?: string }
}

/** The level from which a record is shown at the console: pino's `error`. */
export const ERROR_LEVEL = 50

/** Reads a log line; undefined where it is no record. */
export function parseLogRecord(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const record: unknown = JSON.parse(line)
    return isLogRecord(record) ? record : undefined
  } catch {
    return undefined
  }
}

function isLogRecord(value: unknown): value is LogRecord {
  return (
    typeof value === 'object' && value !== null && 'level' in value && typeof value.level === 'number' && 'msg' in value
  )
}

/** A record as one readable line: the sentence, and the cause where it says more. */
export function describeLogRecord(record: LogRecord): string {
  const cause = record.err?.message
  const text = cause && !record.msg.includes(cause) ? `${record.msg}: ${cause}` : record.msg
  return text.replace(/\s*\n\s*/g, ' ')
}
