/** A time without mails: until this instant, or for good where it is null. */
export interface Rest {
  until: Date | null
}

const DAY_MS = 86_400_000

/**
 * Until when mails stay away after somebody asked for it at `at`, for so many days or for good: the longer one wins. The same
 * link asked once more for a number of days moves nothing, so that a repeated request is safe.
 */
export function untilAfter(
  held: Rest | undefined,
  { days, isRepeat, at }: { days: number | null; isRepeat: boolean; at: Date },
): Date | null {
  if (days === null || held?.until === null) return null
  if (held && isRepeat) return held.until
  const wanted = new Date(at.getTime() + days * DAY_MS)
  return held && held.until > wanted ? held.until : wanted
}
