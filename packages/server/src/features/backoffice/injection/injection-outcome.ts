import type { AlarmTestResult } from '@benchwatch/contract/vocabulary'

/** The progress of a test event, as seen in the database. */
export interface Progress {
  /** Null while there is no event. */
  eventId: number | null
  /** True if its live message is numbered and published. */
  isPublished: boolean
  /** True if the recipients of its notifications were decided. */
  isNotified: boolean
  /** True if users who may see the customer find it among the open events of its instrument. */
  isFound: boolean
}

/** Tests that took longer are late. */
export const IN_TIME_MS = 60_000
/** After this time the test counts as missing, and support is notified. */
export const MISSING_AFTER_MS = 10 * 60_000

/** Returns the result of a test at a time after it was raised. */
export function resultOf(progress: Progress, tookMs: number): AlarmTestResult {
  if (brokenStage(progress) === null) return tookMs <= IN_TIME_MS ? 'arrived' : 'late'
  return tookMs < MISSING_AFTER_MS ? 'waiting' : 'missing'
}

/** Returns the first stage that a test did not pass, as worded in the alarm about it; null if it passed all stages. */
export function brokenStage({ eventId, isFound, isPublished, isNotified }: Progress): string | null {
  if (eventId === null) return 'The data of the gateway created no service event'
  if (!isFound) return 'Its service event is missing from the event list'
  if (!isPublished) return 'No live message was published'
  if (!isNotified) return 'No recipients were determined'
  return null
}
