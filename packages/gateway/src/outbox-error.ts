/** An outbox that can't be opened; the message says what to do. */
export class OutboxError extends Error {}

/** What LevelDB's refusal means for whoever started the gateway. */
export function openingFailure(directory: string, error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause && cause.code === 'LEVEL_LOCKED')
    return `Another gateway process uses the outbox ${directory}. End that process, or give this one another OUTBOX_DIR.`
  const reason = cause instanceof Error ? cause.message : String(error)
  return `The outbox ${directory} can't be opened (${reason}). Check that the directory can be written and the disk is not full.`
}
