/** Why something failed, as whoever threw it says it. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
